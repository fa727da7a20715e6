"""Claims that are tried one after the other, each with a line that says whether it holds."""

import contextlib
import subprocess
import time
import traceback

failures = 0


class Wrong(Exception):
    """What was found in place of what was claimed."""


@contextlib.contextmanager
def claim(words):
    """Prints PASS or FAIL, the words, and what the body measured: a list to which it appends."""
    global failures
    measured = []
    try:
        yield measured
        print(f"PASS {words}" + (f" ({', '.join(measured)})" if measured else ""), flush=True)
    except Exception as error:
        failures += 1
        found = error if isinstance(error, Wrong) else "".join(traceback.format_exception_only(error)).strip()
        print(f"FAIL {words}: {found}" + (f" ({', '.join(measured)})" if measured else ""), flush=True)


def require(holds, found):
    if not holds:
        raise Wrong(found)


def until(condition, seconds, found="it did not happen"):
    """What the condition gives as soon as it is true of it. Asks again and again."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.02)
    raise Wrong(f"{found() if callable(found) else found}, in {seconds} s")


def run(*words, seconds=120):
    """What a command prints; Wrong if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    require(done.returncode == 0, f"{' '.join(words)}: status {done.returncode}, {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def unit(name, *properties):
    """Properties of a unit, as text by name."""
    lines = run("systemctl", "show", name, "--property=" + ",".join(properties)).splitlines()
    return dict(line.split("=", 1) for line in lines)
