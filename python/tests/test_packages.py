"""What is in the wheel and in the source package, where scripts/wheel-test has built them."""

import email
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHEEL, SOURCE = os.environ.get("KT_ENUM_WHEEL"), os.environ.get("KT_ENUM_SOURCE")


@pytest.mark.skipif(not WHEEL, reason="scripts/wheel-test builds it")
def test_a_wheel_has_its_licences_and_says_what_it_is():
    with zipfile.ZipFile(WHEEL) as wheel:
        names = wheel.namelist()
        [metadata] = [name for name in names if name.endswith(".dist-info/METADATA")]
        said = email.message_from_bytes(wheel.read(metadata))
        licences = [name for name in names if ".dist-info/" in name and "LICENSE-" in name]
        # The library of a fast build has the paths of its source.
        paths = [name for name in names if not name.endswith(".so") and str(ROOT).encode() in wheel.read(name)]
        texts = [wheel.read(name).decode() for name in sorted(licences)]
    assert texts == [(ROOT / name).read_text() for name in ("LICENSE-APACHE", "LICENSE-MIT")]
    authors = said["Author"] or said["Author-email"]
    assert authors in (ROOT / "Cargo.toml").read_text() and said["License-Expression"] == "MIT OR Apache-2.0"
    assert set(said.get_all("Provides-Extra")) == {"numpy", "networkx", "tqdm", "all"}
    assert said.get_all("Project-URL") and "Typing :: Typed" in said.get_all("Classifier")
    assert said["Requires-Python"] == ">=3.9" and not said.get_all("Requires-External")
    assert said.get_payload(decode=True).decode().strip() == (ROOT / "python/README.md").read_text().strip()
    assert {"kt_enum/__init__.pyi", "kt_enum/py.typed"} < set(names)
    assert not paths and not [name for name in names if "test" in name or "results" in name]


@pytest.mark.skipif(not SOURCE, reason="scripts/wheel-test builds it")
def test_a_source_package_has_what_a_build_needs_and_no_results():
    with tarfile.open(SOURCE) as source:
        names = [name.split("/", 1)[1] for name in source.getnames()]
    assert not [name for name in names if name.startswith("results/") or "/results/" in name]
    needed = ["Cargo.toml", "Cargo.lock", "pyproject.toml", "LICENSE-MIT", "src/lib.rs", "crates/board/src/lib.rs", "python/src/lib.rs"]
    assert set(needed) < set(names)
    assert Path(SOURCE).stat().st_size < 5_000_000
