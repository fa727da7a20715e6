#!/usr/bin/env python3
"""Random actions on a piggy bank from many clients at once, 20 % of them with a key of before, while the daemon is killed (SIGKILL)
again and again. Prints what came of it as JSON, and what was wrong under "wrong".

    ledger_load.py --program METRONOMED --folder FOLDER --actions 1000000 --kill-every 4

A client that loses its connection sends whatever was not answered again, with the same keys. Before and after each kill SQLite's own shell
looks at the database. In the end it does the same actions in SQL, and compares.
"""
import argparse
import json
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import time

WINDOW = 64
REPEATED = 0.2


def client(number, count, path, seed, out, done, answered):
    """Does `count` actions. Writes to `out` a line for each request: key, amount, and whether it was refused."""
    dice = random.Random(seed)
    issued, accepted, waiting, again, wrong = 0, [], {}, set(), []
    refused, resent, connections = 0, 0, 0
    lines = []
    link, rest = None, b""

    def request(identifier):
        key, amount, _ = waiting[identifier]
        method = "bank.put" if amount > 0 else "bank.take"
        return '{"jsonrpc":"2.0","id":%d,"method":"%s","params":{"amount":%d,"key":"%s"}}\n' % (identifier, method, abs(amount), key)

    while issued < count or waiting:
        try:
            if link is None:
                link, rest = socket.socket(socket.AF_UNIX), b""
                link.connect(path)
                connections += 1
                resent += len(waiting)
                again.update(waiting)
                link.sendall("".join(map(request, waiting)).encode())
            batch = []
            while len(waiting) < WINDOW and issued < count:
                if accepted and dice.random() < REPEATED:
                    key, amount, told = dice.choice(accepted)
                    waiting[issued] = (key, amount, told)
                else:
                    amount = dice.randint(1, 100) if dice.random() < 0.5 else -dice.randint(1, 120)
                    waiting[issued] = ("c%d-%d" % (number, issued), amount, None)
                batch.append(request(issued))
                issued += 1
            if batch:
                link.sendall("".join(batch).encode())
            received = link.recv(1 << 16)
            if not received:
                raise OSError("closed")
        except OSError:
            if link is not None:
                link.close()
            link = None
            time.sleep(0.02)
            continue
        *whole, rest = (rest + received).split(b"\n")
        for line in whole:
            answer = json.loads(line)
            identifier = answer["id"]
            key, amount, told = waiting.pop(identifier)
            if "error" in answer:
                data = answer["error"].get("data", {})
                if told is not None or data.get("field") != "amount" or amount > 0:
                    wrong.append("%s %d: %s" % (key, amount, answer["error"]))
                refused += 1
                lines.append("%s %d refused" % (key, amount))
            else:
                result = answer["result"]
                total = result.get("result", {}).get("sum")
                known = result.get("alreadyKept")
                if total is None or total < 0 or "notKept" in result:
                    wrong.append("%s %d: %s" % (key, amount, result))
                if told is not None and (told != total or known != [key]):
                    wrong.append("%s %d, first answered %d: %s" % (key, amount, told, result))
                if told is None:
                    if known is not None and identifier not in again:
                        wrong.append("%s %d is new: %s" % (key, amount, result))
                    accepted.append((key, amount, total))
                lines.append("%s %d accepted" % (key, amount))
        with answered.get_lock():
            answered.value += len(whole)
    with open(out, "w") as file:
        file.write("\n".join(lines) + "\n")
    done.put({"refused": refused, "resent": resent, "connections": connections, "wrong": wrong[:5]})


def shell(database, *commands):
    """What SQLite's own shell prints, as rows."""
    script = "".join(command + ("\n" if command.startswith(".") else ";\n") for command in commands)
    finished = subprocess.run(["sqlite3", "-batch", "-noheader", "-separator", " ", "-cmd", ".timeout 5000", database], text=True,
                              input=script, capture_output=True)
    assert finished.returncode == 0 and not finished.stderr, finished.stderr
    return [line.split(" ") for line in finished.stdout.splitlines()]


class Ledger:
    """The database, looked at from entry to entry."""

    def __init__(self, path):
        self.path, self.last, self.balance, self.lowest, self.looks, self.wrong = path, 0, 0, 0, 0, []

    def look(self):
        unbalanced, rows = shell(
            self.path,
            "SELECT count(*) FROM (SELECT 1 FROM posting WHERE entry > %d GROUP BY entry, currency HAVING sum(amount) != 0)" % self.last,
            "SELECT ifnull(max(entry), %d), ifnull(min(balance), 0), count(*), ifnull(sum(amount), 0) FROM (SELECT entry, amount, "
            "%d + sum(amount) OVER (ORDER BY entry) AS balance FROM posting WHERE account = 'bank' AND entry > %d)"
            % (self.last, self.balance, self.last))
        self.looks += 1
        if unbalanced != ["0"]:
            self.wrong.append("%s entries do not sum to zero" % unbalanced)
        last, lowest, _, change = map(int, rows)
        self.last, self.balance, self.lowest = last, self.balance + change, min(self.lowest, lowest)
        if lowest < 0:
            self.wrong.append("a balance of %d" % lowest)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--actions", type=int, required=True)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--kill-every", type=float, required=True, help="seconds")
    parser.add_argument("--kills", type=int, default=1_000_000, help="at most")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    path = os.path.join(wanted.folder, "c.sock")
    state = os.path.join(wanted.folder, "state")
    database = os.path.join(state, "state.sqlite")
    dice = random.Random(wanted.seed)

    def start():
        log = open(os.path.join(wanted.folder, "log"), "ab")
        program = subprocess.Popen(
            [wanted.program, "--socket", path, "--sessions", os.path.join(wanted.folder, "sessions"), "--output", "null",
             "--experience", "piggy-bank"], env={**os.environ, "STATE_DIRECTORY": state, "SWIFT_BACKTRACE": "enable=no"},
            stdout=log, stderr=log)
        while True:
            assert program.poll() is None, open(os.path.join(wanted.folder, "log")).read()
            try:
                socket.socket(socket.AF_UNIX).connect(path)
                return program
            except OSError:
                time.sleep(0.01)

    daemon = start()
    done, answered = multiprocessing.Queue(), multiprocessing.Value("q", 0)
    outs = [os.path.join(wanted.folder, "client-%d" % number) for number in range(wanted.clients)]
    clients = [multiprocessing.Process(target=client, daemon=True, args=(
        number, wanted.actions // wanted.clients, path, wanted.seed * 1000 + number, outs[number], done, answered))
        for number in range(wanted.clients)]
    ledger, kills, alive, began = Ledger(database), 0, 0.0, time.monotonic()
    for process in clients:
        process.start()
    reports = []
    while len(reports) < len(clients):
        woken, until = time.monotonic(), wanted.kill_every * dice.uniform(0.7, 1.3)
        while time.monotonic() - woken < until and len(reports) < len(clients):
            time.sleep(0.01)
            while not done.empty():
                reports.append(done.get())
        alive += time.monotonic() - woken
        assert len(reports) == len(clients) or all(process.is_alive() or process.exitcode == 0 for process in clients), "a client failed"
        if len(reports) == len(clients) or kills >= wanted.kills:
            continue
        # While it works, and when it does no longer.
        woken = time.monotonic()
        ledger.look()
        alive += time.monotonic() - woken
        daemon.send_signal(signal.SIGKILL)
        daemon.wait()
        kills += 1
        ledger.look()
        daemon = start()
    seconds = time.monotonic() - began
    link = socket.socket(socket.AF_UNIX)
    link.connect(path)
    link.sendall(b'{"jsonrpc":"2.0","id":1,"method":"bank.sum"}\n')
    told = json.loads(link.makefile().readline())["result"]["sum"]
    daemon.send_signal(signal.SIGKILL)
    daemon.wait()
    ledger.look()
    wrong = ledger.wrong + [words for report in reports for words in report["wrong"]]

    # The same in SQL: whatever was accepted, as often as it was asked for.
    script = os.path.join(wanted.folder, "actions.sql")
    requests = accepted = 0
    with open(script, "w") as file:
        file.write("CREATE TABLE action (key TEXT PRIMARY KEY, amount INTEGER NOT NULL) WITHOUT ROWID;\nBEGIN;\n")
        for out in outs:
            for line in open(out):
                key, amount, outcome = line.split()
                requests += 1
                if outcome == "accepted":
                    accepted += 1
                    file.write("INSERT OR IGNORE INTO action VALUES ('%s', %s);\n" % (key, amount))
        file.write("COMMIT;\n")
    bank = "SELECT key, amount FROM ledger JOIN posting ON entry = number WHERE account = 'bank'"
    same, other, ledgers, keys, memory = shell(
        os.path.join(wanted.folder, "model.sqlite"), ".read " + script, "ATTACH '%s' AS state" % database,
        "SELECT count(*), sum(amount) FROM action", "SELECT count(*) FROM (SELECT * FROM action EXCEPT %s)" % bank,
        "SELECT count(*), sum(amount), count(DISTINCT key) FROM (%s)" % bank,
        "SELECT count(*) FROM (%s EXCEPT SELECT * FROM action)" % bank,
        "SELECT body ->> '$.sum' FROM memory WHERE piece = 'piggy-bank'")
    if ledgers[0] != ledgers[2] or ledgers[:2] != same or other != ["0"] or keys != ["0"]:
        wrong.append("SQL has %s, the ledger %s; %s are missing, %s are too many" % (same, ledgers, other, keys))
    if not str(told) == same[1] == memory[0] == str(ledger.balance):
        wrong.append("the daemon tells %d, SQL %s, the memory %s, the entries %d" % (told, same, memory, ledger.balance))
    print(json.dumps({
        "requests": requests, "accepted": accepted, "entries": int(same[0]), "refused": sum(report["refused"] for report in reports),
        "resent": sum(report["resent"] for report in reports), "kills": kills, "looks": ledger.looks, "lowest": ledger.lowest,
        "seconds": round(seconds, 2), "perSecond": round(requests / seconds), "entriesPerSecond": round(int(same[0]) / seconds),
        "entriesPerSecondAlive": round(int(same[0]) / alive), "wrong": wrong}))


main()
