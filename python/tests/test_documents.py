"""The examples of the docstrings and of the guide, the notebook, and the types."""

import contextlib
import doctest
import inspect
import json
import os
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


FUNCTIONS = [name for name in kt_enum.__all__ if inspect.isfunction(getattr(kt_enum, name))]
PAGE = (ROOT / "docs/python.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_examples_of_the_guide_do_what_they_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(block for block in BLOCKS if block.startswith(">>>"))
    assert run("python.md", text) > 20
    assert len(PAGE.split()) <= 1100


def test_the_examples_of_the_readme_do_what_they_show():
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "python/README.md").read_text(), re.DOTALL)
    assert len(blocks) == 5 and run("README.md", "\n".join(blocks)) >= 10


def test_the_command_draws_what_the_readme_shows(tmp_path):
    [block] = re.findall(r"```console\n\$ (.*?)```", (ROOT / "python/README.md").read_text(), re.DOTALL)
    command, shown = block.split("\n", 1)
    drawn = ""
    for words in command.split(" | "):
        program = [sys.executable, "-m", "kt_enum", *words.split()[1:]]
        options = {"input": drawn, "capture_output": True, "text": True, "timeout": 300}
        drawn = subprocess.run(program, **options, env={**os.environ, "XDG_STATE_HOME": str(tmp_path)}).stdout
    assert drawn.rstrip("\n") == shown.rstrip("\n")


def test_the_stubs_and_the_reference_are_made_from_the_docstrings():
    check = [sys.executable, str(ROOT / "scripts/python-reference"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_stubs_say_what_the_package_has(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "config").write_text("[mypy]\nignore_missing_imports = True\n")
    (tmp_path / "private").write_text("kt_enum\\._\\w+\\..*\n.*\\.__signature__\n")
    options = ["--ignore-disjoint-bases", "--ignore-unused-allowlist"]
    options += ["--mypy-config-file", "config", "--allowlist", "private"]
    command = [sys.executable, "-m", "mypy.stubtest", *options, "kt_enum"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_docstring_names_every_keyword_and_what_is_raised():
    for name in FUNCTIONS:
        function = getattr(kt_enum, name)
        assert callable(function) and function.__module__ == "kt_enum"
        _, arguments, raises = re.split(r"\n(?:Arguments|Raises):\n", function.__doc__)
        named = re.findall(r"^    (\w+): ", arguments, re.MULTILINE)
        assert named == list(inspect.signature(function).parameters), name
        assert "ValueError" in raises and ("Cancelled" in raises) == ("cancel" in named)
    assert list(inspect.signature(kt_enum.Shard.run).parameters)[1:] == named_by(kt_enum.Shard.run)
    for made in (kt_enum.Tour, kt_enum.Puzzle):
        named = named_by(made)
        assert {"rows", "graph", "without", "blank"} < set(named)
        assert named == list(inspect.signature(made).parameters) and "OSError: " in inspect.getdoc(made)


def named_by(function):
    """Return the keywords that a docstring names."""
    return re.findall(r"^ *(\w+): ", inspect.getdoc(function).split("Arguments:")[1].split("Raises:")[0], re.MULTILINE)


def test_keywords_are_completed_and_internals_are_not_shown():
    shells = pytest.importorskip("IPython.core.interactiveshell")
    from IPython.core.completer import provisionalcompleter

    shell = shells.InteractiveShell.instance()
    shell.user_ns["kt_enum"] = kt_enum
    for text in ("kt_enum.count(6, thre|ads=", "kt_enum.random(6, se|ed=", "kt_enum.Tour('a1', gra|ph="):
        begun, rest = text.split("|")
        with provisionalcompleter():
            found = [each.text for each in shell.Completer.completions(begun, len(begun))]
        assert f"{begun.split()[-1]}{rest}" in found
    assert "threads" in shell.object_inspect_text("kt_enum.count")
    assert set(dir(kt_enum)) == set(kt_enum.__all__) and not {"run", "program", "unpacked"} & set(dir(kt_enum))
    with pytest.raises(AttributeError):
        kt_enum.program


def test_importing_the_package_loads_nothing_that_is_not_asked_for():
    code = "import sys; before = set(sys.modules); import kt_enum; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, env=environment())
    assert done.stdout.strip() == "['atexit', 'kt_enum']", done.stderr


def environment():
    """Return the environment in which an interpreter without site-packages finds the package."""
    return {**os.environ, "PYTHONPATH": str(Path(kt_enum.__file__).parent.parent)}


@pytest.mark.parametrize("package", ["concurrent.futures", "dask.distributed", "mpi4py.futures"])
def test_a_count_is_spread_as_the_guide_shows(package, monkeypatch):
    module = pytest.importorskip(package)
    [block] = [block for block in BLOCKS if "ProcessPoolExecutor" in block]
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
        if inspect.isfunction(thing):
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
    shown = [output for output in cell.outputs if output.get("name") != "stderr"]
    # A bar and a plot say how long they took and how large they are.
    shown = [output for output in shown if "bar" not in cell.source and "plot" not in cell.source]
    texts = [output.get("text") or output["data"].get("text/plain", "") for output in shown]
    return "".join(map("".join, texts))


def pictures_of(cell):
    kinds = ["image/svg+xml", "image/png", "<svg"]
    return [kind for kind in kinds if kind in json.dumps(cell.outputs)]


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda file: file.name)
def test_a_notebook_runs_and_prints_what_it_shows(file, tmp_path):
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    shown = nbformat.read(file, as_version=4)
    cells = [cell for cell in shown.cells if cell.cell_type == "code"]
    expected = [printed(cell) for cell in cells]
    pictures = [pictures_of(cell) for cell in cells]
    assert any(expected) and any(pictures)
    kernel = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(shown, timeout=300, resources=kernel).execute()
    assert [printed(cell) for cell in cells] == expected
    assert [pictures_of(cell) for cell in cells] == pictures
    if file.name == "start.ipynb":
        # The bar of a count goes to standard error.
        assert any("tours" in output.get("text", "") for cell in cells for output in cell.outputs)
