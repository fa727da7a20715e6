"""A client of thrumd: JSON-RPC 2.0, one message a line, over its Unix socket.

    from thrum import Engine

    with Engine("my front end") as engine:
        engine.ask("subscribe", topics=["unlock"])
        engine.tell("touch", phase="began", x=0.5, y=0.8)
        for announcement in engine.announcements(wait=10):
            print(announcement.topic, announcement.body)

This file alone is the library: copy it beside your program. The Debian package has it in /usr/share/thrum/python, for PYTHONPATH. It needs
Python 3.9 and nothing else. The methods and topics are in docs/protocol.md. One thread uses a connection at a time.
"""
from __future__ import annotations

import json
import os
import select
import socket
import time
from collections import deque
from typing import Any, Dict, Iterator, NamedTuple, Optional

__all__ = ["Announcement", "Engine", "Gone", "Refused", "standard_socket"]

# The most bytes that a message of thrumd has. A peer that sends more without a newline is not thrumd.
LONGEST_MESSAGE = 64 << 20


class Gone(ConnectionError):
    """thrumd has ended, is about to end, or does not answer. Connect again, and draw everything anew."""


class Refused(Exception):
    """thrumd has answered with an error. The exception's text is for people."""

    def __init__(self, error: Dict[str, Any]) -> None:
        super().__init__(error["message"])
        data = error.get("data") or {}
        #: The number of JSON-RPC, for instance -32602 for wrong parameters.
        self.code: int = error["code"]
        #: The word for programs, for instance "not-allowed". None where the error has none.
        self.reason: Optional[str] = data.get("reason")
        #: The parameter at fault. None where no parameter is.
        self.field: Optional[str] = data.get("field")


class Announcement(NamedTuple):
    """Something that thrumd has told. `missed` is the topic that counts those which were lost."""

    topic: str
    body: Dict[str, Any]


def standard_socket() -> str:
    """The path at which `thrum` looks, too: $THRUM_SOCKET, else the user's thrumd, else the system's."""
    given = os.environ.get("THRUM_SOCKET")
    return given or os.path.join(os.environ.get("XDG_RUNTIME_DIR") or "/run", "thrum", "control.sock")


class Engine:
    """A connection to thrumd, which has said hello as `client`. Whatever it holds ends with it: fingers, tones, subscriptions.

    `hello` are further parameters of the method `hello`. `timeout` is how long an answer may take, in seconds. Raises `OSError` where
    nobody listens, and `Refused`.
    """

    def __init__(self, client: str, path: Optional[str] = None, *, timeout: float = 15.0, **hello: Any) -> None:
        self.path = path or standard_socket()
        self.timeout = timeout
        self._hello = {"client": client, **hello}
        self._last_id = 0
        self._connect()

    def _connect(self) -> None:
        self._rest = bytearray()
        self._heard: deque[Announcement] = deque()
        self._answer: Optional[Dict[str, Any]] = None
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(self.path)
            #: The answer to `hello`: which piece runs, and what this client may do.
            self.greeting: Dict[str, Any] = self.ask("hello", **self._hello)
        except BaseException:
            self._socket.close()
            raise

    def reconnect(self, pause: float = 0.25) -> None:
        """Waits until thrumd is back, and says hello. Nothing is subscribed to or held any more."""
        self.close()
        while True:
            time.sleep(pause)
            try:
                return self._connect()
            except OSError:
                continue

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fileno(self) -> int:
        """For `select`. Call `announcements(wait=0)` before each `select`, too: what came with an answer is here already."""
        return self._socket.fileno()

    def tell(self, method: str, **params: Any) -> None:
        """Sends a notification, which gets no answer, not even an error: the quick way. Raises `Gone`."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a request, and returns its result. Raises `Refused` and `Gone`.

        What is announced meanwhile waits for `announcements`.
        """
        self._last_id += 1
        self._answer = None
        self._send({"id": self._last_id, "method": method, "params": params})
        end = time.monotonic() + self.timeout
        while self._answer is None:
            if not self._receive(end - time.monotonic()):
                raise Gone(f"{self.path}: no answer to {method} in {self.timeout:g} s")
        if "error" in self._answer:
            refused = Refused(self._answer["error"])
            if refused.reason == "shutting-down":
                raise Gone(f"{self.path}: thrumd ends")
            raise refused
        return self._answer["result"]

    def announcements(self, wait: Optional[float] = None) -> Iterator[Announcement]:
        """Yields what is announced, for `wait` seconds: 0 for what is there already, None for ever. Raises `Gone`."""
        end = None if wait is None else time.monotonic() + wait
        is_over = False
        while not is_over:
            left = None if end is None else max(0.0, end - time.monotonic())
            is_over = left == 0
            if not self._heard and not self._receive(left):
                return
            while self._heard:
                yield self._heard.popleft()

    def _send(self, message: Dict[str, Any]) -> None:
        try:
            self._socket.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        except OSError as problem:
            raise Gone(f"{self.path}: {problem}") from problem

    def _receive(self, wait: Optional[float]) -> bool:
        """Takes what has come, and waits for it at most `wait` seconds. False where nothing has."""
        if not select.select([self._socket], [], [], None if wait is None else max(0.0, wait))[0]:
            return False
        try:
            received = self._socket.recv(1 << 16)
        except OSError as problem:
            raise Gone(f"{self.path}: {problem}") from problem
        if not received or len(self._rest) > LONGEST_MESSAGE:
            raise Gone(f"{self.path}: thrumd is gone")
        self._rest += received
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        for line in lines:
            message = json.loads(line)
            if "method" in message:
                self._heard.append(Announcement(message["method"], message.get("params") or {}))
            # The answer to an older question may come late.
            elif message.get("id") == self._last_id:
                self._answer = message
        return True
