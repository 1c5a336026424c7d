"""When the kernels are used, and that programs lower for every platform."""

from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

from eventssm.ssm import _native


@pytest.fixture(scope="module")
def header() -> str:
    return Path(jax.ffi.include_dir(), "xla", "ffi", "api", "c_api.h").read_text()


def test_the_installed_header_has_the_layout_that_the_kernels_read(header):
    assert _native.layout_differs(header) is None


@pytest.mark.parametrize(
    ("line", "instead", "complaint"),
    [
        ("#define XLA_FFI_API_MAJOR 0", "#define XLA_FFI_API_MAJOR 1", "another major version"),
        ("  int64_t rank;\n", "  int64_t flags;\n  int64_t rank;\n", "lays XLA_FFI_Buffer out as"),
        ("  XLA_FFI_ExecutionStage stage;\n", "", "lays XLA_FFI_CallFrame out as"),
        ("_XLA_FFI_API_STRUCT_FIELD(XLA_FFI_Stream_Get);", "", "functions in another order"),
        ("XLA_FFI_DataType_F64 = 12", "XLA_FFI_DataType_F64 = 13", "stages or types otherwise"),
    ],
)
def test_another_layout_is_told(header, line, instead, complaint):
    assert line in header
    assert complaint in (_native.layout_differs(header.replace(line, instead)) or "none")


def test_without_kernels_the_slower_form_is_used_and_told(monkeypatch):
    from eventssm.ssm._recurrence import recurrence

    functions = (_native.available, _native.kernels_unavailable)
    monkeypatch.setattr(_native, "layout_differs", lambda header: "the layout is another one")
    for function in functions:
        function.cache_clear()
    try:
        with pytest.warns(UserWarning, match="slower forms .* are used: the layout is another one"):
            assert not _native.available()
        ones = jnp.ones((3, 2))
        one = jnp.asarray(1, jnp.int32)
        text = str(jax.make_jaxpr(recurrence)(-ones, jnp.ones(1), jnp.ones((1, 2, 2)), one, ones[:2]))
        assert _native.TARGET not in text
    finally:
        for function in functions:
            function.cache_clear()


def test_kernels_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("EVENTSSM_KERNELS", "0")
    _native.kernels_unavailable.cache_clear()
    try:
        assert _native.kernels_unavailable() == "EVENTSSM_KERNELS=0"
    finally:
        _native.kernels_unavailable.cache_clear()
