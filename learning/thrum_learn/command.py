"""The commands of thrum-learn."""

import argparse
import json
import os
import sys
from pathlib import Path

from . import Refused, tables

THRUM = os.environ.get("THRUM", ".build/release/thrum")


def table(options):
    frame = tables.export(options.sessions, options.thrum)
    tables.write(frame, options.output)
    visits = tables.Visits(frame)
    print(f"{options.output}: {len(frame)} cards of {visits.count} visits, of which {int(visits.left_whole.sum())} ended by leaving")


def read_all(paths):
    import pandas  # noqa: PLC0415 - it takes a second to load
    return pandas.concat([tables.read(path) for path in paths], ignore_index=True)


def train(options):
    from . import report, training  # noqa: PLC0415 - scikit-learn takes seconds to load
    page = options.report or options.output.with_suffix(".html")
    trained = training.train(read_all(options.tables), options.output, options.seed, options.form, options.about, options.tables,
                             options.alarms)
    report.write(trained, page)
    width = max(len(row["name"]) for row in trained.rows)
    print(f"\n{'':{width}}  {'ROC-AUC':24}PR-AUC  Brier   lead, cards")
    for row in trained.rows:
        (area, low, high), pr, brier, lead = row["auc"], row["pr_auc"][0], row["brier"][0], row["lead"][0]
        print(f"{row['name']:{width}}  {area:.3f} ({low:.3f} to {high:.3f})  {pr:.3f}   {brier:.3f}   {lead:.1f}")
    print(f"\n{report.verdict(trained)}\n{options.output} ({trained.file.digest})\n{page}")
    if options.json:
        options.json.write_text(json.dumps({"model": trained.file.name, "digest": trained.file.digest, "scores": trained.rows,
                                            "policies": trained.policies, "formulas": trained.formulas, "card": trained.card}, indent=1))
    _, not_better = report.beaten(trained.rows)
    if not_better and options.require_better:
        raise Refused(f"the model is not better than {' and '.join(not_better)} by more than the interval")


def policy(options):
    from . import policy as policies, training  # noqa: PLC0415
    from .evaluator import ModelFile  # noqa: PLC0415
    own = [name for name in options.policy if not name.endswith(".mlmodel")]
    files = {Path(name).name: ModelFile(name) for name in options.policy if name.endswith(".mlmodel")}
    found = training.judge(tables.Visits(read_all(options.tables)), files, options.seed, own, options.explore)
    if "refused" in found:
        raise Refused(found["refused"])
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))

    def words(value):
        return f"{value[0]:.1f} ({value[1]:.1f} to {value[2]:.1f})"

    print(f"cards a visit, of {found['visits']} recorded visits that ended by leaving; intervals of 95 %")
    print(f"  as recorded       {words(found['recorded'])}")
    if found["untouched"]:
        print(f"  held-out visits   {words(found['untouched'])}, of {found['held_out']}")
    for name, estimate in found["estimates"].items():
        thin = estimate["visits"] < 2 * policies.FEW
        print(f"  {name:17} " + ("cannot be told: too few recorded visits are like it" if thin else words(estimate["robust"]))
              + f"; by weights alone {words(estimate['weighted'])}; {estimate['visits']:.0f} visits behind it"
              + (f"; one step in brings {words(estimate['step'])}" if estimate["step"] else ""))


def demo(options):
    from . import demo as whole  # noqa: PLC0415
    whole.run(options)


def parser():
    main = argparse.ArgumentParser(prog="thrum-learn", description="Learns from recorded visits of ColorScroller who is about to leave. "
                                   "docs/learning.md explains all of it.")
    commands = main.add_subparsers(required=True, metavar="COMMAND")

    def command(name, does, words):
        made = commands.add_parser(name, help=words, description=words)
        made.set_defaults(does=does)
        return made

    made = command("table", table, "Write the cards of many journals as one table, Parquet or CSV.")
    made.add_argument("sessions", nargs="+", metavar="JOURNAL", help="a journal, as thrum telemetry export takes it")
    made.add_argument("-o", "--output", type=Path, default=Path("scrolls.parquet"), help="the table, .parquet or .csv")
    made.add_argument("--thrum", default=THRUM, help="the program thrum (default: $THRUM, or %(default)s)")
    made = command("train", train, "Train a model on tables, write it as a Core ML file, and report how good it is.")
    made.add_argument("tables", nargs="+", type=Path, metavar="TABLE")
    made.add_argument("-o", "--output", type=Path, default=Path("churn.mlmodel"), help="the model (default: %(default)s)")
    made.add_argument("--report", type=Path, help="the report (default: beside the model, as .html)")
    made.add_argument("--json", type=Path, help="also write the figures of the report as JSON")
    made.add_argument("--seed", type=int, default=1, help="of the division of visits and of the trees (default: %(default)s)")
    made.add_argument("--form", choices=["trees", "linear"], default="trees", help="what is written (default: %(default)s)")
    made.add_argument("--alarms", type=float, metavar="PART", help="shift the margin so that it calls for a step in on this part of the "
                      "cards of staying visitors, for instance 0.025; what it says is no probability then (default: no shift)")
    made.add_argument("--about", default="", help="what the data are, in words, for the model card")
    made.add_argument("--require-better", action="store_true", help="fail if the model is not better than what there was")
    made = command("policy", policy, "Estimate how many cards recorded visits would have had under other policies.")
    made.add_argument("tables", nargs="+", type=Path, metavar="TABLE")
    made.add_argument("--policy", action="append", required=True, metavar="FILE|NAME", help="a model file (.mlmodel), handTuned or "
                      "calibrated; may be given several times")
    made.add_argument("--explore", type=float, help="the part of actions that the policies draw (default: as often as was recorded)")
    made.add_argument("--seed", type=int, default=1, help="of the bootstrap (default: %(default)s)")
    made.add_argument("--json", type=Path, help="also write the figures as JSON")
    made = command("demo", demo, "Go the whole way: simulated visits, a table, a model, its test, and a live session that uses it.")
    made.add_argument("--visits", type=int, default=1000, help="how many visits are made up (default: %(default)s)")
    made.add_argument("--seed", type=int, default=1, help="of the first visit (default: %(default)s)")
    made.add_argument("--profile", default="motivated", help="of the visitors (default: %(default)s)")
    made.add_argument("--thrum", default=THRUM, help="the program thrum; thrumd is beside it (default: $THRUM, or %(default)s)")
    made.add_argument("--output", type=Path, default=Path("out/learning"), help="the folder of what is made (default: %(default)s)")
    return main


def main():
    options = parser().parse_args()
    try:
        options.does(options)
    except Refused as refusal:
        sys.exit(f"thrum-learn: {refusal}")
    except KeyboardInterrupt:
        sys.exit(130)
