"""A key-value server: a line `get KEY` or `set KEY VALUE`, a line back. The black box of this example. SPDX-License-Identifier: MIT"""
import os
import socketserver

store = {}


class Client(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            words = line.decode().split()
            if words[0] == "set":
                store[words[1]] = words[2]
            self.wfile.write((store.get(words[1], "0") + "\n").encode())


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(os.environ["VERISOFT_PORT"])), Client).serve_forever()
