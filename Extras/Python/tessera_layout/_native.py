"""libtessera by ctypes: functions, structs, and statuses as exceptions."""

from __future__ import annotations

import ctypes
import os
import re
import threading
import weakref
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_double,
    c_int32,
    c_int64,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Type

BATCH_SCOPE, ITEM_SCOPE, SECTION_SCOPE = 2, 1, 0
NO_KIND = 0xFFFFFFFF
CATEGORIES = ("cell", "supplementary", "decoration")


class Error(Exception):
    """A host error: one sentence with what was found, what was expected and what to do."""

    #: libtessera's status, also the command's exit status.
    status: int = 70
    #: The host's code, such as "engineNotFound"; empty if raised by this package.
    code: str = ""


class MisusedError(Error):
    """An invalid call, for example from a callback or of a closed layout."""

    status = 64


class InvalidError(Error, ValueError):
    """An invalid name, value or count."""

    status = 65


class NotFoundError(Error, LookupError):
    """No such engine, library, file or element."""

    status = 66


class RefusedError(Error):
    """The engine refused the work, or the system lacks memory or files."""

    status = 69


class DiedError(Error):
    """The engine crashed, hung, exceeded a limit or broke the contract. The layout remains usable:
    the next query restarts the engine, except after three crashes within a minute.
    """

    status = 70


class CannotWriteError(Error):
    """A file cannot be written."""

    status = 73


class CancelledError(Error):
    """The progress function cancelled the call."""

    status = 75


class CannotLoadError(Error):
    """The file is not an engine library that the host can load."""

    status = 76


class NotAllowedError(Error):
    """The library is not allowed."""

    status = 77


_ERRORS: Dict[int, Type[Error]] = {error.status: error for error in Error.__subclasses__()}


def words(sentence: str) -> str:
    """Replaces C function names in a message by this package's."""
    sentence = sentence.replace("tessera_session_query_rect", "in_rect()").replace(
        "tessera_engines_list", "engines()"
    )
    sentence = sentence.replace(
        ", or for this session with tessera_session_set_time_limit", " or set(time_limit=…)"
    )
    return re.sub(r"tessera_engines_set_(\w+)", r"Host(\1=…)", sentence)


def error(status: int, message: Optional[bytes], code: Optional[bytes] = None) -> Error:
    """The exception for a status."""
    sentence = (message or b"").decode("utf-8", "replace")
    found = _ERRORS.get(status, Error)(words(sentence))
    found.code = (code or b"").decode()
    return found


class ArrowSchema(Structure):
    pass


class ArrowArray(Structure):
    pass


class ArrowArrayStream(Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", CFUNCTYPE(None, c_void_p)),
    ("private_data", c_void_p),
]
ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", CFUNCTYPE(None, c_void_p)),
    ("private_data", c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", c_void_p),
    ("get_next", c_void_p),
    ("get_last_error", c_void_p),
    ("release", CFUNCTYPE(None, c_void_p)),
    ("private_data", c_void_p),
]


class EngineInfo(Structure):
    _fields_ = [
        (name, c_char_p)
        for name in (
            "id",
            "name",
            "version",
            "author",
            "license",
            "summary",
            "library",
            "base",
            "shadowed_by",
        )
    ] + [("abi", c_uint32), ("traits", c_uint32)]


class Refusal(Structure):
    _fields_ = [
        ("file", c_char_p),
        ("reason", c_char_p),
        ("status", c_int32),
        ("seconds", c_uint32),
    ]


class ElementStruct(Structure):
    _fields_ = [
        ("category", c_int32),
        ("kind", c_uint32),
        ("section", c_uint64),
        ("item", c_uint64),
        ("x", c_double),
        ("y", c_double),
        ("width", c_double),
        ("height", c_double),
        ("alpha", c_double),
        ("z_index", c_int32),
        ("hidden", c_uint32),
        ("transform", c_double * 16),
    ]


class DeclarationStruct(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("help", c_char_p),
        ("type", c_char_p),
        ("unit", c_char_p),
        ("engine", c_char_p),
        ("fallback", c_char_p),
        ("components", c_uint32),
        ("choice_count", c_uint32),
        ("initial", c_double * 4),
        ("minimum", c_double * 4),
        ("maximum", c_double * 4),
        ("role", c_char_p),
        ("shows", c_char_p),
    ]


class ColumnsStruct(Structure):
    _fields_ = [
        ("count", c_uint64),
        ("run_count", c_uint64),
        ("runs", c_void_p),
        ("frames", c_void_p),
        ("transforms", c_void_p),
        ("alphas", c_void_p),
        ("z_indexes", c_void_p),
        ("hidden", c_void_p),
        ("content_width", c_double),
        ("content_height", c_double),
        ("offset_x", c_double),
        ("offset_y", c_double),
    ]


class BatchStruct(Structure):
    _fields_ = [
        ("count", c_uint64),
        ("ends", POINTER(c_uint64)),
        ("content_sizes", POINTER(c_double)),
        ("statuses", POINTER(c_int32)),
    ]


class EditStruct(Structure):
    _fields_ = [
        ("operation", c_int32),
        ("count", c_uint32),
        ("from_section", c_uint64),
        ("from_item", c_uint64),
        ("to_section", c_uint64),
        ("to_item", c_uint64),
    ]


DELEGATE = CFUNCTYPE(c_int32, c_void_p, POINTER(c_double), c_uint32, POINTER(c_double), c_uint32)
MEASURE = CFUNCTYPE(c_int32, c_void_p, c_uint64, c_uint64, POINTER(c_double), POINTER(c_double))
MEASURE_SUPPLEMENTARY = CFUNCTYPE(
    c_int32, c_void_p, c_char_p, c_uint64, POINTER(c_double), POINTER(c_double)
)
PROGRESS = CFUNCTYPE(c_int32, c_void_p, c_double)
SUPPLY = CFUNCTYPE(c_int32, c_void_p, c_void_p)

_doubles, _counts, _texts = POINTER(c_double), POINTER(c_uint64), POINTER(c_char_p)
_FUNCTIONS: List[Tuple[str, Any, List[Any]]] = [
    ("host_version", c_uint32, []),
    ("engines_create", c_void_p, []),
    ("engines_destroy", None, [c_void_p]),
    ("engines_message", c_char_p, [c_void_p]),
    ("engines_code", c_char_p, [c_void_p]),
    ("engines_add_folder", c_int32, [c_void_p, c_char_p]),
    ("engines_add_standard_folders", c_int32, [c_void_p]),
    ("engines_set_isolation", c_int32, [c_void_p, c_int32]),
    ("engines_require_full_sandbox", c_int32, [c_void_p, c_int32]),
    ("engines_set_refusal_time", c_int32, [c_void_p, c_uint32]),
    ("engines_set_worker", c_int32, [c_void_p, c_char_p]),
    ("engines_set_time_limit", c_int32, [c_void_p, c_double]),
    ("engines_set_memory_limit", c_int32, [c_void_p, c_uint64]),
    ("engines_set_kept_workers", c_int32, [c_void_p, c_uint32]),
    ("engines_set_row_limit", c_int32, [c_void_p, c_uint64]),
    ("engines_set_allowlist", c_int32, [c_void_p, c_char_p]),
    ("engines_list", c_int32, [c_void_p, _counts, _counts]),
    ("engines_get", c_int32, [c_void_p, c_uint64, POINTER(EngineInfo), c_uint64]),
    ("engines_get_refusal", c_int32, [c_void_p, c_uint64, POINTER(Refusal)]),
    ("session_create", c_int32, [c_void_p, c_char_p, POINTER(c_void_p)]),
    ("session_destroy", None, [c_void_p]),
    ("session_message", c_char_p, [c_void_p]),
    ("session_code", c_char_p, [c_void_p]),
    ("session_get_engine", c_int32, [c_void_p, POINTER(EngineInfo), c_uint64]),
    ("session_get_sandbox", c_char_p, [c_void_p]),
    ("session_reloads", c_int32, [c_void_p, _counts, POINTER(c_int32)]),
    ("session_reload_message", c_char_p, [c_void_p]),
    ("session_declaration_count", c_uint32, [c_void_p, c_int32]),
    (
        "session_get_declaration",
        c_int32,
        [c_void_p, c_int32, c_uint32, POINTER(DeclarationStruct), c_uint64],
    ),
    ("session_declared_choice", c_char_p, [c_void_p, c_int32, c_uint32, c_uint32]),
    ("session_set_time_limit", c_int32, [c_void_p, c_double]),
    ("session_refusal_time", c_int32, [c_void_p, POINTER(c_uint32)]),
    ("session_watch", c_int32, [c_void_p, POINTER(c_int32), POINTER(c_uint32)]),
    ("session_set_bounds", c_int32, [c_void_p, c_double, c_double]),
    ("session_set_offset", c_int32, [c_void_p, c_double, c_double]),
    ("session_set_content_insets", c_int32, [c_void_p] + [c_double] * 4),
    ("session_set_safe_area", c_int32, [c_void_p] + [c_double] * 4),
    ("session_set_layout_margins", c_int32, [c_void_p] + [c_double] * 4),
    ("session_set_scale", c_int32, [c_void_p, c_double]),
    ("session_set_direction", c_int32, [c_void_p, c_int32]),
    ("session_set_element_limit", c_int32, [c_void_p, c_uint64]),
    ("session_set_sections", c_int32, [c_void_p, _counts, c_uint64]),
    ("session_set_parameter", c_int32, [c_void_p, c_char_p, _doubles, c_uint32]),
    ("session_set_parameter_choice", c_int32, [c_void_p, c_char_p, c_char_p]),
    ("session_reset_parameter", c_int32, [c_void_p, c_char_p]),
    (
        "session_set_values",
        c_int32,
        [c_void_p, c_uint32, c_char_p, c_void_p, c_uint32, c_uint64, c_uint64],
    ),
    (
        "session_set_value_choices",
        c_int32,
        [c_void_p, c_uint32, c_char_p, _texts, c_uint64, c_uint64],
    ),
    (
        "session_splice_values",
        c_int32,
        [c_void_p, c_uint32, c_char_p, c_uint64, c_uint64, c_void_p, c_uint32, c_uint64, c_uint64],
    ),
    (
        "session_splice_value_choices",
        c_int32,
        [c_void_p, c_uint32, c_char_p, c_uint64, c_uint64, _texts, c_uint64, c_uint64],
    ),
    ("session_set_list", c_int32, [c_void_p, c_char_p, c_uint64]),
    (
        "session_set_list_column",
        c_int32,
        [c_void_p, c_char_p, c_char_p, c_void_p, c_uint32, c_uint64, c_uint64],
    ),
    (
        "session_set_list_choices",
        c_int32,
        [c_void_p, c_char_p, c_char_p, _texts, c_uint64, c_uint64],
    ),
    ("session_set_values_arrow", c_int32, [c_void_p, c_uint32, c_char_p, c_void_p, c_void_p]),
    ("session_set_delegate", c_int32, [c_void_p, c_char_p, DELEGATE, c_void_p]),
    ("session_set_measure", c_int32, [c_void_p, MEASURE, c_void_p]),
    ("session_set_measure_supplementary", c_int32, [c_void_p, MEASURE_SUPPLEMENTARY, c_void_p]),
    ("session_set_measured", c_int32, [c_void_p, c_char_p, c_uint64, c_uint64, _doubles, c_uint64]),
    ("session_withdraw_measured", c_int32, [c_void_p, c_char_p, c_uint64, c_uint64, c_uint64]),
    (
        "session_proposed_size",
        c_int32,
        [c_void_p, c_char_p, c_uint64, c_uint64, _doubles, _doubles],
    ),
    ("session_drag_begin", c_int32, [c_void_p, c_uint64, c_uint64]),
    ("session_drag_to", c_int32, [c_void_p, c_double, c_double, _counts, _counts]),
    ("session_drag_held", c_int32, [c_void_p, POINTER(ElementStruct), c_uint64]),
    ("session_drag_end", c_int32, [c_void_p, POINTER(EditStruct), _counts]),
    ("session_drag_cancel", c_int32, [c_void_p]),
    ("session_set_progress", c_int32, [c_void_p, PROGRESS, c_void_p]),
    ("session_content_size", c_int32, [c_void_p, _doubles, _doubles]),
    ("session_prepare_begin", c_int32, [c_void_p, POINTER(c_int32)]),
    ("session_prepare_finish", c_int32, [c_void_p]),
    ("session_offset", c_int32, [c_void_p, _doubles, _doubles]),
    (
        "session_query_rect",
        c_int32,
        [c_void_p] + [c_double] * 4 + [c_void_p, c_uint64, c_uint64, _counts],
    ),
    (
        "session_query_drawn",
        c_int32,
        [c_void_p] + [c_double] * 5 + [c_void_p, c_uint64, c_uint64, _counts],
    ),
    ("session_query_viewport", c_int32, [c_void_p, c_void_p, c_uint64, c_uint64, _counts]),
    ("session_query_all", c_int32, [c_void_p, c_void_p, c_uint64, c_uint64, _counts]),
    (
        "session_query_batch",
        c_int32,
        [
            c_void_p,
            _counts,
            _doubles,
            c_uint64,
            POINTER(ColumnsStruct),
            c_uint64,
            POINTER(BatchStruct),
            c_uint64,
        ],
    ),
    ("session_set_batch_columns", c_int32, [c_void_p, _texts, c_uint64]),
    ("session_set_batch_parameter_arrow", c_int32, [c_void_p, c_char_p, c_void_p, c_void_p]),
    ("session_batch_part", c_int32, [c_void_p, _counts, _counts]),
    ("session_batch_message", c_char_p, [c_void_p, c_uint64]),
    ("session_batch_code", c_char_p, [c_void_p, c_uint64]),
    ("session_export", c_int32, [c_void_p, POINTER(ArrowSchema), POINTER(ArrowArray)]),
    (
        "arrow_share",
        c_int32,
        [POINTER(ArrowArray), POINTER(ArrowSchema), POINTER(ArrowArray), POINTER(ArrowArrayStream)],
    ),
    ("session_kind_name", c_char_p, [c_void_p, c_uint32]),
    ("session_find_at", c_int32, [c_void_p, c_double, c_double, POINTER(ElementStruct), c_uint64]),
    (
        "session_find_next",
        c_int32,
        [c_void_p, c_uint64, c_uint64, c_int32, POINTER(ElementStruct), c_uint64],
    ),
    (
        "session_offset_revealing",
        c_int32,
        [c_void_p, c_uint64, c_uint64, c_int32, _doubles, _doubles],
    ),
    ("session_needs", c_uint32, [c_void_p]),
    ("session_resting_offset", c_int32, [c_void_p] + [c_double] * 4 + [_doubles, _doubles]),
    ("session_call", c_int32, [c_void_p, c_char_p, _doubles, c_uint32, _doubles, c_uint32]),
    (
        "session_update",
        c_int32,
        [c_void_p, POINTER(EditStruct), c_uint64, _counts, c_uint64, SUPPLY, c_void_p, _counts],
    ),
    (
        "session_update_visible",
        c_int32,
        [c_void_p, POINTER(EditStruct), c_uint64, _counts, c_uint64, SUPPLY, c_void_p, _counts],
    ),
    (
        "session_update_identities",
        c_int32,
        [c_void_p, _texts, _texts, _counts, c_uint64, SUPPLY, c_void_p, _counts],
    ),
    (
        "session_copy_tracks",
        c_int32,
        [
            c_void_p,
            c_uint64,
            POINTER(ElementStruct),
            POINTER(ElementStruct),
            POINTER(c_uint32),
            c_uint64,
            c_uint64,
            _counts,
        ],
    ),
    ("session_take_moment", c_int32, [c_void_p, POINTER(c_void_p)]),
    ("session_take_animated_moment", c_int32, [c_void_p, c_double, POINTER(c_void_p)]),
    ("moment_destroy", None, [c_void_p]),
    ("session_transition", c_int32, [c_void_p, c_void_p, _counts]),
    ("session_moment_tracks", c_int32, [c_void_p, c_double, _counts, c_uint64, _counts]),
    (
        "session_query_moment",
        c_int32,
        [c_void_p, c_double, POINTER(ElementStruct), c_uint64, c_uint64, _counts],
    ),
]

#: Required minor version of libtessera.
_MINOR = 1


def packaged(path: str) -> Optional[str]:
    """A file in the package's prefix, or None."""
    found = Path(__file__).resolve().parent / "prefix" / path
    return str(found) if found.exists() else None


class Library:
    """The functions of libtessera, without their prefix."""

    def __init__(self) -> None:
        path = (
            os.environ.get("TESSERA_LIBRARY")
            or packaged("lib/libtessera.so.1")
            or "libtessera.so.1"
        )
        try:
            library = ctypes.CDLL(path)
        except OSError as failure:
            raise ImportError(
                f"libtessera cannot be loaded: {failure}; install tessera-layout, or set"
                " TESSERA_LIBRARY to the path of libtessera.so.1"
            ) from None
        version = getattr(library, "tessera_host_version")
        version.restype = c_uint32
        found = version()
        if found >> 16 != 1 or found & 0xFFFF < _MINOR:
            raise ImportError(
                f"{path} has version {found >> 16}.{found & 0xFFFF}; this package needs 1.{_MINOR}"
                " or a later 1.x"
            )
        for name, result, arguments in _FUNCTIONS:
            function = getattr(library, f"tessera_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"this package does not use tessera_{name}")


library = Library()


def text(found: Optional[bytes]) -> str:
    """Decodes a text; empty for null."""
    return (found or b"").decode("utf-8", "replace")


# ---------------------------------------------------------------- forks

_locks: "weakref.WeakSet[Any]" = weakref.WeakSet()


def lock() -> Any:
    """A lock that is free after a fork, unless the forking thread holds it: other threads are
    gone.
    """
    made = threading.RLock()
    _locks.add(made)
    return made


def _open_locks() -> None:
    for one in list(_locks):
        if not one._is_owned():
            one._at_fork_reinit()


os.register_at_fork(after_in_child=_open_locks)

# ---------------------------------------------------------------- capsules

_python = ctypes.PyDLL(None)
_new_capsule = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(
    ("PyCapsule_New", _python)
)
_capsule_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(
    ("PyCapsule_GetPointer", _python)
)
# A dying capsule must not get another reference.
_dying_pointer = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _python))
_capsuled: Dict[int, Any] = {}
_DESTRUCTOR = CFUNCTYPE(None, c_void_p)


def _destructor(name: bytes) -> Any:
    def destroy(capsule: int) -> None:
        struct = _capsuled.pop(_dying_pointer(capsule, name), None)
        if struct is not None and struct.release:
            struct.release(ctypes.addressof(struct))

    return _DESTRUCTOR(destroy)


_destructors = {
    name: _destructor(name) for name in (b"arrow_schema", b"arrow_array", b"arrow_array_stream")
}


def capsule(struct: Structure, name: bytes) -> Any:
    """An Arrow PyCapsule, which releases unconsumed data."""
    address = ctypes.addressof(struct)
    _capsuled[address] = struct
    return _new_capsule(address, name, ctypes.cast(_destructors[name], c_void_p))


def capsule_address(given: Any, name: bytes) -> int:
    """A capsule's pointer."""
    return int(_capsule_pointer(given, name))
