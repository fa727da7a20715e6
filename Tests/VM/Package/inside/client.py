"""A front end: a connection to the control socket, which asks and waits for the answer."""

import json
import socket

SOCKET = "/run/thrum/control.sock"


class Client:
    def __init__(self, seconds=60, path=SOCKET):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(seconds)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def ask(self, method, **parameters):
        """The answer's result. A daemon that hangs is a timeout, one that goes a ConnectionError."""
        self.socket.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")
        while line := self.lines.readline():
            answer = json.loads(line)
            if "error" in answer:
                raise ValueError(f"{method}: {answer['error']}")
            if answer.get("id") == 1:
                return answer["result"]
        raise ConnectionError("closed without an answer")

    def tone(self, on):
        return self.ask("tone", on=on, **({"frequency": 440, "level": -12} if on else {}))

    def close(self):
        self.lines.close()
        self.socket.close()


def ask(method, **parameters):
    """With a connection of its own."""
    client = Client()
    try:
        return client.ask(method, **parameters)
    finally:
        client.close()
