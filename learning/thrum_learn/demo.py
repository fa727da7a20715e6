"""The whole way once: simulated visits, a table, a model, its test on journals, and a live session that uses it.

Each step that fails ends the demo, with what failed."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import Refused, command, tables, training

ROOT = Path(__file__).resolve().parents[2]
# More is drawn and held out than in a house: it is a day of gathering.
GATHERING = ["--set", "explore=0.2", "--set", "holdout=0.4"]
# All of them leave long before.
LONGEST = 2000
# The model of the visits that are recorded, and the one that is judged by them.
RECORDED, OTHER = "handTuned", "calibrated"
PATIENCE = 30


def step(words):
    print(f"\n— {words}", flush=True)


def ran(*words, **options):
    """Runs a program and returns what it printed."""
    done = subprocess.run(list(map(str, words)), check=False, capture_output=True, text=True, **options)
    if done.returncode:
        raise Refused(f"{' '.join(map(str, words[:3]))} … ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-800:]}")
    return done.stdout


def simulate(options, folder, model, visits):
    """Makes the journals of so many simulated visits under one of the engine's models. Returns their paths."""
    def visit(number):
        path = folder / f"{options.profile}-{options.seed + number}.jsonl"
        ran(options.thrum, "simulate", "--profile", options.profile, "--seed", options.seed + number, "--turns", LONGEST, *GATHERING,
            "--model", model, "-o", path, "--force")
        return path

    folder.mkdir(exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return list(workers.map(visit, range(visits)))


def compare(estimate, frame):
    """Compares an estimate of the cards in a visit, (value, low, high), with visits that were run: those of `frame` that an estimate is
    of. Returns words, and whether the run's mean is within the interval, by as much as that mean is not known itself."""
    visits = tables.Visits(frame)
    held = visits.frame["held_out"].fillna(False).to_numpy(dtype=bool)[visits.starts]
    lengths = visits.lengths[visits.left_whole & ~held]
    error = 1.96 * lengths.std(ddof=1) / len(lengths) ** 0.5
    value, low, high = estimate
    inside = bool(low - error <= lengths.mean() <= high + error)
    run_words = f"run {lengths.mean():.1f} ± {error:.1f} in {len(lengths)} visits"
    return (f"estimated {value:.1f} cards a visit ({low:.1f} to {high:.1f}), {run_words}: "
            + ("within" if inside else "NOT within") + " the interval"), inside


def live(options, model, digest):
    """Plays some cards through a thrumd that predicts by `model`, and returns the journal. thrumd plays into nothing and is ended."""
    sys.path.append(str(ROOT / "examples"))
    from thrum import Engine  # noqa: PLC0415 - the library is beside the engine, not among the packages
    sessions = options.output / "live"
    sessions.mkdir(parents=True, exist_ok=True)
    # A socket's path may have 107 bytes, so it is not below the folder of what is made.
    with tempfile.TemporaryDirectory(prefix="thrum-learn-") as folder:
        place = os.path.join(folder, "control.sock")
        log = Path(folder) / "log"
        with open(log, "w") as lines:
            daemon = subprocess.Popen(
                [Path(options.thrum).with_name("thrumd"), "--experience", "colorscroller", "--output", "null", "--socket", place,
                 "--sessions", sessions, "--churn-model", model.resolve(), "--seed", "7"], stdout=lines, stderr=lines,
                env={**os.environ, "STATE_DIRECTORY": os.path.join(folder, "state"), "XDG_CONFIG_HOME": folder})
        try:
            wait_for(place, daemon, log)
            with Engine("thrum-learn demo", place) as engine:
                for card in range(1, 21):
                    engine.ask("feed.scroll", index=card)
                    time.sleep(0.1)
                status = engine.ask("status")
                engine.ask("session.end")
            if digest not in json.dumps(status):
                raise Refused(f"thrumd's status does not name the model {digest[:12]}…; its log: {log.read_text()[-800:]}")
        finally:
            daemon.send_signal(signal.SIGTERM)
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
    return max(sessions.glob("*.jsonl"), key=lambda path: path.stat().st_mtime)


def wait_for(place, daemon, log):
    """Waits until thrumd takes connections."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if daemon.poll() is not None:
            raise Refused(f"thrumd ended with {daemon.returncode}: {log.read_text()[-800:]}")
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(place)
                return
            except OSError:
                time.sleep(0.05)
    raise Refused(f"thrumd takes no connection within {PATIENCE} s: {log.read_text()[-800:]}")


def check_live(journal, digest):
    """Raises unless the journal names the model and has its margins."""
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    found = lines[0].get("model", {})
    if found.get("digest") != digest:
        raise Refused(f"{journal}: the header's `model` has {digest}, expected; found {found}")
    margins = [line["margin"] for line in lines if "margin" in line]
    if not margins:
        raise Refused(f"{journal}: no line has a `margin`")
    return len(margins)


def run(options):
    began = time.monotonic()
    options.thrum = Path(options.thrum).resolve()
    options.output.mkdir(parents=True, exist_ok=True)
    visits, table, model = options.output / "visits", options.output / "scrolls.parquet", options.output / "churn.mlmodel"
    step(f"{options.visits} visits are made up (profile {options.profile}); nobody of them is real")
    journals = simulate(options, visits, RECORDED, options.visits)
    step("the journals become a table")
    frame = tables.export(journals, options.thrum)
    tables.write(frame, table)
    print(f"{table}: {len(frame)} cards, {int((frame['action'] != 'none').sum())} steps in")
    step("a model is trained, and judged on visits that it has not seen")
    figures = options.output / "churn.json"
    learn = ["train", table, "-o", model, "--json", figures, "--require-better", "--alarms", 0.025,
             "--about", f"{options.visits} simulated visits of the profile {options.profile}: invented, not people"]
    own = command.parser().parse_args(list(map(str, learn)))
    own.does(own)
    trained = json.loads(figures.read_text())
    off = {name: value for name, value in trained["formulas"].items() if value is not None and value > 1e-6}
    if off:
        raise Refused(f"the formulas of {', '.join(off)} in heuristics.py are not the engine's: off by {off}")
    step(f"what {OTHER} would have done is estimated from visits of {RECORDED}, and then run with the same seeds")
    found = training.judge(tables.Visits(frame), {}, 1, (OTHER,))
    if "refused" in found:
        print(f"not estimated: {found['refused']}")
    else:
        run_frame = tables.export(simulate(options, options.output / OTHER, OTHER, options.visits), options.thrum)
        print(compare(found["estimates"][OTHER]["robust"], run_frame)[0])
    step("the engine's own test of the file, on journals")
    print(ran(options.thrum, "churn", "test", model, *journals[:100]).strip())
    step("a live session uses it")
    journal = live(options, model, trained["digest"])
    margins = check_live(journal, trained["digest"])
    ran(options.thrum, "verify", journal)
    print(f"{journal}: its header names the model, {margins} cards have its margin, and a replay gives the same")
    print(f"\nall of it in {time.monotonic() - began:.0f} s; the report is {model.with_suffix('.html')}")
