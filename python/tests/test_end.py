"""The end of a call that goes on: cancelled, by an exception, by a signal, by the end of the interpreter."""

import asyncio
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import kt_enum
import pytest
from long_calls import CALLS, MEMORY

# Twenty calls of each take minutes: they are for a change of how calls end.
TIMES = int(os.environ.get("KT_ENUM_TIMES", "2"))
# The seconds after which calls are ended: in the first moment, and later.
AFTER = [0.05 + 0.3 * (place % 4) for place in range(TIMES)]


class Enough(Exception):
    """An exception of a caller."""


@pytest.fixture(autouse=True, scope="session")
def shards_are_made_once(tmp_path_factory):
    os.environ["KT_ENUM_SHARDS"] = str(tmp_path_factory.mktemp("shards"))


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    tasks = Path("/proc/self/task")
    before = len(list(tasks.iterdir())) if tasks.exists() else 0
    yield
    for _ in range(300):
        if not tasks.exists() or len(list(tasks.iterdir())) <= before:
            break
        time.sleep(0.01)
    else:
        pytest.fail("threads are left behind")
    assert kt_enum.count(5) == 1728


# A machine that is busy is slow: a call has to end, and the promise is 0.3 seconds on a quiet one.
GENEROUS = 20.0


@pytest.mark.parametrize("name", CALLS)
def test_an_event_cancels_a_call(name, monkeypatch):
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    for after in AFTER:
        event, began = threading.Event(), []
        timer = threading.Timer(after, lambda: (began.append(time.monotonic()), event.set()))
        timer.start()
        with pytest.raises(kt_enum.Cancelled, match="^cancelled"):
            CALLS[name](cancel=event, progress=False)
        assert time.monotonic() - began[0] < GENEROUS


@pytest.mark.parametrize("name", CALLS)
def test_an_exception_of_the_progress_ends_a_call(name):
    for after in AFTER:
        raised = []

        def tell(at):
            if at.get("elapsed_s", after) >= after:
                raised.append(time.monotonic())
                raise Enough(at["event"])

        with pytest.raises(Enough):
            CALLS[name](progress=tell)
        assert len(raised) == 1 and time.monotonic() - raised[0] < GENEROUS


def test_an_event_that_is_set_cancels_at_once():
    event = threading.Event()
    event.set()
    with pytest.raises(kt_enum.Cancelled):
        kt_enum.count(8, cancel=event)
    with pytest.raises(kt_enum.Cancelled):
        next(kt_enum.tours(5, cancel=event))
    with pytest.raises(TypeError, match="cancel: give an object that has is_set"):
        kt_enum.count(8, cancel=True)
    assert issubclass(kt_enum.Cancelled, kt_enum.Undecided)


def test_a_list_of_tours_is_cancelled():
    event = threading.Event()
    threading.Timer(0.3, event.set).start()
    with pytest.raises(kt_enum.Cancelled):
        sum(1 for _ in kt_enum.tours("3x100", cancel=event))


def test_a_count_in_a_thread_ends_when_its_task_times_out():
    async def main():
        event = threading.Event()
        try:
            await asyncio.wait_for(asyncio.to_thread(kt_enum.count, 8, cancel=event, progress=False), 1)
        except asyncio.TimeoutError:
            event.set()

    if hasattr(asyncio, "to_thread"):
        began = time.monotonic()
        asyncio.run(main())
        assert time.monotonic() - began < 1 + GENEROUS


def test_a_cancelled_count_says_where_its_state_is(tmp_path):
    event = threading.Event()
    threading.Timer(0.3, event.set).start()
    options = {"size": 8, "engine": "walk", "memo": "off", "checkpoint": tmp_path / "run.kt", **MEMORY}
    with pytest.raises(kt_enum.Cancelled, match="the state is saved in .*run.kt: the same call resumes"):
        kt_enum.count(cancel=event, **options)
    assert (tmp_path / "run.kt").exists()


INTERRUPTED = """
import signal, sys, kt_enum
# A job in the background of a script ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, sys.argv[1])
from long_calls import CALLS
name, file = sys.argv[2:]
begun = []
def begin(at):
    if not begun:
        begun.append(print("begun", flush=True))
options = {"checkpoint": file} if name == "count by walk" else {}
try:
    CALLS[name](progress=begin, **options)
except KeyboardInterrupt as error:
    print("interrupted", error)
"""


@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_ends_every_long_call_and_says_where_its_state_is(name, tmp_path):
    for place in range(TIMES - 1):
        file = tmp_path / f"run-{place}.kt"
        command = [sys.executable, "-c", INTERRUPTED, str(Path(__file__).parent), name, str(file)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "begun\n"
        time.sleep(AFTER[place + 1] / 3)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0 and said.startswith("interrupted")
        if name == "count by walk":
            assert f"the state is saved in {file}: the same call resumes" in said and file.exists()


ENDED = """
import sys, threading, time, kt_enum
def loop(call):
    while True:
        call()
calls = {
    "count": lambda: kt_enum.count(8, threads=1, memory="1G"),
    "tours": lambda: sum(1 for _ in kt_enum.tours("3x100")),
    "list": lambda: sum(1 for _ in kt_enum.tours(8)),
    "short": lambda: loop(lambda: kt_enum.count(5)),
    "read": lambda: loop(lambda: kt_enum.Tour("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3")),
    "many lines": lambda: kt_enum.check("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\\n" * 200_000),
    "progress": lambda: kt_enum.count(8, memory="1G", progress=lambda at: time.sleep(0.01)),
}
if sys.argv[1] not in calls:
    sys.path.insert(0, sys.argv[3])
    from long_calls import CALLS as calls
for _ in range(2):
    threading.Thread(target=calls[sys.argv[1]], daemon=True).start()
time.sleep(float(sys.argv[2]))
"""
NAMES = ["count", "tours", "list", "short", "read", "many lines", "progress"]
KEPT = """
import sys, threading, kt_enum
begun = threading.Event()
def count():
    options = {"engine": "walk", "memo": "off", "memory": "1G", "checkpoint": sys.argv[1]}
    kt_enum.count(8, progress=lambda at: at["event"] == "progress" and begun.set(), **options)
threading.Thread(target=count, daemon=True).start()
assert begun.wait(300)
"""


def pythons():
    """Return the interpreters of this machine that the package supports."""
    found = {sys.executable}
    for minor in range(9, 15):
        found |= set(map(str, Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python")))
        found |= {shutil.which(f"python3.{minor}")} - {None}
    works = [sys.executable, "-c", "import sys; print(sys.implementation.name, sys.version_info[:2])"]
    kinds = {}
    for python in sorted(found, key=lambda python: python != sys.executable):
        done = subprocess.run([python, *works[1:]], capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.startswith("cpython"):
            kinds.setdefault(done.stdout, python)
    return list(kinds.values())


@pytest.mark.parametrize("python", pythons())
def test_the_interpreter_ends_while_threads_are_in_calls(python, tmp_path):
    # Packages of another Python's folder do not load there, and none of them is needed.
    (tmp_path / "kt_enum").symlink_to(Path(kt_enum.__file__).parent)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONWARNINGS"] = "ignore"
    # Processes that end at the same time disturb each other, as those of a busy machine do.
    rounds = [NAMES] * TIMES + [["count"] * 6] * (8 if TIMES > 2 else 0)
    if python == sys.executable:
        calls = list(CALLS)
        rounds += [calls[place::3] for place in range(3)] * (TIMES - 1)
    for place, names in enumerate(rounds):
        # The first end while the package is still being loaded.
        after = 0.02 + 0.1 * (place % 3)
        commands = [[python, "-c", ENDED, name, str(after), str(Path(__file__).parent)] for name in names]
        options = {"stderr": subprocess.PIPE, "text": True, "env": environment}
        processes = [subprocess.Popen(command, **options) for command in commands]
        for name, process in zip(names, processes):
            _, said = process.communicate(timeout=300)
            assert (process.returncode, said) == (0, ""), (name, process.returncode, said)


def test_a_pickle_names_no_private_module_which_would_be_loaded_while_the_interpreter_ends():
    tour = kt_enum.find(6)
    shard = kt_enum.shards(5, engine="walk", of=2)[0]
    everything = [tour, kt_enum.count(5), shard, shard.run(), kt_enum.Puzzle({1: "a1"}, 5), list(kt_enum.tours(5))]
    everything += [kt_enum.solve({1: "a1"}, 5), kt_enum.find(graph=[(0, 1), (1, 2)])]
    for each in everything:
        kept = pickle.dumps(each)
        assert b"kt_enum" in kept and b"kt_enum._" not in kept, each
        assert pickle.loads(kept) == each


def test_a_count_is_saved_when_the_interpreter_ends(tmp_path, python):
    file = tmp_path / "run.kt"
    assert python(KEPT, file) == "" and file.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_of_a_process_with_a_call_ends(python):
    code = """
import os, sys, threading, time, kt_enum
threading.Thread(target=lambda: kt_enum.count(8, memory="1G", progress=False), daemon=True).start()
time.sleep(0.3)
child = os.fork()
if not child:
    sys.exit(0 if kt_enum.count(5) == 1728 else 1)
print(os.waitpid(child, 0)[1])
"""
    assert python(code) == "0\n"
