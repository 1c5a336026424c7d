"""The compiled kernels, handed to XLA.

XLA calls a foreign function with a frame whose layout its C header fixes. The kernels are made for one
layout. Where the installed header has another one, or on other machines, they are not used.
"""

import functools
import os
import re
import struct
import sys
import warnings
from pathlib import Path

import jax

TARGET = "eventssm_kernels"
_SWITCH = "EVENTSSM_KERNELS"
_LAYOUT = {
    "Extension_Base": ("struct_size", "type", "next"),
    "Api_Version": ("struct_size", "extension_start", "major_version", "minor_version"),
    "Buffer": ("struct_size", "extension_start", "dtype", "data", "rank", "dims"),
    "Args": ("struct_size", "extension_start", "size", "types", "args"),
    "Rets": ("struct_size", "extension_start", "size", "types", "rets"),
    "Attrs": ("struct_size", "extension_start", "size", "types", "names", "attrs"),
    "CallFrame": ("struct_size", "extension_start", "api", "ctx", "stage", "args", "rets", "attrs"),
    "Metadata": ("struct_size", "api_version"),
    "Metadata_Extension": ("extension_base", "metadata"),
    "ThreadPool_Schedule_Args": ("struct_size", "extension_start", "ctx", "task", "data"),
    "ThreadPool_NumThreads_Args": ("struct_size", "extension_start", "ctx", "num_threads"),
    "Api": ("struct_size", "extension_start", "api_version", "internal_api"),
}
"""First fields of the structures that the kernels read, in order."""
_FUNCTIONS = (
    "Error_Create", "Error_GetMessage", "Error_Destroy", "Handler_Register", "Stream_Get", "Type_Register",
    "ExecutionContext_Get", "State_Set", "State_Get", "DeviceMemory_Allocate", "DeviceMemory_Free",
    "ThreadPool_Schedule", "ThreadPool_NumThreads",
)  # fmt: skip


@functools.cache
def available() -> bool:
    """Whether XLA's CPU programs can call the kernels; they are registered when this is first asked."""
    reason = kernels_unavailable()
    if reason is None:
        _register()
    elif os.environ.get(_SWITCH) != "0":
        warnings.warn(f"the slower forms without compiled kernels are used: {reason}", stacklevel=2)
    return reason is None


@functools.cache
def kernels_unavailable() -> str | None:
    """Why the kernels cannot be used; None where they can."""
    if os.environ.get(_SWITCH) == "0":
        return f"{_SWITCH}=0"
    if sys.platform not in ("linux", "darwin") or struct.calcsize("P") != 8 or sys.byteorder != "little":
        return f"they are not made for {sys.platform} on this machine"
    header = Path(jax.ffi.include_dir()) / "xla" / "ffi" / "api" / "c_api.h"
    if not header.is_file():
        return "the installed jaxlib has no header xla/ffi/api/c_api.h"
    return layout_differs(header.read_text())


def layout_differs(header: str) -> str | None:
    """In what XLA's C header differs from what the kernels are made for."""
    if not re.search(r"#define XLA_FFI_API_MAJOR 0\b", header):
        return "the installed XLA has another major version of its foreign function interface"
    if not re.search(r"#define XLA_FFI_API_MINOR \d+\b", header):
        return "the installed XLA states no minor version of its foreign function interface"
    for name, fields in _LAYOUT.items():
        found = _fields(header, name)
        if found[: len(fields)] != fields:
            return f"the installed XLA lays XLA_FFI_{name} out as {', '.join(found) or 'nothing'}"
    functions = tuple(re.findall(r"_XLA_FFI_API_STRUCT_FIELD\(XLA_FFI_(\w+)\);", header))
    if functions[: len(_FUNCTIONS)] != _FUNCTIONS:
        return "the installed XLA lists its functions in another order"
    stages = re.search(r"XLA_FFI_ExecutionStage_EXECUTE = 3\b", header)
    kinds = re.search(r"XLA_FFI_DataType_F64 = 12\b", header)
    return None if stages and kinds else "the installed XLA numbers stages or types otherwise"


def _fields(header: str, name: str) -> tuple[str, ...]:
    body = re.search(rf"(?:typedef )?struct XLA_FFI_{name} {{(.*?)}}", header, re.DOTALL)
    if body is None:
        return ()
    lines = re.sub(r"//[^\n]*|_XLA_FFI_API_STRUCT_FIELD\(\w+\);", "", body[1])
    return tuple(re.findall(r"(\w+);", lines))


def _register() -> None:
    from eventssm.kernels import handler

    jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(handler().ctypes), platform="cpu")
