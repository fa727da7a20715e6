"""In thrumd's place for an example front end: answers every request, and tells that announcements were missed when there is a swipe.

    forgetful.py SOCKET
"""
import json
import os
import socket
import sys

listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1] + ".new")
listener.listen()
# Who finds it is listened to.
os.rename(sys.argv[1] + ".new", sys.argv[1])
connection = listener.accept()[0]
state = {"blocksViewed": 29, "unlockCount": 2, "toneFrequency": 440, "index": 31}


def send(message):
    connection.sendall(json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n")


for line in connection.makefile("r"):
    message = json.loads(line)
    if message["method"] == "swipe":
        send({"method": "missed", "params": {"number": 29, "count": 12}})
    if "id" in message:
        send({"id": message["id"], "result": state if message["method"] == "feed.state" else {"experience": "colorscroller"}})
