"""Maps from files, by the reader of repland: libreplan-files.so, beside this module."""

import ctypes
import os
from typing import NamedTuple, Union

from . import arguments
from .errors import ReplanError

_LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libreplan-files.so")
_PROFILES = ("factor", "costmap")
_MEMORY = -2


class Map(NamedTuple):
    """What Client.create_world() needs to know of a map."""

    width: int
    height: int
    data: bytes  # row by row [width * height]; cell (0, 0) is the first
    profile: str  # "factor", or "costmap" of a YAML
    resolution: float  # metres a cell
    origin: tuple[float, float, float]  # x, y, yaw of the corner of cell (0, 0)


class _Frame(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("resolution", "x", "y", "yaw")]


class _Map(ctypes.Structure):
    """rp_map_t of files/map.h."""

    _fields_ = [("width", ctypes.c_uint32), ("height", ctypes.c_uint32), ("data", ctypes.c_void_p),
                ("profile", ctypes.c_int), ("frame", _Frame)]


def read_map(path: Union[str, bytes, "os.PathLike[str]"]) -> Map:
    """A Map of a file: MovingAI .map, PNG, PGM, rows of . and #, or the YAML of a map_server with its picture.

    path: a string, bytes or a path object; "-" is the standard input.
    ReplanError "INVALID" says why a file is refused, with its line or byte.
    """
    library = _load()
    read, sentence = _Map(), ctypes.create_string_buffer(512)
    status = library.rp_map_load(_name(path), ctypes.byref(read), sentence)
    if status == _MEMORY:
        raise MemoryError(os.fsdecode(sentence.value))
    if status != 0:
        raise ReplanError("INVALID", os.fsdecode(sentence.value))
    try:
        frame = read.frame
        return Map(read.width, read.height, ctypes.string_at(read.data, read.width * read.height),
                   _PROFILES[read.profile], frame.resolution, (frame.x, frame.y, frame.yaw))
    finally:
        library.rp_map_fini(ctypes.byref(read))


def _name(path: Union[str, bytes, "os.PathLike[str]"]) -> bytes:
    try:
        name = os.fsencode(path)
    except (TypeError, UnicodeError):
        raise arguments.wrong("path", path, "the name of a file") from None
    if b"\0" in name:
        raise arguments.wrong("path", path, "without a byte 0")
    return name


def _load() -> ctypes.CDLL:
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise ReplanError("UNSUPPORTED", f"this package has no reader of maps for this machine: {error}") from error
    library.rp_map_load.argtypes = (ctypes.c_char_p, ctypes.POINTER(_Map), ctypes.c_char_p)
    library.rp_map_load.restype = ctypes.c_int
    library.rp_map_fini.argtypes = (ctypes.POINTER(_Map),)
    library.rp_map_fini.restype = None
    return library
