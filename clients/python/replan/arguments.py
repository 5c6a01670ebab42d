"""Arguments become fields of messages. One that its field cannot hold is refused by name and limit.

Protobuf by itself takes None for "absent" and NaN for a number, and of the rest its errors name no field. What a
field can hold but the daemon does not allow is refused by the daemon, in the same form.
"""

import functools
import math
import numbers
import operator
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar, Union

from google.protobuf.descriptor import Descriptor, FieldDescriptor as _Field
from google.protobuf.message import Message

from .errors import ReplanError

M = TypeVar("M", bound=Message)
Point = Sequence[float]  # (x, y) in metres
Cell = Sequence[int]  # (x, y)
Octets = Union[bytes, bytearray, memoryview, Iterable[int]]  # an array of numpy or of array, too

_WHOLE = {
    _Field.TYPE_UINT32: (0, 2**32 - 1), _Field.TYPE_FIXED32: (0, 2**32 - 1),
    _Field.TYPE_UINT64: (0, 2**64 - 1), _Field.TYPE_FIXED64: (0, 2**64 - 1),
    _Field.TYPE_INT32: (-2**31, 2**31 - 1), _Field.TYPE_SINT32: (-2**31, 2**31 - 1),
    _Field.TYPE_INT64: (-2**63, 2**63 - 1), _Field.TYPE_SINT64: (-2**63, 2**63 - 1),
    _Field.TYPE_ENUM: (-2**31, 2**31 - 1),
}
_REAL = (_Field.TYPE_DOUBLE, _Field.TYPE_FLOAT)
_SHOWN_MAX = 80  # characters of a value in a sentence


def made(kind: type[M], /, **fields: object) -> M:
    """A message of this kind, of checked fields."""
    return fill(kind(), **fields)


def fill(message: M, /, **fields: object) -> M:
    """Set fields of a message, checked. None leaves a field of a oneof, or a message, as it is."""
    about = message.DESCRIPTOR
    for name, value in fields.items():
        _putter(about, name)(message, value)
    return message


def message_of(kind: type[M], name: str, value: object) -> M:
    """A message of this kind: a copy of one, or of the dict of its fields."""
    if isinstance(value, kind):
        copy = kind()
        copy.CopyFrom(value)
        return copy
    if isinstance(value, dict):
        return made(kind, **{str(key): entry for key, entry in value.items()})
    raise wrong(name, value, f"a {kind.DESCRIPTOR.full_name} or a dict of its fields")


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number."""
    if type(value) is int and least <= value <= most:  # as most are
        return value
    try:
        number = operator.index(value)
    except TypeError:
        raise wrong(name, value, f"a whole number within {least} and {most}") from None
    if isinstance(value, bool) or not least <= number <= most:
        raise wrong(name, value, f"a whole number within {least} and {most}")
    return number


def byte(name: str, value: object) -> int:
    """What a cell may hold."""
    return whole(name, value, 0, 255)


def real(name: str, value: Any, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number."""
    if type(value) is float:  # as most are: to look whether it is a number takes longer than all else
        number = value
    else:
        is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
        try:
            number = float(value) if is_number else math.nan
        except OverflowError:
            number = math.inf
    if not math.isfinite(number) or not least <= number <= most:
        limits = "" if math.isinf(most) else f" within {least} and {most}"
        raise wrong(name, value, f"a finite number{limits}")
    return number


def truth(name: str, value: object) -> bool:
    """True or False."""
    if type(value).__name__ in ("bool", "bool_") or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    raise wrong(name, value, "True or False")


def text(name: str, value: object) -> str:
    """A string that has an encoding."""
    if type(value) is str and value.isascii():  # as most are
        return value
    if not isinstance(value, str):
        raise wrong(name, value, "a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise wrong(name, value, "a string that UTF-8 can hold, without lone surrogates") from None
    return value


def octets(name: str, value: Any) -> bytes:
    """Bytes, whatever holds them."""
    try:
        if isinstance(value, (int, str)) or memoryview(value).itemsize != 1:
            raise wrong(name, value, "bytes")
    except TypeError:
        pass  # no buffer: perhaps a list of numbers
    try:
        return bytes(value)
    except (TypeError, ValueError, OverflowError):
        raise wrong(name, value, "bytes, each within 0 and 255") from None


def entries(name: str, value: Any) -> list[Any]:
    """A list of what a string is not."""
    if isinstance(value, (str, bytes)):
        raise wrong(name, value, "a list")
    try:
        return list(value)
    except TypeError:
        raise wrong(name, value, "a list") from None


def numbers_of(name: str, value: Any, counts: Collection[int], form: str) -> list[float]:
    """So many finite numbers, as a place has.

    counts: how many there may be. form: how to write them.
    """
    try:
        found = list(value)
    except TypeError:
        found = []
    if len(found) not in counts or isinstance(value, (str, bytes)):
        raise wrong(name, value, form)
    return [real(f"{name}[{i}]", number) for i, number in enumerate(found)]


def point(name: str, value: object) -> list[float]:
    """x, y in metres."""
    return numbers_of(name, value, (2,), "(x, y) in metres")


def points(name: str, value: object) -> tuple[list[float], list[float]]:
    """The x and the y of a list of points."""
    found = [point(f"{name}[{i}]", entry) for i, entry in enumerate(entries(name, value))]
    return [x for x, _ in found], [y for _, y in found]


def cells(name: str, value: object) -> list[tuple[int, int]]:
    """A list of cells (x, y)."""
    found = []
    for i, entry in enumerate(entries(name, value)):
        pair = entries(f"{name}[{i}]", entry)
        if len(pair) != 2:
            raise wrong(f"{name}[{i}]", entry, "a cell (x, y)")
        x, y = (whole(f"{name}[{i}]", number, -2**31, 2**31 - 1) for number in pair)
        found.append((x, y))
    return found


def names(name: str, value: object) -> list[str]:
    """One string, or a list of them; none for None."""
    several = [value] if isinstance(value, str) else () if value is None else value
    return [text(f"{name}[{i}]", entry) for i, entry in enumerate(entries(name, several))]


def wrong(name: str, value: object, form: str) -> ReplanError:
    """The refusal of a value that is not of the form it must have."""
    shown = repr(value)
    shown = shown if len(shown) <= _SHOWN_MAX else shown[:_SHOWN_MAX] + ".."
    return invalid(name, f"is {shown}, it must be {form}")


def invalid(name: str, words: str) -> ReplanError:
    return ReplanError("INVALID", f"{name} {words}")


@functools.cache
def _word(about: Descriptor) -> str:
    """What the daemon calls a message in its refusals: CreateWorld is create_world."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", about.name).lower()


@functools.cache
def _putter(about: Descriptor, name: str) -> Callable[[Message, Any], None]:
    """What puts a value into a field of such messages, checked."""
    field, full = about.fields_by_name.get(name), f"{_word(about)}.{name}"
    if field is None:
        raise invalid(full, f"is no field of {about.full_name}, which has " + ", ".join(about.fields_by_name))
    check, may_lack = _checker(field), field.containing_oneof is not None or field.message_type is not None

    def put_all(message: Message, value: Any) -> None:
        checked = [check(f"{full}[{i}]", entry) for i, entry in enumerate(entries(full, value))]
        message.ClearField(name)
        getattr(message, name).extend(checked)

    def put_message(message: Message, value: Any) -> None:
        if value is not None:
            getattr(message, name).CopyFrom(check(full, value))

    def put_one(message: Message, value: Any) -> None:
        if value is not None or not may_lack:
            setattr(message, name, check(full, value))

    if field.label == _Field.LABEL_REPEATED:
        return put_all
    return put_one if field.message_type is None else put_message


def _checker(field: _Field) -> Callable[[str, Any], Any]:
    """What checks a value of a field, by its name."""
    if field.type in _WHOLE:
        least, most = _WHOLE[field.type]
        return lambda name, value: whole(name, value, least, most)
    if field.type in _REAL:
        return real
    if field.type == _Field.TYPE_BOOL:
        return truth
    if field.type == _Field.TYPE_STRING:
        return text
    if field.type == _Field.TYPE_BYTES:
        return octets
    kind: type[Message] = field.message_type._concrete_class
    return lambda name, value: value if type(value) is kind else message_of(kind, name, value)
