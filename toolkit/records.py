"""Dataclasses that cost little to make: a program that starts anew for each check makes a hundred of them.

The standard decorator compiles source for up to eight methods of each class, which takes a fifth of the time
of a whole check. Here an ``__init__`` is compiled once for all classes with as many fields, and gets the
names of the fields afterwards; the other methods are plain functions over the values of the fields.
Everything else is as in ``dataclasses``: fields, ``replace``, equality, hashes, what is frozen, pickles and
copies. A class that inherits from one of these is made by this decorator too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import _FIELD, MISSING, Field, FrozenInstanceError, field, fields  # type: ignore[attr-defined]
from functools import cache
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

Fields = dict[str, Field[Any]]
Values = Callable[[Any], tuple[Any, ...]]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True) -> Callable[[type], type]:
        """The decorator, with the options of the standard one that are used here; ``slots`` is always on."""
        assert slots

        def made(cls: type) -> type:
            inherited: Fields = {}
            for base in cls.__mro__[:0:-1]:
                inherited |= getattr(base, "__dataclass_fields__", {})
            own = _own_fields(cls)
            every = inherited | own
            body = {
                key: value for key, value in vars(cls).items() if key not in own and key not in _WITHOUT_SLOTS
            }
            _add_methods(body, every, frozen, eq)
            body["__dataclass_fields__"] = every
            body["__match_args__"] = tuple(every)
            body["__qualname__"] = cls.__qualname__
            body["__slots__"] = tuple(name for name in own if name not in inherited)
            new = type(cls)(cls.__name__, cls.__bases__, body)
            if "__init__" not in body:
                new.__init__ = _init(new, every, frozen)
            return new

        return made


def _own_fields(cls: type) -> Fields:
    """The fields that a class names itself."""
    found: Fields = {}
    for name, kind in cls.__annotations__.items():
        if "ClassVar" in str(kind):
            continue
        default = vars(cls).get(name, MISSING)
        one: Any = default if isinstance(default, Field) else field(default=default)
        one.name, one.type, one.kw_only, one._field_type = name, kind, False, _FIELD
        found[name] = one
    return found


def _add_methods(body: dict[str, Any], every: Fields, frozen: bool, eq: bool) -> None:
    """The methods that a class has not written itself."""
    body.setdefault("__repr__", _repr)
    if frozen:
        body |= _OF_FROZEN
    if eq:
        values = _getter([one.name for one in every.values() if one.compare])
        body.setdefault("__eq__", _eq(values))
        if body.get("__hash__") is None:
            body["__hash__"] = _hash(values) if frozen else None


def _init(cls: Any, every: Fields, frozen: bool) -> Callable[..., None]:
    """The ``__init__`` of a class: one that was compiled for others too, under the names of these fields."""
    defaults = []
    for name, one in every.items():
        if one.default_factory is not MISSING or one.default is not MISSING:
            defaults.append(one.default)
        elif defaults:
            raise TypeError(f"non-default argument {name!r} follows default argument")
    news = tuple(one.default_factory for one in every.values())
    then = hasattr(cls, "__post_init__")
    sorts = tuple(new is not MISSING for new in news)
    setters = [getattr(cls, name).__set__ for name in every] if frozen else []
    init = _template(sorts, frozen, then)(*setters, *(new for new in news if new is not MISSING), MISSING)
    names = tuple(every)
    code = init.__code__.replace(co_varnames=("self", *names))
    if not frozen:
        code = code.replace(co_names=(*names, *code.co_names[len(names) :]))
    renamed = FunctionType(code, {}, "__init__", tuple(defaults), init.__closure__)
    renamed.__qualname__ = f"{cls.__qualname__}.__init__"
    return renamed


@cache
def _template(sorts: tuple[bool, ...], frozen: bool, then: bool) -> Callable[..., FunctionType]:
    """What gives an ``__init__`` for so many fields; of a sort that is true new values are made.

    What is frozen is set through its slots: the class itself refuses.
    """
    numbers = range(len(sorts))
    values = [
        f"new_{n}() if field_{n} is MISSING else field_{n}" if sorts[n] else f"field_{n}" for n in numbers
    ]
    lines = [f"set_{n}(self, {values[n]})" if frozen else f"self.field_{n} = {values[n]}" for n in numbers]
    lines += ["self.__post_init__()"] if then else []
    outer = [f"set_{n}" for n in numbers] if frozen else []
    outer += [f"new_{n}" for n in numbers if sorts[n]]
    inner = ["self", *(f"field_{n}" for n in numbers)]
    source = f"""
def make({", ".join([*outer, "MISSING"])}):
    def __init__({", ".join(inner)}):
        {"; ".join(lines) or "pass"}
    return __init__
"""
    known: dict[str, Any] = {}
    exec(source, known)
    make: Callable[..., FunctionType] = known["make"]
    return make


def _getter(names: Sequence[str]) -> Values:
    """What gives the values of these fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _eq(values: Values) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Values) -> Callable[[Any], int]:
    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_setting(self: object, name: str, value: object) -> None:  # noqa: ARG001 what Python calls
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:  # noqa: ARG001 what Python calls
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_WITHOUT_SLOTS = ("__dict__", "__weakref__")
_OF_FROZEN = {
    "__setattr__": _refuse_setting,
    "__delattr__": _refuse_deleting,
    "__getstate__": _get_state,
    "__setstate__": _set_state,
}
