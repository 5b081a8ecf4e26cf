"""Plays the first legal move and, on request, misbehaves on move 3."""
import json
import os
import socket
import sys
import time


def misbehave(what, legal):
    if what == "raise":
        raise ValueError("raised on purpose")
    if what == "print":
        print("thinking hard")
    if what == "twice":
        sys.stdout.write("move up\nmove up\n")
    if what == "twice-slowly":
        print("move", legal)
        time.sleep(0.02)
    if what == "long":
        sys.stdout.write("x" * 100_000)
    if what == "flood":
        while True:
            sys.stdout.write("move up\n" * 1000)
    if what == "exit":
        sys.exit(0)
    if what == "loop":
        while True:
            pass
    if what == "sleep":
        time.sleep(3600)
    if what == "fork":
        os.fork()
    if what == "write":
        open("written.txt", "w")
    if what == "connect":
        socket.create_connection(("127.0.0.1", 9))
    if what == "read-rival":
        open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "rival.py"))
    if what == "execute":
        os.execv("/bin/sh", ["sh", "-c", "exit 7"])
    if what == "memory":
        bytearray(1 << 30)


def main():
    what, start = "", 0.0
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "arena":
            schema = {"type": "object", "properties": {"what": {"type": "string", "default": "", "description": "what it does wrong"}}}
            print("agent", json.dumps({"name": "plays", "version": "1.0.0", "honours": ["time"], "params": schema}))
        elif word == "new":
            game = json.loads(rest)
            what = game["params"].get("what", "")
            if what == "refuse":
                print("error the weights are missing")
            else:
                print("ready")
            start = time.process_time()
        elif word == "turn":
            turn = json.loads(rest)
            if turn["move"] == 3:
                misbehave(what, turn["legal"][0])
            while what == "think" and time.process_time() - start < turn["time_us"] * 0.8e-6:
                pass
            print("move", turn["legal"][0], json.dumps({"depth": 1, "values": {turn["legal"][0]: 1.5}}))
            start = time.process_time()


main()
