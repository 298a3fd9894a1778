"""Dataclasses that cost little to make: a program that starts anew for each check makes a hundred of them.

The standard decorator compiles source for up to eight methods of each class, which takes a fifth of the time
of a whole check. Here only ``__init__`` is compiled, and only when the first object is made; the other
methods are plain functions over the values of the fields. Everything else is as in ``dataclasses``: fields,
``replace``, equality, hashes, what is frozen, pickles and copies. A class that inherits from one of these is
made by this decorator too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, fields
from dataclasses import dataclass as standard
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, slots: bool, frozen: bool = False, eq: bool = True) -> Callable[[type], type]:
        """The decorator, with the options of the standard one that are used here; ``slots`` is always on."""
        assert slots

        def made(cls: type) -> type:
            cls = standard(init=False, repr=False, eq=False, slots=True)(cls)
            cls.__init__ = _first_init(cls, frozen)
            cls.__repr__ = _repr
            if frozen:
                cls.__setattr__, cls.__delattr__ = _refuse_setting, _refuse_deleting
                cls.__getstate__, cls.__setstate__ = _get_state, _set_state
            if eq:
                values = _getter([one.name for one in fields(cls) if one.compare])
                cls.__eq__, cls.__hash__ = _eq(values), _hash(values) if frozen else None
            return cls

        return made


def _first_init(cls: Any, frozen: bool) -> Callable[..., None]:
    """An ``__init__`` that puts the compiled one in its place when it is called for the first time."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _compiled_init(cls, frozen)
        cls.__init__(self, *args, **kwargs)

    return __init__


def _compiled_init(cls: Any, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_MISSING": MISSING}
    parameters, lines = ["self"], []
    for one in fields(cls):
        parameter, value = _parameter(one, known)
        parameters.append(parameter)
        if frozen:
            known[f"_set_{one.name}"] = getattr(cls, one.name).__set__  # of the slot: the class refuses
            lines.append(f" _set_{one.name}(self, {value})")
        else:
            lines.append(f" self.{one.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), known)
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _parameter(one: Field[Any], known: dict[str, Any]) -> tuple[str, str]:
    """How a field is written as a parameter, and what it is set to; ``known`` gets its default."""
    name = one.name
    if one.default is not MISSING:
        known[f"_default_{name}"] = one.default
        return f"{name}=_default_{name}", name
    if one.default_factory is not MISSING:
        known[f"_new_{name}"] = one.default_factory
        return f"{name}=_MISSING", f"_new_{name}() if {name} is _MISSING else {name}"
    return name, name


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of these fields as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _eq(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, object], bool]:
    def __eq__(self: Any, other: object) -> bool:
        if other.__class__ is self.__class__:
            return values(self) == values(other)
        return NotImplemented

    return __eq__


def _hash(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
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
