"""Python source of expressions: whole numbers, names that are counted up here, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolkit.engine.fast.nodes import Node

DEEPEST = 8
"""So many expressions may lie within each other; what is deeper gets a name of its own."""

_SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_JOINED = {"and": " and ", "or": " or "}


class Block:
    """The statements that compute some expressions.

    What is used twice, or lies deep, is computed once and gets a name; ``names`` are those of enclosing
    functions, whose statements come first. Names count on from them.
    """

    def __init__(self, wanted: Sequence[Node], names: dict[Node, str], indent: str) -> None:
        self.names = names
        self.lines: list[str] = []
        self._indent = indent
        self._uses: dict[Node, int] = {}
        self._depth: dict[Node, int] = {}
        order = self._in_order(wanted)
        for node in order:
            self._visit(node)

    def _in_order(self, wanted: Sequence[Node]) -> list[Node]:
        """Every expression after its parts; how often each is used is counted on the way."""
        order: list[Node] = []
        waiting: list[tuple[Node, bool]] = [(node, False) for node in reversed(wanted)]
        seen: set[Node] = set()
        for node in wanted:
            self._uses[node] = self._uses.get(node, 0) + 1
        while waiting:
            node, ready = waiting.pop()
            if ready:
                order.append(node)
                continue
            if node in seen or node in self.names:
                continue
            seen.add(node)
            waiting.append((node, True))
            for part in reversed(node.parts):
                times = 2 if node.kind in ("max", "min") or node.name == "nearest" else 1
                self._uses[part] = self._uses.get(part, 0) + times
                waiting.append((part, False))
        return order

    def _visit(self, node: Node) -> None:
        depths = [self._depth.get(part, 0) for part in node.parts]
        self._depth[node] = 1 + max(depths, default=0)
        if node.kind in ("constant", "input"):
            self._depth[node] = 0
        elif self._uses[node] > 1 or self._depth[node] > DEEPEST:
            self.name(node)

    def name(self, node: Node) -> str:
        """The name of an expression, which is computed now if it has none."""
        if node in self.names or node.kind in ("constant", "input"):
            return self.text(node)
        name = f"v{len(self.names)}"
        self.lines += [self._indent + line for line in self._assign(name, node)]
        self.names[node] = name
        self._depth[node] = 0
        return name

    def _assign(self, name: str, node: Node) -> Iterable[str]:
        """A sum's conditional terms are statements, so that one which does not count costs nothing."""
        if node.kind != "sum":
            return [f"{name} = {_bare(self.text(node))}"]
        terms = list(zip(node.parts, node.numbers[1:], strict=True))
        guarded = [part for part, factor in terms if factor == 1 and self._is_conditional(part)]
        rest = [(part, factor) for part, factor in terms if part not in guarded]
        lines = [f"{name} = {self._sum(node.numbers[0], rest)}"]
        for part in guarded:
            condition, then, _ = part.parts
            lines += [f"if {self.text(condition)}:", f"    {name} += {self.text(then)}"]
        return lines

    def _is_conditional(self, part: Node) -> bool:
        return part.kind == "choose" and part not in self.names and part.parts[2].constant == 0

    def _sum(self, constant: int, terms: Sequence[tuple[Node, int]]) -> str:
        words: list[str] = [] if constant == 0 and terms else [f"{constant:d}"]
        for part, factor in sorted(terms, key=lambda term: -term[1]):
            times = "" if abs(factor) == 1 else f"{abs(factor):d} * "
            words.append(f"{'-' if factor < 0 else '+'} {times}{self.text(part)}")
        return " ".join(words).removeprefix("+ ")

    def text(self, node: Node) -> str:
        """An expression as source; in brackets unless it is a name or a number."""
        found = self.names.get(node)
        if found is not None:
            return found
        if node.kind == "constant":
            truth = node.least is None
            return str(bool(node.numbers[0])) if truth else _number(node.numbers[0])
        if node.kind == "input":
            return node.name
        return f"({self._operation(node)})"

    def _operation(self, node: Node) -> str:
        parts = [self.text(part) for part in node.parts]
        match node.kind:
            case "sum":
                return self._sum(node.numbers[0], list(zip(node.parts, node.numbers[1:], strict=True)))
            case "product":
                return f"{parts[0]} * {parts[1]}"
            case "quotient":
                return _quotient(node.name, parts[0], parts[1])
            case "shift":
                return f"{parts[0]} << {parts[1]}"
            case "choose":
                return f"{parts[1]} if {parts[0]} else {parts[2]}"
            case "max" | "min":
                sign = ">" if node.kind == "max" else "<"
                return f"{parts[0]} if {parts[0]} {sign} {node.numbers[0]:d} else {node.numbers[0]:d}"
            case "compare":
                return f"{parts[0]} {_SIGNS[node.name]} {parts[1]}"
            case "not":
                return f"not {parts[0]}"
            case _:
                return _JOINED[node.kind].join(parts)


def _number(value: int) -> str:
    return f"{value:d}" if value >= 0 else f"({value:d})"


def _bare(text: str) -> str:
    """Without the brackets around the whole."""
    return text[1:-1] if text.startswith("(") else text


def _quotient(rounding: str, dividend: str, divisor: str) -> str:
    """As ``engine.numbers.rounded``."""
    if rounding == "down":
        return f"{dividend} // {divisor}"
    if rounding == "up":
        return f"-(-{dividend} // {divisor})"
    return f"(2 * {dividend} + {divisor}) // (2 * {divisor})"
