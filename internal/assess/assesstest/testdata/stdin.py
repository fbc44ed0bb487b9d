# Servers that take their requests in from standard input in unusual ways.
# Each way replaces serve(). The tools read a secret each.
import json, queue, socket
TOOLS.clear()
HOME = os.path.expanduser("~")
LIBC = ctypes.CDLL(None, use_errno=True)


def read(path):
    with open(HOME + path, "rb") as f:
        return len(f.read())


@tool
def one(): return read("/.aws/credentials")


@tool
def two(): return read("/.ssh/id_rsa")


@tool
def three(): return read("/.kube/config")


def handle(line):
    message = json.loads(line)
    if "id" in message:
        result = answer(message["method"], message.get("params") or {})
        os.write(1, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n")


def lines(more):
    """Lines out of the pieces that more returns."""
    rest = b""
    while True:
        piece = more()
        if not piece:
            return
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole


def each(more, do=handle):
    for line in lines(more):
        do(line)


def duplicate():
    os.dup2(0, 10)
    os.close(0)
    each(lambda: os.read(10, 4096))


def reopened(path):
    fd = os.open(path, os.O_RDONLY)
    os.close(0)
    each(lambda: os.read(fd, 4096))


def single_bytes(): each(lambda: os.read(0, 1))


def tiny_vectors():
    def more():
        parts = [bytearray(3) for _ in range(200)]
        n = os.readv(0, parts)
        return b"".join(parts)[:n]
    each(more)


def spliced():
    r, w = os.pipe()

    def more():
        n = os.splice(0, w, 4096)
        return os.read(r, n) if n else b""
    each(more)


def nonblocking():
    import select
    os.set_blocking(0, False)

    def more():
        while True:
            select.select([0], [], [])
            try:
                return os.read(0, 4096)
            except BlockingIOError:
                pass
    each(more)


def reader_thread():
    """A thread started in the first call reads, the first thread works."""
    work = queue.Queue()

    def run():
        each(lambda: os.read(0, 4096), work.put)
        work.put(None)
    threading.Thread(target=run).start()
    for line in iter(work.get, None):
        handle(line)


def worker_thread():
    """The first thread reads, another one works."""
    work = queue.Queue()
    threading.Thread(target=lambda: [handle(line) for line in iter(work.get, None)]).start()
    each(lambda: os.read(0, 4096), work.put)
    work.put(None)


def relay(send, receive):
    """The parent reads, the child works and answers."""
    pid = os.fork()
    if pid == 0:
        each(receive)
        os._exit(0)
    each(lambda: os.read(0, 4096), lambda line: send(line + b"\n"))
    os.kill(pid, 9)
    os.waitpid(pid, 0)


def relay_pipe():
    r, w = os.pipe()
    relay(lambda data: os.write(w, data), lambda: os.read(r, 4096))


def relay_socket():
    a, b = socket.socketpair()
    relay(a.sendall, lambda: b.recv(4096))


def late_relay():
    """The child is made by the first request, not at the start."""
    first = os.read(0, 4096)
    handle(first.strip())
    relay_socket()


def child_reads():
    """A child made by the first request reads all the others."""
    first = os.read(0, 4096)
    handle(first.strip())
    pid = os.fork()
    if pid == 0:
        each(lambda: os.read(0, 4096))
        os._exit(0)
    os.waitpid(pid, 0)


def flickering():
    """Another thread makes the descriptor lead elsewhere half of the time."""
    real, zero = os.dup(0), os.open("/dev/zero", os.O_RDONLY)
    os.set_blocking(real, False)
    at = os.dup(zero)
    stop = threading.Event()

    def change():
        while not stop.is_set():
            LIBC.dup2(real, at)
            LIBC.dup2(zero, at)
    threading.Thread(target=change, daemon=True).start()
    buf = ctypes.create_string_buffer(1)

    def more():
        while True:
            n = LIBC.read(at, buf, 1)
            if n > 0 and buf.raw != b"\0":
                return buf.raw
            if n == 0:
                stop.set()
                return b""
    each(more)
