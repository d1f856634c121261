"""What a test driver in Python calls under `verisoft test` (doc/drivers.md).

Without VeriSoft the same script runs by itself: choices are random, a check that fails ends it.
SPDX-License-Identifier: MIT
"""
import os
import random
import re
import sys

_number = os.environ.get("VERISOFT_DRIVER")
_socket = int(_number) if _number else None


def _escape(text):
    return str(text).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _unescape(text):
    return re.sub(r"\\(.)", lambda m: {"t": "\t", "n": "\n"}.get(m[1], m[1]), text)


def _place():
    frame = sys._getframe(2)
    return "%s:%d" % (os.path.basename(frame.f_code.co_filename), frame.f_lineno)


def _request(place, what, *fields):
    line = ("\t".join(_escape(f) for f in (place, what) + fields) + "\n").encode("utf-8", "surrogateescape")
    while line:
        line = line[os.write(_socket, line):]
    answer = b""
    while not answer.endswith(b"\n"):
        part = os.read(_socket, 65536)
        if not part:
            os._exit(125)
        answer += part
    return answer[:-1].decode("utf-8", "surrogateescape")


def toss(most):
    """Any of 0 to most; every one is tried."""
    return random.randint(0, most) if _socket is None else int(_request(_place(), "toss", most))


def check(holds, words=""):
    """An error if it does not hold."""
    if _socket is not None:
        _request(_place(), "check", 1 if holds else 0, words)
    elif not holds:
        sys.exit("%s: not so: %s" % (_place(), words))


def assume(holds, words=""):
    """No more is tried here if it does not hold."""
    if _socket is not None:
        _request(_place(), "assume", 1 if holds else 0, words)
    elif not holds:
        sys.exit(0)


def step(interface="", words=""):
    """What follows, up to the next call of this module, speaks to the box."""
    if _socket is not None:
        _request(_place(), "step", interface, words)


def look(interface="", words=""):
    """The same, where nothing of the box is changed."""
    if _socket is not None:
        _request(_place(), "look", interface, words)


def send(queue, message):
    if _socket is not None:
        _request(_place(), "send", queue, message)


def receive(queue):
    """The next message of the queue; without VeriSoft there is none, and it is empty."""
    return "" if _socket is None else _unescape(_request(_place(), "receive", queue))


def event(name, operation, words=""):
    """Beside a real call: it is ordered and waits as this operation of a queue, semaphore or interface of the suite does."""
    if _socket is not None:
        _request(_place(), "event", name, operation, words)


def wait(semaphore):
    if _socket is not None:
        _request(_place(), "wait", semaphore)


def signal(semaphore):
    if _socket is not None:
        _request(_place(), "signal", semaphore)


def answer(words):
    """What the box said: it stands in the report, and is compared when the same steps are run again."""
    if _socket is not None:
        _request(_place(), "answer", words)
    return words


def say(words):
    """For the report."""
    if _socket is not None:
        _request(_place(), "print", words)
