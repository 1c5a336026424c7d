"""When a command starts again with huge pages."""

import pytest

from eventssm.cli._huge_pages import useful


@pytest.mark.parametrize(
    ("environment", "pages", "libc", "want"),
    [
        ({}, "always [madvise] never", ("glibc", "2.36"), True),
        ({}, "[always] madvise never", ("glibc", "2.36"), False),
        ({}, "always [madvise] never", ("glibc", "2.31"), False),
        ({}, "always [madvise] never", ("", ""), False),
        ({}, None, ("glibc", "2.36"), False),
        ({"GLIBC_TUNABLES": "glibc.malloc.hugetlb=0"}, "always [madvise] never", ("glibc", "2.36"), False),
        ({"EVENTSSM_HUGE_PAGES": "off"}, "always [madvise] never", ("glibc", "2.36"), False),
    ],
)
def test_only_where_it_changes_something(tmp_path, monkeypatch, environment, pages, libc, want):
    monkeypatch.setattr("sys.platform", "linux")
    state = tmp_path / "enabled"
    if pages is not None:
        state.write_text(pages)
    assert useful(environment, state, libc) is want
