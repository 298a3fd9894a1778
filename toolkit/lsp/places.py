"""What stands at a place of a file: the keys that lead there, and the scalar."""

from __future__ import annotations

from msgspec import Struct

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence


class Place(Struct, frozen=True):
    """A scalar of a tree, in its entry. ``path`` leads to it, for a key to the mapping around it."""

    path: tuple[str | int, ...]
    scalar: Scalar
    is_key: bool
    entry: Mapping | None


def place_at(root: Node | None, offset: int) -> Place | None:
    """The scalar that an offset touches, or None between them."""
    path: list[str | int] = []
    node, entry = root, None
    while node is not None and not isinstance(node, Scalar):
        if len(path) == 2 and isinstance(node, Mapping):
            entry = node
        if isinstance(node, Mapping):
            found = _in_mapping(node, offset)
            if isinstance(found, Scalar):
                return Place(tuple(path), found, True, entry)
            if found is None:
                return None
            step: str | int = found[0]
            node = found[1]
        else:
            step, node = _in_list(node, offset)
        path.append(step)
    if node is None or not node.start <= offset <= node.end:
        return None
    return Place(tuple(path), node, False, entry)


def _in_mapping(node: Mapping, offset: int) -> Scalar | tuple[str, Node] | None:
    """The key at an offset, or the value around it with its key."""
    for name, key in node.keys.items():
        if key.start <= offset <= key.end:
            return key
        value = node.nodes[name]
        if value.start <= offset <= value.end:
            return name, value
    return None


def _in_list(node: Sequence, offset: int) -> tuple[int, Node | None]:
    for index, item in enumerate(node.items):
        if item.start <= offset <= item.end:
            return index, item
    return 0, None
