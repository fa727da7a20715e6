#!/usr/bin/env python3
"""Serves the files beside it on a free port of 127.0.0.1. Prints the port, and then what pages post, a line each.

    page_server.py
"""
import functools
import http.server
import os


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        print(self.rfile.read(int(self.headers["Content-Length"])).decode(), flush=True)
        self.send_response(204)
        self.end_headers()


# With threads, because browsers open connections for later that would keep others waiting.
handler = functools.partial(Handler, directory=os.path.dirname(os.path.abspath(__file__)))
with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
    print(server.server_port, flush=True)
    server.serve_forever()
