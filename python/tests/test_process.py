"""Threads, signals and forks of the process that calls, and the program that comes with the package."""

import os
import signal
import subprocess
import sys
import threading
import time

import kt_enum
import pytest

TASKS = "/proc/self/task"


def threads_left(before):
    """Wait for threads that are ending, and return how many are left."""
    for _ in range(200):
        left = len(os.listdir(TASKS)) - before
        if left <= 0:
            break
        time.sleep(0.01)
    return left


@pytest.mark.skipif(not os.path.exists(TASKS), reason="the system does not list threads")
def test_no_thread_outlives_its_call():
    before = len(os.listdir(TASKS))
    kt_enum.count(6, memory="1G")
    kt_enum.random(6, count=10, memory="1G")
    kt_enum.is_unique({}, 5)
    iterator = kt_enum.tours(8)
    for _ in range(10):
        next(iterator)
    assert threads_left(before) <= 0
    with pytest.raises(kt_enum.Undecided):
        kt_enum.count(8, engine="walk", memory="1G", max_time=0.1)
    assert threads_left(before) <= 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_after_a_count_counts(python):
    code = """
import os, kt_enum
kt_enum.count(6), kt_enum.is_unique({}, 5), kt_enum.random(6)
child = os.fork()
if not child:
    os._exit(0 if kt_enum.count(5).directed == 1728 and not kt_enum.is_unique({}, 5) else 1)
print(os.waitpid(child, 0)[1])
"""
    assert python(code) == "0\n"


def test_two_threads_count_at_once():
    """Each tells its progress only after the other has begun, so none waits for the other's end."""
    both = threading.Barrier(2, timeout=120)
    counts = []

    def count():
        met = []

        def meet(at):
            if not met:
                met.append(both.wait())

        counts.append(kt_enum.count(6, engine="walk", memo="off", threads=1, progress=meet).directed)

    pair = [threading.Thread(target=count) for _ in range(2)]
    for thread in pair:
        thread.start()
    for thread in pair:
        thread.join()
    assert counts == [6637920, 6637920]


INTERRUPTED = """
import signal, kt_enum
# A job in the background of a script ignores the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    print("begun", flush=True)
    sum(1 for _ in kt_enum.tours("3x100"))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupt_ends_a_list():
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "begun\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=120)
    assert said == "interrupted\n" and process.returncode == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers")
def test_signals_are_handled_while_many_lines_are_read():
    ticks = []
    usual = signal.signal(signal.SIGALRM, lambda *_: ticks.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        verdicts = kt_enum.check("a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3\n" * 100_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    # Signals that wait for the end of the call are handled as one.
    assert len(verdicts) == 100_000 and len(ticks) > 5


def run(*words, **options):
    command = [sys.executable, "-m", "kt_enum", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


def test_the_program_has_its_answers_and_exit_codes(tmp_path):
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    done = run("--size", "6", "--tours", "closed", "--quiet", env=environment)
    assert (done.returncode, done.stdout) == (0, "9862\n")
    assert run("--size", "none").returncode == 2
    assert run("--version").stdout == f"kt-enum {kt_enum.__version__}\n"
    assert run("check", "--size", "5", input="a1 b1\n").returncode == 3
    assert "which board?" in run().stderr
    stopped = run("--size", "7", "--engine", "walk", "--memory", "1G", "--max-time", "0", env=environment)
    assert stopped.returncode == 75


def test_the_program_obeys_signals(tmp_path):
    words = ["--size", "7", "--engine", "walk", "--memo", "off", "--memory", "1G", "--progress", "json"]
    command = [sys.executable, "-m", "kt_enum", *words, "--checkpoint", str(tmp_path / "run.kt")]
    for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 75)]:
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        while '"progress"' not in process.stderr.readline():
            pass
        process.send_signal(number)
        _, said = process.communicate(timeout=120)
        assert process.returncode == code and "the state is saved" in said


def test_the_command_loads_nothing_of_the_package_but_the_library():
    code = "import sys; sys.argv[1:] = ['--version']; from kt_enum.__main__ import main; main(); "
    code += "print(sorted(name for name in sys.modules if name.startswith('kt_enum')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "['kt_enum', 'kt_enum.__main__', 'kt_enum._kt_enum']"
