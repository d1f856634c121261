"""Puts 10 into one of the two accounts: reads it, and writes the sum. SPDX-License-Identifier: MIT"""
import os
import socket

import verisoft as vs

box = socket.create_connection(("127.0.0.1", int(os.environ["VERISOFT_PORT"]))).makefile("rw")


def ask(account, request):
    vs.step(account, request)
    print(request, file=box, flush=True)
    return vs.answer(box.readline().strip())


account = "account%d" % vs.toss(1)
before = int(ask(account, "get " + account))
ask(account, "set %s %d" % (account, before + 10))
