"""The examples of the docstrings and of the guide, the notebook, and the types."""

import contextlib
import doctest
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import kt_enum
import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "python/examples"


def examples():
    """Yield the name, the text and the line of each docstring."""
    yield "kt_enum", kt_enum.__doc__
    for name in kt_enum.__all__:
        thing = getattr(kt_enum, name)
        yield name, inspect.getdoc(thing)
        for member in vars(thing) if inspect.isclass(thing) else ():
            if not member.startswith("_") and member not in getattr(thing, "_fields", ()):
                yield f"{name}.{member}", inspect.getdoc(getattr(thing, member))


def run(name, text):
    test = doctest.DocTestParser().get_doctest(text, {"kt_enum": kt_enum}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    said = []
    runner.run(test, out=said.append)
    assert not runner.failures, "".join(said)
    return len(test.examples)


def test_the_examples_of_docstrings_do_what_they_show():
    documented = {name: text for name, text in examples() if name != "__version__"}
    assert all(documented.values()), [name for name, text in documented.items() if not text]
    assert sum(run(name, text) for name, text in documented.items()) > 30


PAGE = (ROOT / "docs/python.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_of_the_guide_do_what_they_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(block for block in BLOCKS if block.startswith(">>>"))
    assert run("python.md", text) > 20
    assert len(PAGE.split()) <= 900


@pytest.mark.parametrize("package", ["concurrent.futures", "dask.distributed", "mpi4py.futures"])
def test_a_count_is_spread_as_the_guide_shows(package, monkeypatch):
    module = pytest.importorskip(package)
    [block] = [block for block in BLOCKS if not block.startswith(">>>")]
    first, *ways, last = block.split("\n\n")
    [way] = [way for way in ways if package in way]
    assert len(ways) == 3
    names = {"kt_enum": kt_enum, "shards": kt_enum.shards(6, tours="closed", of=4)}
    with contextlib.ExitStack() as stack:
        if package == "dask.distributed":
            options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
            cluster = stack.enter_context(module.LocalCluster(**options, memory_limit=None))
            client = stack.enter_context(module.Client(cluster))
            monkeypatch.setattr(module, "Client", lambda address: client)
        exec(f"{first}\n{way}", names)
    assert eval(last, names) == 9862


def test_every_public_name_has_a_signature_and_its_type():
    stubs = (Path(kt_enum.__file__).parent / "__init__.pyi").read_text()
    for name in kt_enum.__all__:
        assert re.search(rf"^(def|class) {name}\b|^{name}:", stubs, re.MULTILINE), name
        thing = getattr(kt_enum, name)
        if inspect.isbuiltin(thing):
            assert inspect.signature(thing).parameters, name


@pytest.mark.parametrize("command", [["mypy", "--strict"], ["pyright"]])
def test_type_checkers_accept_the_examples(command):
    pytest.importorskip(command[0])
    files = sorted(map(str, EXAMPLES.glob("*.py")))
    assert files
    checker = [sys.executable, "-m", *command, *files]
    done = subprocess.run(checker, capture_output=True, text=True, cwd=EXAMPLES, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.py")), ids=lambda file: file.name)
def test_the_examples_run(file):
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def printed(cell):
    texts = [output.get("text") or output["data"].get("text/plain", "") for output in cell.outputs]
    return "".join(map("".join, texts))


def test_the_notebook_runs_and_prints_what_it_shows(tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    shown = nbformat.read(EXAMPLES / "tours.ipynb", as_version=4)
    cells = [cell for cell in shown.cells if cell.cell_type == "code"]
    expected = [printed(cell) for cell in cells]
    pictures = [bool("image/svg+xml" in json.dumps(cell.outputs)) for cell in cells]
    assert any(expected) and any(pictures)
    kernel = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(shown, timeout=300, resources=kernel).execute()
    assert [printed(cell) for cell in cells] == expected
    assert [bool("image/svg+xml" in json.dumps(cell.outputs)) for cell in cells] == pictures
