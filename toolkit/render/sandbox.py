"""The sandbox of templates: an allow-list of what they can reach, and a budget of steps and output.

Templates may come from strangers. They get texts, numbers, frozen records of these, and listed functions; of
each type only the listed attributes. Steps are counted instead of time, so that a template which does too
much stops at the same place on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from string import Formatter
from types import BuiltinMethodType, GeneratorType, MethodType
from typing import Any

from jinja2 import Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.environment import TemplateModule
from jinja2.exceptions import SecurityError, TemplateRuntimeError
from jinja2.filters import _GroupTuple
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, Undefined
from jinja2.sandbox import SandboxedEnvironment
from jinja2.utils import Cycler, Joiner, Namespace, _PassArg, pass_environment
from markupsafe import Markup, escape

from toolkit.data.art.drawing_costs import Cost, Linked
from toolkit.render.face import RulesText, Stat
from toolkit.render.fit import CardFit
from toolkit.render.output_limits import Excess, word_set
from toolkit.render.template_values import Record, UnknownName, values_of, word_for
from toolkit.wording.badge import Badge

MAX_STEPS = 500_000
"""The budget of a template for one card or one document; the largest shipped one needs 7,000 for a card."""

MAX_CHARACTERS = 1_000_000
"""Characters of a text that a template creates, and of its output; a shipped card has 20,000."""

MAX_ITEMS = 10_000
"""Numbers of a ``range``, and values in a list, nested ones included."""

MAX_DEPTH = 50
"""Lists in lists."""

_MAX_INTEGER = 2**63
_TOO_LONG = "it prints too much: more than a million characters"
_CHARACTERS_PER_STEP = 32
"""Copying or searching so many characters is one step."""


_TEXT = word_set(
    "capitalize casefold center count endswith find format index isalnum isalpha isdecimal isdigit islower "
    "isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace "
    "rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper "
    "zfill"
)
_LIST = frozenset(("count", "index"))
_NO_ATTRIBUTES: frozenset[str] = frozenset()

ATTRIBUTES: Mapping[type, frozenset[str]] = {
    str: _TEXT,
    Markup: _TEXT | {"striptags", "unescape"},
    int: _NO_ATTRIBUTES,
    float: frozenset(("is_integer",)),
    bool: _NO_ATTRIBUTES,
    type(None): _NO_ATTRIBUTES,
    list: _LIST,
    tuple: _LIST,
    range: _NO_ATTRIBUTES,
    dict: frozenset(("get", "items", "keys", "values")),
    Badge: frozenset(Badge._fields),
    Stat: frozenset(Stat._fields),
    RulesText: frozenset(RulesText._fields),
    CardFit: frozenset(
        ("also", "begin", "broken", "crowd", "depth", "end", "floor", "likely", "room", "scale", "size")
    ),
    _GroupTuple: frozenset(("grouper", "list")),
    LoopContext: word_set(
        "changed cycle depth depth0 first index index0 last length nextitem previtem revindex revindex0"
    ),
    Macro: frozenset(("arguments", "caller", "catch_kwargs", "catch_varargs", "name")),
    BlockReference: frozenset(("super",)),
    Cycler: frozenset(("current", "next", "reset")),
    Joiner: _NO_ATTRIBUTES,
}
"""The types of values that a template can reach, each with the attributes that it may use.

In addition: ``Record``, which has only its fields, and what a template defines (``namespace``, imported
templates and the blocks of ``self``).
"""

_CALLABLE = (Macro, BlockReference, Joiner, LoopContext)
_CONTAINERS = (list, tuple, dict, Stat, RulesText, _GroupTuple)

FILTERS = word_set(
    "abs attr batch capitalize center count d default dictsort e escape first float forceescape format "
    "groupby indent int items join last length list lower map max min reject rejectattr replace reverse "
    "round safe select selectattr slice sort string striptags sum title trim truncate unique upper "
    "urlencode wordcount wordwrap xmlattr"
)
"""The filters of Jinja that templates have. ``random`` is left out: the same cards give the same bytes."""


class OverBudget(TemplateRuntimeError):
    """A template exceeded its budget; ``lines``: how far below the executed line, which may print several."""

    def __init__(self, message: str, lines: int = 0) -> None:
        super().__init__(message)
        self.lines = lines


class _Namespace(Namespace):
    """A namespace that does not print its content: nested ones could double the output at each level."""

    def __repr__(self) -> str:
        return "<Namespace>"


class _Template(Template):
    """A template whose output is discarded chunk by chunk while it is imported; Jinja collects all of it."""

    def _get_default_module(self, ctx: Context | None = None) -> TemplateModule:
        """Return the module of the template, cached: these templates have no globals of their own."""
        if self._module is None or self.environment.sandboxed:
            return super()._get_default_module(ctx)
        return self._module

    def make_module(
        self,
        vars: dict[str, Any] | None = None,
        shared: bool = False,
        locals: Mapping[str, Any] | None = None,
    ) -> TemplateModule:
        """Return the module of the template: its macros and variables, without the text that it prints.

        Jinja's own method keeps all that text, which nothing uses.
        """
        context = self.new_context(vars, shared, locals)
        for _printed_text in self.root_render_func(context):
            pass  # running it to its end fills the context
        return TemplateModule(self, context, ())


class _Generator(CodeGenerator):
    """Generates code that counts each execution of a body and each created value."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._counted: dict[int, nodes.Node] = {}

    def blockvisit(self, body: Iterable[nodes.Node], frame: Frame) -> None:
        """Generate the statements of a body, counted before they are executed."""
        body = list(body)
        steps = 1 + sum(len(node.nodes) if isinstance(node, nodes.Output) else 1 for node in body)
        self.writeline(f"environment.spend({steps})")
        super().blockvisit(body, frame)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        """Generate an output with its line: the base class notes none if it begins with text (Jinja 3.1)."""
        self.newline(node)
        super().visit_Output(node, frame)

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        """Generate the code of a node; values that it creates pass through ``limited``."""
        is_counted = isinstance(node, (nodes.List, nodes.Dict, nodes.Concat)) or id(node) in self._counted
        is_counted = is_counted or (isinstance(node, nodes.Tuple) and node.ctx == "load")
        is_counted = is_counted or (isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Slice))
        if not is_counted:
            return super().visit(node, *args, **kwargs)
        self.write("environment.limited(")
        super().visit(node, *args, **kwargs)
        self.write(")")
        return None

    def _count(self, *expressions: nodes.Node) -> None:
        """Make the values of these expressions pass through ``limited``, too."""
        self._counted.update((id(expression), expression) for expression in expressions)

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        """Generate a comparison, which reads both sides completely."""
        self._count(node.expr, *(compared.expr for compared in node.ops))
        super().visit_Compare(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:
        """Generate a concatenation."""
        self._count(*node.nodes)
        super().visit_Concat(node, frame)

    def visit_For(self, node: nodes.For, frame: Frame) -> None:
        """Generate a loop; its condition is evaluated outside of the counted body."""
        if node.test is not None:
            self._count(node.test)
        super().visit_For(node, frame)


class _TrustedGenerator(CodeGenerator):
    """Generates code for shipped templates, which escape all that they print, with ``_escaped``."""

    def _output_child_pre(self, *_arguments: Any) -> None:
        """Begin the output of an expression."""
        self.write("environment.escaped(")


_escaped_word = lru_cache(maxsize=4096)(escape)
_LONGEST_WORD = 100
"""Characters of a text that is kept, at most: thousands of long ones would fill the memory of a preview."""


def _escaped(value: Any) -> str:
    """Return a value as HTML, without what ``escape`` costs for numbers, finished HTML and repeated words.

    Most of what cards print are coordinates and colours: filling their templates takes 16 % less time.
    """
    kind = type(value)
    if kind is int or kind is float:
        return str(value)
    if isinstance(value, Markup):
        return value
    return _escaped_word(value) if kind is str and len(value) <= _LONGEST_WORD else escape(value)


class Sandbox(SandboxedEnvironment):
    """An environment whose templates may use only what is listed, within a budget of steps. Not thread-safe.

    ``functions`` are those that templates may call, beside their own macros and the methods of
    ``ATTRIBUTES``. ``over_budget`` are the problems of templates that exceeded their budget, by name.
    ``drawing_cost`` returns the cost of the drawing at an address; those at ``prepared`` addresses are drawn
    only once.
    """

    code_generator_class: type[CodeGenerator] = _Generator
    template_class = _Template
    intercepted_binops = frozenset(SandboxedEnvironment.default_binop_table)

    def __init__(self, counted: bool = True, **options: Any) -> None:
        """Make an environment with the listed filters and functions; if ``counted``, steps have a budget."""
        super().__init__(**options, undefined=UnknownName)
        self.counted = counted
        self.filters = {name: self._guarded(name, self.filters[name]) for name in FILTERS}
        self.filters["attr"] = _attr
        if counted:
            self.finalize = self._printed
            self.tests = {
                name: self._guarded(name, test) for name, test in dict[str, Any](self.tests).items()
            }
        else:
            self.sandboxed = False  # shipped templates: calls and operators need no check
            self.code_generator_class = _TrustedGenerator
            self.escaped = _escaped
        self.functions: set[Callable[..., object]] = set()
        self.over_budget: dict[str, Any] = {}
        self.drawing_cost: Linked = lambda _address: Cost()
        self.prepared: set[str] = set()
        self.globals.clear()
        self.add_functions(  # functions: no class is within reach of a template
            range=_range,
            dict=lambda *values, **named: dict(*values, **named),
            namespace=lambda *values, **named: _Namespace(*values, **named),
            cycler=lambda *items: Cycler(*items),
            joiner=lambda *separator: Joiner(*separator),
        )
        self.reset_budget()

    def add_functions(self, **functions: Callable[..., object]) -> None:
        """Let all templates call these functions by these names."""
        self.globals.update(functions)
        self.functions.update(functions.values())

    def filter(self, name: str, function: Callable[[Any], Any]) -> None:
        """Let all templates use a filter of that name."""
        self.filters[name] = self._guarded(name, function)

    def reset_budget(self, given_characters: int = 0, stop: Excess | None = None) -> None:
        """Start a new budget, larger if there are finished pages of ``given_characters`` among the values.

        ``stop``: raise an error with its message after so many characters of output.
        """
        self._left = MAX_STEPS + given_characters // _CHARACTERS_PER_STEP
        self._longest = MAX_CHARACTERS + given_characters
        self._most = MAX_ITEMS + given_characters // _CHARACTERS_PER_STEP
        self._stop = stop or Excess(self._longest, _TOO_LONG)
        self._is_whole_output = True  # whether the next output to be joined is that of the whole template

    def spend(self, steps: int) -> None:
        """Count steps. Raises ``OverBudget``, also on each later call, so that a template cannot go on."""
        self._left -= steps
        if self._left < 0:
            raise OverBudget("it has too much to do: it was stopped after 500,000 steps")

    # What templates can reach

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return a listed attribute, or an item of that name."""
        kind = type(obj)
        if kind is Record:
            values = values_of(obj)
            if attribute in values:
                return values[attribute]
        elif attribute in ATTRIBUTES.get(kind, _NO_ATTRIBUTES):
            return _Format(obj, self) if attribute == "format" else getattr(obj, attribute)
        elif kind is dict:
            if attribute in obj:
                return obj[attribute]
        elif not attribute.startswith("_"):
            if kind is TemplateModule and attribute in vars(obj):
                return vars(obj)[attribute]
            if kind is _Namespace and hasattr(obj, attribute):  # a namespace has no attributes but its own
                return getattr(obj, attribute)
            if kind is TemplateReference:
                with suppress(KeyError):
                    return obj[attribute]
        if isinstance(obj, Undefined):
            return obj._fail_with_undefined_error()
        unsafe = hasattr(type(obj), attribute)
        return self.unsafe_undefined(obj, attribute) if unsafe else self.undefined(obj=obj, name=attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return an item of a text, a list or a dictionary; for a name also an attribute."""
        if isinstance(obj, (str, list, tuple, dict, range)):
            try:
                return obj[argument]
            except (TypeError, LookupError):
                pass
        if isinstance(argument, str):
            return self.getattr(obj, str(argument))
        return self.undefined(obj=obj, name=argument)

    def is_safe_callable(self, obj: Any) -> bool:
        """Whether it is a listed function, a macro, or a listed method of a listed type."""
        if isinstance(obj, _CALLABLE):
            return True
        if isinstance(obj, (BuiltinMethodType, MethodType)):
            return obj.__name__ in ATTRIBUTES.get(type(obj.__self__), _NO_ATTRIBUTES)
        return isinstance(obj, Undefined) or obj in self.functions or isinstance(obj, _Format)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the result of a call, if it is allowed."""
        if not __self.is_safe_callable(__obj):
            raise SecurityError(f"{word_for(__obj)} is unsafe, and templates may not call it")
        __self.spend(1 + len(args))
        if type(__obj) is BuiltinMethodType:
            __self._check(__obj.__name__, __obj.__self__, args, kwargs)
        return __self.limited(__context.call(__obj, *args, **kwargs))

    # How much templates may do

    def limited(self, value: Any) -> Any:
        """Return a value that was created; raise ``OverBudget`` if it is too large."""
        kind = type(value)
        self.spend(1)
        if kind is str or kind is Markup:
            self.spend(len(value) // _CHARACTERS_PER_STEP)
            self._bound(len(value))
        elif kind is int:
            if not -_MAX_INTEGER < value < _MAX_INTEGER:
                raise OverBudget("a number is too big")
        elif kind in _CONTAINERS:
            self.spend(self._weight(value))
        elif kind is GeneratorType:
            return self._counted(value)
        return value

    def _bound(self, length: int) -> None:
        if length > self._longest:
            raise OverBudget("a text is too big: more than a million characters")

    def _counted(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.spend(1)
            yield value

    def _weight(self, value: Any) -> int:
        """Return the number of values in nested lists; long texts count for more. Raises ``OverBudget``."""
        total, pending = 1, [(value, 1)]
        while pending:
            container, depth = pending.pop()
            total += len(container)
            if total <= self._most:
                for item in (*container, *container.values()) if type(container) is dict else container:
                    if isinstance(item, str):
                        total += len(item) // _CHARACTERS_PER_STEP
                    elif type(item) in _CONTAINERS:
                        pending.append((item, depth + 1))
            if total > self._most or depth > MAX_DEPTH:
                raise OverBudget("a list is too big: more than 10,000 values, or more than 50 lists in lists")
        return total

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:  # noqa: ARG002 Jinja's
        """Return the result of an operator; one that would be too large is refused before it is computed."""
        self.spend(1)
        if operator == "*":
            for operand, times in ((left, right), (right, left)):
                if (
                    isinstance(operand, (str, list, tuple))
                    and isinstance(times, int)
                    and len(operand) * times > self._most
                ):
                    # A text may be as long as any; a list of so many values is beyond every limit.
                    self._bound(len(operand) * times * (1 if isinstance(operand, str) else MAX_CHARACTERS))
        elif operator == "**" and type(left) is int and abs(left) > 1 and right >= 64:
            raise OverBudget("a number is too big")
        elif operator == "%" and isinstance(left, str):
            self._check("format", left, right if isinstance(right, tuple) else (right,), {})
        return self.limited(self.binop_table[operator](left, right))

    def _check(self, name: str, value: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Count what a filter or a method reads, and refuse what would make too much."""
        if isinstance(value, (str, list, tuple, dict)):
            self.spend(len(value) // (_CHARACTERS_PER_STEP if isinstance(value, str) else 1))
        if name in _GROWING:
            self._bound(_max_growth(name, value, [*args, *kwargs.values()]))

    def _guarded(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a filter or test that is counted, or the function itself if nothing is."""
        if not self.counted:
            return function
        # some get the environment or a context of Jinja before their value
        given_by_jinja = 0 if _PassArg.from_obj(function) is None else 1

        @wraps(function)
        def guarded(*args: Any, **kwargs: Any) -> Any:
            self.spend(len(args))
            value, *arguments = args[given_by_jinja:]
            self._check(name, value, tuple(arguments), kwargs)
            return self.limited(function(*args, **kwargs))

        return guarded

    def _printed(self, value: Any) -> Any:
        """Return a value to be printed. Raises ``TemplateRuntimeError`` unless it is text, number or list."""
        kind = type(value)
        if kind is str or kind is Markup:
            self.spend(1 + len(value) // _CHARACTERS_PER_STEP)
            return value
        if value is None or kind in (int, float, bool) or isinstance(value, Undefined):
            return value
        if kind in _CONTAINERS:
            return self.limited(str(self.limited(value)))
        raise TemplateRuntimeError(f"{word_for(value)} cannot be printed")

    def concat(self, parts: Iterable[str]) -> str:
        """Join all parts; a generator is stopped at the line that exceeds the limit of the output."""
        is_whole = self._is_whole_output
        stop = self._stop if is_whole else Excess(self._longest, _TOO_LONG)
        self._is_whole_output = False  # what is joined while the parts are made is a block or a macro
        if not self.counted:
            return "".join(parts)
        texts: list[str] = []
        length = 0
        for text in parts:
            length += len(text)
            if length > stop.at:
                allowed = len(text) + stop.at - length
                problem = OverBudget(stop.message, lines=text.count("\n", 0, allowed))
                if isinstance(parts, GeneratorType):
                    parts.throw(problem)  # inside of the template, so that the traceback has its line
                raise problem
            texts.append(text)
        self._is_whole_output = is_whole
        self.spend(len(texts) + length // _CHARACTERS_PER_STEP)
        return "".join(texts)


class _Format(Formatter):
    """``str.format`` without attributes and wide fields; values are escaped in ``Markup``."""

    def __init__(self, text: str, sandbox: Sandbox) -> None:
        self._text = text
        self._sandbox = sandbox

    def __call__(self, *args: object, **kwargs: object) -> str:
        return type(self._text)(self.vformat(self._text, args, kwargs))

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        """Return the value that a field names. Raises ``SecurityError`` for attributes and items of it."""
        if "." in field_name or "[" in field_name:
            raise SecurityError(f"`{field_name}` is unsafe, and templates may not use it")
        key = int(field_name) if field_name.isdigit() else field_name
        value = self.get_value(key, args, kwargs)
        return value, field_name  # the name, by which the base class knows what was used

    def format_field(self, value: Any, format_spec: str) -> Any:
        """Format a value as its field says."""
        _refuse_width(format_spec)
        formatted = super().format_field(self._sandbox._printed(value), format_spec)
        self._sandbox.limited(formatted)
        if not isinstance(self._text, Markup):
            return formatted
        return escape(value if isinstance(value, Markup) else formatted)


def _refuse_width(written: str) -> None:
    if re.search(r"\d{4}", written):
        raise OverBudget("a text is too big: a field has a width of more than 999")


_GROWING = word_set(
    "batch center expandtabs format indent int join ljust replace rjust round slice striptags wordwrap zfill"
)


def _max_growth(name: str, value: Any, arguments: list[Any]) -> int:
    """Return an upper bound of the characters or values that a filter or method of that name creates."""
    number = max((abs(argument) for argument in arguments if isinstance(argument, int)), default=0)
    longest = max(
        (len(argument) for argument in arguments if isinstance(argument, (str, list, tuple))), default=0
    )
    text = value if isinstance(value, str) else ""
    if name == "indent":
        return (text.count("\n") + 1) * max(number, longest)
    if name == "replace":
        match [str(argument) for argument in arguments if isinstance(argument, str)]:
            case [replaced, replacement, *_]:
                return len(text) + text.count(replaced) * len(replacement)
        return len(text)
    if name == "join":  # the filter joins its value, the method what it is given
        return longest * len(value) if isinstance(value, (str, *_CONTAINERS)) else 0
    if name == "wordwrap":
        return len(text) * max(longest, 1)
    if name == "format":
        for written in re.findall(r"%[^a-zA-Z%]*", text):
            _refuse_width(written.replace("*", "0000"))  # `*` takes the width from a value
        values = [
            argument
            for item in arguments
            for argument in (item.values() if isinstance(item, dict) else [item])
        ]
        longest_value = max((len(str(value)) for value in values), default=0)
        return len(text) + text.count("%") * (1000 + longest_value)  # ``_refuse_width`` allows up to 999
    if name == "striptags":  # each comment is looked for to the end of the text, which takes time, not space
        return text.count("<!--") * len(text) // 100
    if name in ("round", "int"):  # powers of ten, and numbers of many digits
        return 2 * MAX_CHARACTERS if number > 1000 or len(text) > 1000 else 0
    return number  # the width of ``center``, ``ljust`` …; the number of values of ``batch``, of ``slice`` …


@pass_environment
def _attr(environment: Sandbox, value: Any, name: str) -> Any:
    """Return an attribute as a dot does; the filter ``attr`` of Jinja goes around ``getattr``."""
    return environment.getattr(value, str(name))


def _range(*limits: int) -> range:
    """Return a range of at most ``MAX_ITEMS`` numbers."""
    numbers = range(*limits)
    if len(numbers[: MAX_ITEMS + 1]) > MAX_ITEMS:
        raise OverBudget(f"the range is too big: more than {MAX_ITEMS:,} numbers")
    return numbers
