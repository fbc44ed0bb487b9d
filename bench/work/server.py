"""A program that does nothing but system calls and says how long they took."""

import json
import os
import sys
import time


def pread(count):
    """Read one byte of a file that is open."""
    file = os.open(__file__, os.O_RDONLY)
    for _ in range(count):
        os.pread(file, 1, 0)
    os.close(file)


def open_close(count):
    for _ in range(count):
        os.close(os.open(__file__, os.O_RDONLY))


def stat(count):
    for _ in range(count):
        os.stat(__file__)


def nothing(_):
    pass


WORK = {"initialize": nothing, "pread": pread, "open+close": open_close, "stat": stat}

for line in sys.stdin:
    request = json.loads(line)
    count = request["params"].get("count", 0)
    begin = time.perf_counter()
    WORK[request["method"]](count)
    result = {"seconds": time.perf_counter() - begin}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
