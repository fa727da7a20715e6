"""What strangers try who know the protocol: to take places, fingers, memory, disk, names and turns that are not theirs. Each shape says in
its first line what it does and in its second what is claimed, raises `Wrong` where that does not hold, and returns its figures. Shapes of
`Pet` play with a thrumd of their own, which plays a pet into nothing; the others with the one that plays the held tone."""
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import messages
from house import PROGRAMS, ROOT, Client, free_port, until

# Requests of one page on their way at once.
WINDOW = 64
MEBIBYTE = 1 << 20


class Wrong(Exception):
    """Something was answered, or done, that is not right."""


def claim(holds, words):
    if not holds:
        raise Wrong(words)


class Faults(list):
    """Claims that do not hold, where one must not hide the others."""

    def claim(self, holds, words):
        if not holds:
            self.append(words)

    def tell(self):
        claim(not self, "; ".join(self))


class Page:
    """A WebSocket, as a page opens it: of this machine, or `elsewhere`, as a proxy tells it. Notifications are kept in `heard`."""

    def __init__(self, port, token=None, timeout=20, elsewhere=False):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        extra = f"Sec-WebSocket-Protocol: thrum, thrum.token.{token}\r\n" if token else ""
        if elsewhere:
            extra += "X-Forwarded-For: 192.0.2.7\r\n"
        self.heard, self.answers, self.rest, self.number = [], {}, b"", 0
        try:
            self.socket.sendall(messages.upgrade(port, extra=extra))
            while b"\r\n\r\n" not in self.rest:
                received = self.socket.recv(65_536)
                if not received:
                    break
                self.rest += received
        except OSError:
            pass
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        self.is_open = b" 101 " in head.split(b"\r\n", 1)[0]
        self.status = head.split(b"\r\n", 1)[0].decode("latin-1")
        if not self.is_open:
            self.socket.close()

    def send(self, method, **params):
        """Returns the number of the answer."""
        self.number += 1
        self.socket.sendall(messages.frame(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode()))
        return self.number

    def listen(self):
        """Takes what has come, and waits for a part of it; False when the connection is over."""
        try:
            received = self.socket.recv(1 << 18)
        except ConnectionError:
            received = b""
        if not received:
            return False
        self.rest += received
        while len(self.rest) >= 2:
            size, start = self.rest[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(self.rest[2:4], "big"), 4
            elif size == 127:
                size, start = int.from_bytes(self.rest[2:10], "big"), 10
            if len(self.rest) < start + size:
                break
            opcode, payload, self.rest = self.rest[0] & 15, self.rest[start:start + size], self.rest[start + size:]
            if opcode == 8:
                return False
            if opcode == 1:
                message = json.loads(payload)
                if message.get("id") is not None:
                    self.answers[message["id"]] = message
                else:
                    self.heard.append(message)
        return True

    def answer(self, number):
        """The answer to a request; None when the connection was closed instead."""
        while number not in self.answers:
            if not self.listen():
                return None
        return self.answers.pop(number)

    def call(self, method, **params):
        """The answer; None where the connection was closed instead."""
        try:
            return self.answer(self.send(method, **params))
        except ConnectionError:
            return None

    def close(self):
        self.socket.close()


def reason(answer):
    """Why it was refused; None where it was not."""
    if answer is None:
        return "closed"
    return answer["error"].get("data", {}).get("reason", str(answer["error"]["code"])) if "error" in answer else None


def is_taken(answer):
    return answer is not None and "result" in answer


def attempt(client, method, **params):
    """The answer on the control socket; None where the connection was closed instead."""
    try:
        return client.call(method, **params)
    except OSError:
        return None


class Tally(dict):
    """How many answers there were of each kind."""

    def add(self, answer):
        kind = reason(answer) or "taken"
        self[kind] = self.get(kind, 0) + 1

    def __str__(self):
        return ", ".join(f"{count:,} {kind}" for kind, count in sorted(self.items())) or "none"


class Pet:
    """A second thrumd, which plays a pet into nothing, takes receipts of a shop, and keeps little of journals."""

    SPACE = 32

    def __init__(self, house):
        self.house = house
        self.folder = os.path.join(house.folder, "pet")
        os.mkdir(self.folder)
        os.chmod(self.folder, 0o755)
        self.path = os.path.join(self.folder, "control.sock")
        self.sessions = os.path.join(self.folder, "sessions")
        self.http, self.osc = free_port(), free_port(socket.SOCK_DGRAM)
        sys.path.insert(0, os.path.join(ROOT, "Tests/AcceptanceTests/pages"))
        from shop import Shop
        self.shop, self.stranger = Shop(self.folder), None
        os.mkdir(os.path.join(self.folder, "other"))
        self.stranger = Shop(os.path.join(self.folder, "other"))
        self.bought = 0
        environment = dict(house.environment, STATE_DIRECTORY=os.path.join(self.folder, "state"), TZ="UTC0")
        environment.pop("NOTIFY_SOCKET", None)
        environment.pop("WATCHDOG_USEC", None)
        watchers = []
        if os.geteuid() == 0:
            os.chmod(house.folder, 0o711)
            watchers = ["--watchers", "nobody", "--socket-group", "nogroup"]
        self.engine = subprocess.Popen([
            os.path.join(PROGRAMS, "thrumd"), "--output", "null", "--experience", "unhooked", "--devices", "no", "--log", "critical",
            "--socket", self.path, "--sessions", self.sessions, "--http", str(self.http), "--osc", str(self.osc), "--idle", "3600",
            "--journal-space", str(self.SPACE), *self.shop.arguments, *watchers], env=environment, stdin=subprocess.DEVNULL)
        house.programs.append(self.engine)
        if not until(lambda: os.path.exists(self.path)):
            sys.exit("hostile: the pet's thrumd does not start")
        self.operator = Client(self.path)
        self.tokens = {role: self.ask("token.add", name=role, role=role)["token"] for role in ("visitor", "operator")}

    def ask(self, method, **params):
        """An operator's request, which is taken."""
        answer = self.operator.call(method, **params)
        claim(is_taken(answer), f"an operator's {method} is refused: {str(answer)[:300]}")
        return answer["result"]

    def receipt(self):
        """A good one, which has not counted."""
        self.bought += 1
        return self.shop.receipt(str(self.bought), "gems_100")

    def empty(self):
        """Ends the visit under way, if there is one, and waits until it is over."""
        self.ask("session.end")
        claim(until(lambda: "session" not in self.ask("status")), "a session does not end")

    def health(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}/health", timeout=20) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def guest(self):
        """A page of somebody in the hall: with a visitor's token."""
        page = Page(self.http, self.tokens["visitor"], elsewhere=True)
        claim(page.is_open, f"a visitor's page is not opened: {page.status}")
        return page

    def kiosk(self):
        """A page of this machine, without a token."""
        page = Page(self.http)
        claim(page.is_open, f"a page of this machine is not opened: {page.status}")
        return page

    def households(self):
        with sqlite3.connect(f"file:{self.folder}/state/state.sqlite?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM memory").fetchone()[0]

    def journals(self):
        return sorted(os.listdir(self.sessions))

    def stop(self):
        self.operator.close()
        self.engine.send_signal(signal.SIGTERM)
        return self.engine.wait(timeout=30)


def flood(pages, budget, send):
    """Each page keeps `WINDOW` requests on their way until the budget is spent. `send` sends one, and returns its number."""
    tally = Tally()
    waiting = {page: [] for page in pages}
    while budget:
        for page in pages:
            while len(waiting[page]) < WINDOW:
                waiting[page].append(send(page))
                budget.spend()
            # Half of them are read, so that there are always some.
            for number in waiting[page][:WINDOW // 2]:
                tally.add(page.answer(number))
            del waiting[page][:WINDOW // 2]
    for page, numbers in waiting.items():
        for number in numbers:
            tally.add(page.answer(number))
    return tally


def crowd(pages, budget, send):
    """`flood` on a thread of its own. Returns what waits for its end, and gives its tally."""
    result = []

    def rage():
        try:
            result.append(flood(pages, budget, send))
        except (OSError, ValueError) as error:
            result.append(Tally({f"over: {error}": 1}))
    thread = threading.Thread(target=rage, daemon=True)
    thread.start()

    def finish():
        thread.join(timeout=120)
        return result[0] if result else Tally({"still under way": 1})
    return finish


def unread(house, budget, seed):
    """One connection asks for a file of 8 MiB 300 times, sixty for a page 300 times each, and none reads an answer.
    Claim: while they do not read, thrumd has at most 16 MiB more."""
    before, most = house.memory(), 0
    while budget:
        connections = [socket.create_connection(("127.0.0.1", house.http), timeout=20) for _ in range(61)]
        small = f"GET /page.html HTTP/1.1\r\nHost: 127.0.0.1:{house.http}\r\n\r\n".encode() * 300
        for number, connection in enumerate(connections):
            connection.setblocking(False)
            try:
                connection.send(messages.pipelined(house.http) if number == 0 else small)
            except OSError:
                pass
        for _ in range(20):
            most = max(most, house.memory())
            time.sleep(0.02)
        for connection in connections:
            connection.close()
        budget.spend(61 * 300)
    claim(most - before < 16_384, f"{(most - before) / 1024:.1f} MiB more while answers are not read")
    return f"{(most - before) / 1024:+.1f} MiB at most"


def exports(pet, budget, seed):
    """Four operators export a journal of 4 MiB, again and again, beside pages and purchases.
    Claim: a page and a purchase that are asked for after an export are there before it is over, each time."""
    name = "2020-01-01T00-00-00Z"
    path, made = os.path.join(pet.sessions, name + ".jsonl"), os.path.join(pet.folder, "long.jsonl")
    if not os.path.exists(made):
        subprocess.run([os.path.join(PROGRAMS, "thrum"), "simulate", "--experience", "unhooked", "--turns", "1200", "-o", made], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copy(made, path)
    page, rounds, beside = pet.kiosk(), 0, [0, 0]
    exporters = [Client(pet.path) for _ in range(4)]
    request = (json.dumps({"jsonrpc": "2.0", "id": 1, "method": "telemetry.export", "params": {"session": name}}) + "\n").encode()
    try:
        while budget:
            for exporter in exporters:
                exporter.send(request)
            with urllib.request.urlopen(f"http://127.0.0.1:{pet.http}/unhooked/", timeout=60) as answer:
                answer.read()
            beside[0] += not any(is_there(exporter) for exporter in exporters)
            answer = page.call("purchase.redeem", receipt=pet.receipt())
            claim(reason(answer) != "busy", "a purchase is refused as busy beside exports")
            beside[1] += sum(not is_there(exporter) for exporter in exporters) > 0
            for exporter in exporters:
                exporter.socket.settimeout(120)
                claim(is_taken(exporter.read()), "an export is refused")
            rounds += 1
            budget.spend(len(exporters) + 2)
    finally:
        page.close()
        for exporter in exporters:
            exporter.close()
        if os.path.exists(path):
            os.unlink(path)
    claim(beside == [rounds, rounds], f"of {rounds} rounds a page came before the first export {beside[0]} times, "
          f"a purchase before the last {beside[1]} times")
    return f"{rounds} rounds of {len(exporters)}"


def is_there(client):
    """Whether an answer has begun to come."""
    client.socket.setblocking(False)
    try:
        return bool(client.socket.recv(1, socket.MSG_PEEK))
    except BlockingIOError:
        return False
    finally:
        client.socket.settimeout(20)


def names(pet, budget, seed):
    """A page enters one new household after the other, and then adopts a pet in each.
    Claim: names that are only entered leave no row; new ones that do something have a rate; an operator's new name is taken afterwards."""
    chance = random.Random(seed)
    page, before = pet.guest(), pet.households()
    entered, done, adopted = Tally(), 0, 0
    while budget:
        entered.add(page.call("unhooked.enter", household=f"s{chance.getrandbits(60):x}"))
        done += 1
        budget.spend()
    page.call("unhooked.enter")
    pet.ask("unhooked.enter")
    left = pet.households() - before
    tried = max(20, min(1_000, done // 2))
    for _ in range(tried):
        name = f"t{chance.getrandbits(60):x}"
        if is_taken(page.call("unhooked.enter", household=name)):
            adopted += is_taken(page.call("unhooked.adopt", species="dog", name="Rex", household=name))
    page.close()
    kept = pet.households() - before
    answer = pet.operator.call("unhooked.enter", household=f"op{chance.getrandbits(60):x}")
    pet.operator.call("unhooked.enter")
    faults = Faults()
    faults.claim(is_taken(answer), f"an operator's new name is refused after {done:,} of a page: {answer}")
    faults.claim(left <= 2, f"{left:,} of {done:,} names that were only entered are kept")
    faults.claim(adopted < tried, f"a page made {adopted:,} households of {tried:,} tries, without a rate")
    faults.tell()
    return f"{done:,} entered ({entered}), {left} kept; {adopted:,} of {tried:,} adopted, {kept} kept"


def swipes(pet, budget, seed):
    """Four pages swipe as fast as they can, into journals that may take up 32 MiB.
    Claim: an earlier visit's journal is still there, no entry is lost, and health is good once it is over."""
    pet.empty()
    pet.ask("session.start")
    pet.ask("journal.mark", text="an earlier visit")
    pet.empty()
    earlier = pet.journals()[-1]
    before = pet.ask("status")
    pages = [pet.guest() for _ in range(4)]
    # Nobody is answered: two hundred in one write, and then whether they were read.
    swipe = {"jsonrpc": "2.0", "method": "swipe", "params": {"direction": "up", "velocity": 123.456789012, "deceleration": 12345.6789012}}
    many = messages.frame(json.dumps(swipe).encode()) * 200
    while budget:
        waiting = []
        for page in pages:
            page.socket.sendall(many)
            waiting.append(page.send("ping"))
            budget.spend(200)
        for page, number in zip(pages, waiting):
            claim(page.answer(number) is not None, "a page that swipes is closed")
    for page in pages:
        page.close()
    after = pet.ask("status")
    refused = after["refused"]["notifications"] - before["refused"]["notifications"]
    session = after.get("session", {}).get("journal")
    size = os.path.getsize(session) if session and os.path.exists(session) else 0
    pet.empty()
    claim(earlier in pet.journals(), f"the journal of an earlier visit is gone, after {size / MEBIBYTE:.1f} MiB of swipes")
    lost = pet.ask("status")["lostEntries"] - before["lostEntries"]
    claim(lost == 0, f"{lost:,} entries are lost, of {budget.done:,} swipes, {refused:,} of them refused")
    claim(until(lambda: pet.health() == 200), f"health stays {pet.health()}: {pet.ask('status')['issues']}")
    return f"{refused:,} of {budget.done:,} refused; {size / MEBIBYTE:.1f} MiB of journal"


def places(pet, budget, seed):
    """Pages with a visitor's token take every place that they get, and on the control socket a watcher does.
    Claim: a page of this machine, an operator by token and one by the control socket get in and act; that places are full is an issue;
    an operator who was let in as a spare is not pushed out."""
    most = watching = 0
    claim(until(lambda: pet.ask("status")["clients"] == 1, 60), "places that others had are not given back")
    while budget:
        faults, guests = Faults(), []
        while (page := Page(pet.http, pet.tokens["visitor"], elsewhere=True)).is_open and is_taken(page.call("ping")) and len(guests) < 1_000:
            guests.append(page)
        page.close()
        most = max(most, len(guests))
        for whose, token in [("a page of this machine", None), ("an operator's token", pet.tokens["operator"])]:
            page = Page(pet.http, token)
            answer = page.call("tap", x=0.5, y=0.5) if page.is_open else page.status
            faults.claim(page.is_open and is_taken(answer), f"beside {len(guests)} guests {whose} is refused: {answer or page.heard}")
            page.close()
        issues = pet.ask("status")["issues"]
        faults.claim(any("place" in issue or "visitors" in issue for issue in issues),
                     f"that {len(guests)} guests have all places is no issue: {issues}")
        watchers = watch_as_nobody(pet, 300) if os.geteuid() == 0 else []
        watching = max(watching, len(watchers))
        root = Client(pet.path)
        answer = attempt(root, "journal.mark", text="an operator")
        faults.claim(is_taken(answer), f"beside {len(guests)} guests and {len(watchers)} watchers root is refused: {answer}")
        # Nobody who comes afterwards takes root's place.
        watchers += watch_as_nobody(pet, 20) if os.geteuid() == 0 else []
        answer = attempt(root, "journal.mark", text="still there")
        faults.claim(is_taken(answer), f"root is pushed out by watchers: {answer}")
        root.close()
        for each in guests + watchers:
            each.close()
        faults.claim(until(lambda: pet.ask("status")["clients"] == 1, 60), "places are not given back")
        budget.spend(len(guests) + len(watchers))
        faults.tell()
    pet.empty()
    return f"{most} guests, {watching} watchers"


def watch_as_nobody(pet, count):
    """Connections to the control socket of the user `nobody`, who may only watch there: as many as get in, and are answered."""
    connections = []
    os.setegid(65_534)
    os.seteuid(65_534)
    try:
        for _ in range(count):
            try:
                client = Client(pet.path)
                if not is_taken(client.call("ping")):
                    client.close()
                    break
                connections.append(client)
            except OSError:
                break
    finally:
        os.seteuid(0)
        os.setegid(0)
    return connections


def fingers(pet, budget, seed):
    """Eight pages put down ten fingers each, and hold them.
    Claim: a page of this machine, and an operator, still get a finger."""
    most = 0
    while budget:
        guests = [pet.guest() for _ in range(8)]
        tally = Tally()
        for guest in guests:
            for number in range(10):
                tally.add(guest.call("touch", phase="began", id=number, x=0.5, y=0.5))
        most = max(most, tally.get("taken", 0))
        kiosk = pet.kiosk()
        mine = kiosk.call("touch", phase="began", x=0.5, y=0.5)
        operator = pet.operator.call("touch", phase="began", x=0.5, y=0.5)
        pet.operator.call("touch", phase="ended")
        for page in [*guests, kiosk]:
            page.close()
        claim(is_taken(mine), f"beside {most} fingers of guests a page of this machine gets none: {mine}")
        claim(is_taken(operator), f"beside {most} fingers of guests an operator gets none: {operator}")
        claim(until(lambda: not pet.ask("status").get("session", {}).get("isHeld")), "fingers of pages that are gone stay down")
        budget.spend(82)
    pet.ask("session.end")
    return f"{most} of 80 fingers"


def redeem(pet, budget, seed):
    """Eight pages show receipts of another shop, 64 at a time.
    Claim: a page of this machine, one of a guest and an operator are never told that others are at it."""
    # Each is signed rightly by a key that does not count, which is found last.
    false = [pet.stranger.receipt(str(number), "gems_500") for number in range(WINDOW)]
    guests, kiosk, honest = [pet.guest() for _ in range(8)], pet.kiosk(), pet.guest()
    chance = random.Random(seed)
    finish = crowd(guests, budget, lambda page: page.send("purchase.redeem", receipt=chance.choice(false)))
    mine, operator = Tally(), Tally()
    while budget:
        for page in (kiosk, honest):
            mine.add(page.call("purchase.redeem", receipt=pet.receipt()))
        operator.add(pet.operator.call("ledger.balances"))
        # As fast as people are.
        time.sleep(0.1)
    others = finish()
    for page in [*guests, kiosk, honest]:
        page.close()
    claim(set(mine) <= {"taken"}, f"good receipts, one after the other: {mine}, beside {others}")
    claim("busy" not in operator and "no-room" not in operator, f"an operator's questions: {operator}, beside {others}")
    return f"{others}; beside them {mine} and {operator}"


def tokens(pet, budget, seed):
    """Wrong tokens come over eight connections at once, from the address from which right ones come.
    Claim: every right token gets in."""
    chance = random.Random(seed)

    def guess():
        own = random.Random(chance.random())
        while budget:
            page = Page(pet.http, f"{own.getrandbits(256):064x}")
            if page.is_open:
                wrong.append(page.status)
                page.close()
            budget.spend()
    wrong, right, tried = [], 0, 0
    threads = [threading.Thread(target=guess, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    while budget or tried < 40:
        page = Page(pet.http, pet.tokens["operator"])
        tried += 1
        right += page.is_open and is_taken(page.call("ping"))
        page.close()
    for thread in threads:
        thread.join(timeout=30)
    claim(not wrong, "a wrong token got in")
    claim(right == tried, f"{right} of {tried} right tokens got in")
    return f"{right} of {tried} right ones"


def osc_strangers(house, budget, seed):
    """From many addresses of this machine come bundles, patterns and unknown types that ask for what only operators may.
    Claim: nothing in the house has changed, and the daemon still hears OSC."""
    chance = random.Random(seed)
    operator = Client(house.path)

    def state():
        status, listed = operator.call("status")["result"]["house"], operator.call("token.list")["result"]
        return status["preset"], status["theme"], status["isMuted"], status["ceiling"], status["volume"], listed
    before, replies = state(), 0
    senders = []
    for number in range(2, 82):
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        sender.bind((f"127.0.0.{number}", 0))
        sender.setblocking(False)
        senders.append(sender)
    deeds = [messages.osc_message("/output/mute", "T"), messages.osc_message("/output/mute", "i", struct.pack(">i", 1)),
             messages.osc_message("/output/ceiling", "f", struct.pack(">f", -60)),
             messages.osc_message("/preset/set", "s", messages.osc_text("silent")),
             messages.osc_message("/token/add", "ss", messages.osc_text("thief") + messages.osc_text("operator")),
             messages.osc_message("/token/list"), messages.osc_message("/setting/list"), messages.osc_message("/log/list"),
             messages.osc_message("/theme/set", "s", messages.osc_text("standard")), messages.osc_message("/{output,token}/{mute,revoke}", "T"),
             messages.osc_message("/out*/m?te", "T"), messages.osc_message("/preset/set", "Q\0", b"\0" * 8), messages.osc_message("/ledger/entries"),
             messages.osc_message("/household/query", "ss", messages.osc_text("home") + messages.osc_text("unhooked.state"))]
    while budget:
        parts = [chance.choice(deeds) for _ in range(chance.choice([1, 1, 4, 60]))]
        packet = parts[0] if len(parts) == 1 else messages.osc_bundle(parts)
        for _ in range(chance.choice([0, 0, 1, 6])):
            packet = messages.osc_bundle([packet])
        sender = chance.choice(senders)
        try:
            sender.sendto(packet, ("127.0.0.1", house.osc))
            replies += len(sender.recv(65_536)) > 0
        except OSError:
            pass
        if budget.done % 20 == 0:
            time.sleep(0.002)
        budget.spend()
    after = state()
    operator.close()
    for sender in senders:
        sender.close()
    claim(after == before, f"strangers over OSC have changed {before} to {after}")

    def hears():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.settimeout(1)
            one.sendto(messages.osc_message("/ping"), ("127.0.0.1", house.osc))
            try:
                return one.recv(65_536).startswith(b"/reply")
            except OSError:
                return False
    claim(until(hears), "OSC is not answered any more")
    return f"from {len(senders)} addresses, {replies:,} answered"


def listening(pet, budget, seed):
    """A page subscribes to every topic and asks everything that it may, while another page plays as a household, and then uses its name.
    Claim: it never hears the name or the secret; with the name it neither gets in nor spends while the household is there."""
    name, secret = (f"{word}-{random.Random(seed).getrandbits(40):x}" for word in ["Ada", "sesame"])
    owner, told, rounds, where, spent = pet.kiosk(), 0, 0, "", Tally()
    # New names have a rate, of which other shapes may have had their part.
    claim(until(lambda: is_taken(owner.call("unhooked.enter", household=name, secret=secret)), 60), "a page of this machine may not enter a new household")
    owner.call("unhooked.adopt", species="dog", name="Rex", household=name)
    while budget:
        spy = pet.guest()
        methods = [each for each in spy.call("hello")["result"]["methods"] if each.split(".")[-1] in QUERIES]
        spy.call("subscribe")
        owner.call("unhooked.feed", food="kibble", key=f"a{seed}-{rounds}", household=name)
        owner.call("purchase.redeem", receipt=pet.receipt())
        answers = [spy.call(method) for method in methods]
        spy.call("ping")
        for message in answers + spy.heard:
            if name in json.dumps(message) or secret in json.dumps(message):
                told += 1
                where = str(message.get("method") or message)[:80]
        spent.add(spy.call("unhooked.feed", food="kibble", key=f"b{seed}-{rounds}", household=name))
        spent.add(spy.call("unhooked.enter", household=name))
        spy.close()
        rounds += 1
        budget.spend(10)
    owner.call("unhooked.enter")
    owner.close()
    claim(told == 0, f"in {rounds} rounds a page is told another's household {told} times, for instance by {where}")
    claim("taken" not in spent, f"with the name of a household that is there, another page's requests were {spent}")
    return f"{rounds} rounds; {spent}"


QUERIES = {"state", "ledger", "memorial", "history", "shop", "wardrobe", "hello", "status"}


def interruptions(pet, budget, seed):
    """Guests and OSC send session.end, session.start and the names of other households while somebody holds a finger and plays.
    Claim: that session goes on, and the finger stays down. (A stop lets go of everything, and everybody may send one.)"""
    chance = random.Random(seed)
    owner, guests = pet.kiosk(), [pet.guest() for _ in range(4)]
    owner.call("touch", phase="began", x=0.5, y=0.5)
    began = pet.ask("status")["sessions"]
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    tally = Tally()
    ended = released = rounds = 0
    while budget:
        is_here = is_taken(owner.call("touch", phase="moved", x=chance.random(), y=0.5))
        guest = chance.choice(guests)
        method, params = chance.choice([("session.end", {}), ("session.start", {}),
                                        ("unhooked.enter", {"household": f"x{chance.getrandbits(20):x}"})])
        tally.add(guest.call(method, **params))
        sender.sendto(messages.osc_message(chance.choice(["/session/end", "/session/start"])), ("127.0.0.1", pet.osc))
        status = pet.ask("status")
        if status["sessions"] != began:
            ended, began = ended + 1, status["sessions"]
        if not is_here or not status.get("session", {}).get("isHeld"):
            released += 1
            owner.call("touch", phase="began", x=0.5, y=0.5)
            began = pet.ask("status")["sessions"]
        rounds += 1
        budget.spend(2)
    owner.call("touch", phase="ended")
    sender.close()
    for page in [owner, *guests]:
        page.close()
    pet.ask("session.end")
    claim(ended == 0 and released == 0, f"of {rounds} times the visit was ended {ended}, its finger lifted {released} times ({tally})")
    return f"{rounds} times, {tally}"


def shares(pet, budget, seed):
    """Twenty-four pages tap and ask as fast as they can, 64 at a time, beside one that taps 20 times a second at most.
    Claim: that one is never refused."""
    guests, honest = [pet.guest() for _ in range(24)], pet.guest()
    finish = crowd(guests, budget, lambda page: page.send("tap", x=0.5, y=0.5) if page.number % 4 else page.send("rpc.discover"))
    mine = Tally()
    while budget:
        mine.add(honest.call("tap", x=0.5, y=0.5))
        time.sleep(0.05)
    others = finish()
    for page in [*guests, honest]:
        page.close()
    pet.ask("session.end")
    claim(set(mine) <= {"taken"}, f"the honest page's taps: {mine}, beside {others}")
    return f"{mine}, beside {others}"


# With the thrumd that plays the tone, and with the pet's.
BESIDE_TONE = [unread, osc_strangers]
OF_PET = [exports, listening, interruptions, swipes, places, fingers, redeem, tokens, shares, names]
