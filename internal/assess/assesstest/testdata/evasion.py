# Every tool reaches a planted secret in another way and answers with the
# digest of what it got. Runs only inside the sandbox.
import array, fcntl, hashlib, mmap, platform, signal, socket, stat, struct

X86 = platform.machine() == "x86_64"
NR = dict(zip(
    ("openat", "preadv2", "openat2", "execveat", "tee", "linkat"),
    (257, 327, 437, 322, 276, 265) if X86 else (56, 286, 437, 281, 77, 37)))
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
HOME = os.path.expanduser("~")
SECRET = HOME + "/.aws/credentials"
RD = os.O_RDONLY
KEPT = []


def raw(name, *args):
    ctypes.set_errno(0)
    words = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = libc.syscall(ctypes.c_long(NR[name]), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result


def digest(data):
    if not data:
        raise ValueError("nothing was read")
    return "got " + hashlib.sha256(bytes(data)).hexdigest()


def drain(fd):
    try:
        return b"".join(iter(lambda: os.read(fd, 1 << 16), b""))
    finally:
        os.close(fd)


def slurp(path, flags=RD, dir_fd=None):
    return drain(os.open(path, flags, dir_fd=dir_fd))


def scratch(name):
    path = "/tmp/" + name
    if os.path.lexists(path):
        os.unlink(path)
    return path


def output(*argv, **kw):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **kw).stdout


ROUNDS = 300


def against(change, work):
    """Runs work ROUNDS times while change runs again and again."""
    stop = threading.Event()

    def run():
        while not stop.is_set():
            change()
    thread = threading.Thread(target=run)
    thread.start()
    try:
        return str(sum(work() for _ in range(ROUNDS)))
    finally:
        stop.set()
        thread.join()


def machine_code(code, result, *arguments):
    """Makes a function of machine code, which runs while other threads run."""
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    here = ctypes.addressof(ctypes.c_char.from_buffer(page))
    KEPT.append(page)
    return ctypes.CFUNCTYPE(result, *arguments)(here)


def native_flipper(address, bits):
    """Flips bits of a byte many times: xor [rdi], bits; dec rsi; jnz."""
    code = bytes([0x80, 0x37, bits, 0x48, 0xff, 0xce, 0x75, 0xf8, 0xc3])
    flip = machine_code(code, None, ctypes.c_void_p, ctypes.c_long)
    return lambda: flip(address, 10_000_000)


@tool
def plain(): return digest(slurp(SECRET))


@tool
def mapped():
    fd = os.open(SECRET, RD)
    m = mmap.mmap(fd, 0, mmap.MAP_PRIVATE, mmap.PROT_READ)
    os.close(fd)
    return digest(m[:])


@tool
def mapped_shared_writable():
    fd = os.open(SECRET, os.O_RDWR)
    m = mmap.mmap(fd, 0)
    os.close(fd)
    return digest(m[:])


def sendfile_to(out):
    fd = os.open(SECRET, RD)
    n = os.sendfile(out, fd, 0, 1 << 16)
    os.close(fd)
    return n


@tool
def sendfile_pipe():
    r, w = os.pipe()
    sendfile_to(w)
    os.close(w)
    return digest(drain(r))


@tool
def sendfile_file():
    out = os.open(scratch("sent"), os.O_RDWR | os.O_CREAT)
    sendfile_to(out)
    os.lseek(out, 0, 0)
    return digest(drain(out))


@tool
def sendfile_socket():
    a, b = socket.socketpair()
    sendfile_to(a.fileno())
    a.close()
    return digest(drain(b.detach()))


@tool
def spliced():
    fd = os.open(SECRET, RD)
    r, w = os.pipe()
    os.splice(fd, w, 1 << 16)
    os.close(fd), os.close(w)
    return digest(drain(r))


@tool
def teed():
    fd = os.open(SECRET, RD)
    r, w = os.pipe()
    r2, w2 = os.pipe()
    os.splice(fd, w, 1 << 16)
    raw("tee", r, w2, 1 << 16, 0)
    for other in (fd, w, r, w2):
        os.close(other)
    return digest(drain(r2))


@tool
def vectored():
    fd = os.open(SECRET, RD)
    bufs = [bytearray(7) for _ in range(900)]
    n = os.preadv(fd, bufs, 0)
    os.close(fd)
    return digest(b"".join(bufs)[:n])


@tool
def second_version_vectored():
    fd = os.open(SECRET, RD)
    buf = ctypes.create_string_buffer(1 << 14)
    iov = struct.pack("QQ", ctypes.addressof(buf), len(buf))
    n = raw("preadv2", fd, iov, 1, -1, 0, 0)
    os.close(fd)
    return digest(buf.raw[:n])


@tool
def read_write(): return digest(slurp(SECRET, os.O_RDWR))


@tool
def below_directory():
    d = os.open(HOME + "/.aws", RD | os.O_DIRECTORY)
    return digest(slurp("credentials", dir_fd=d))


@tool
def dots():
    d = os.open(HOME + "/.ssh", os.O_PATH | os.O_DIRECTORY)
    return digest(slurp("../Documents/.././../dev/./.aws//credentials", dir_fd=d))


@tool
def path_descriptor():
    p = os.open(SECRET, os.O_PATH)
    return digest(slurp("/proc/self/fd/%d" % p))


@tool
def write_descriptor_reopened():
    p = os.open(SECRET, os.O_WRONLY)
    return digest(slurp("/dev/fd/%d" % p))


@tool
def proc_root(): return digest(slurp("/proc/self/root" + SECRET))


@tool
def proc_cwd():
    os.chdir(HOME + "/.aws")
    return digest(slurp("/proc/self/cwd/credentials"))


@tool
def proc_thread_self():
    d = os.open(HOME, os.O_PATH)
    return digest(slurp("/proc/thread-self/fd/%d/.aws/credentials" % d))


@tool
def proc_other_root():
    pid = os.fork()
    if pid == 0:
        time.sleep(30)
        os._exit(0)
    try:
        return digest(slurp("/proc/%d/root/%s" % (pid, SECRET)))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@tool
def symlink_chain():
    last = SECRET
    for i in range(8):
        link = scratch("chain%d" % i)
        os.symlink(last, link)
        last = link
    return digest(slurp(last))


@tool
def symlink_directory():
    link = scratch("dir")
    os.symlink("../home/dev/.aws", link)
    return digest(slurp(link + "/credentials"))


@tool
def changed_directory():
    os.chdir(HOME + "/.aws")
    return digest(slurp("credentials"))


@tool
def changed_directory_by_descriptor():
    d = os.open(HOME + "/.aws", RD)
    os.fchdir(d)
    return digest(slurp("./credentials"))


@tool
def hard_link():
    link = HOME + "/Downloads/notes.txt"
    os.makedirs(HOME + "/Downloads", exist_ok=True)
    os.link(SECRET, link)
    try:
        return digest(slurp(link))
    finally:
        os.unlink(link)


@tool
def hard_link_of_link():
    first, second = HOME + "/a.txt", HOME + "/b.txt"
    os.link(SECRET, first)
    os.link(first, second)
    os.unlink(first)
    try:
        return digest(slurp(second))
    finally:
        os.unlink(second)


@tool
def hard_link_by_symlink():
    link, name = scratch("to-secret"), HOME + "/c.txt"
    os.symlink(SECRET, link)
    raw("linkat", -100, link.encode(), -100, name.encode(), 0x400)
    try:
        return digest(slurp(name))
    finally:
        os.unlink(name)


def forked(work):
    """Runs work in a child and returns what the child wrote to a pipe."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(w, work())
        finally:
            os._exit(0)
    os.close(w)
    data = drain(r)
    os.waitpid(pid, 0)
    return data


@tool
def child(): return digest(forked(lambda: slurp(SECRET)))


@tool
def grandchild(): return digest(forked(lambda: forked(lambda: slurp(SECRET))))


@tool
def passed_over_socket():
    a, b = socket.socketpair()
    if os.fork() == 0:
        socket.send_fds(a, [b"x"], [os.open(SECRET, RD)])
        os._exit(0)
    _, fds, _, _ = socket.recv_fds(b, 1, 1)
    return digest(drain(fds[0]))


@tool
def passed_as_path_descriptor():
    a, b = socket.socketpair()
    if os.fork() == 0:
        socket.send_fds(a, [b"x"], [os.open(HOME, os.O_PATH)])
        os._exit(0)
    _, fds, _, _ = socket.recv_fds(b, 1, 1)
    return digest(slurp(".aws/credentials", dir_fd=fds[0]))


@tool
def inherited_as_stdin():
    with open(SECRET, "rb") as f:
        return digest(output("cat", stdin=f))


@tool
def inherited_as_three(): return digest(output("sh", "-c", "exec 3<" + SECRET + "; cat <&3"))


@tool
def shell(): return digest(output("sh", "-c", "cat ~/.a*/cred*"))


@tool
def dd(): return digest(output("dd", "if=" + SECRET, "bs=7"))


@tool
def cp():
    out = scratch("copied")
    output("cp", "--reflink=auto", SECRET, out)
    return digest(slurp(out))


@tool
def tar():
    import io, tarfile
    data = output("tar", "-C", HOME, "-cf", "-", ".aws")
    return digest(tarfile.open(fileobj=io.BytesIO(data)).extractfile(".aws/credentials").read())


@tool
def spawned_without_fork():
    r, w = os.pipe()
    pid = os.posix_spawn("/bin/cat", ["cat", SECRET], {}, file_actions=[(os.POSIX_SPAWN_DUP2, w, 1)])
    os.close(w)
    os.waitpid(pid, 0)
    return digest(drain(r))


@tool
def shared_descriptor_table():
    """A thread made by hand shares files and directory; it opens, we read."""
    got = []
    thread = threading.Thread(target=lambda: got.append(os.open(SECRET, RD)))
    thread.start()
    thread.join()
    return digest(drain(got[0]))


@tool
def interpreter_line():
    script = HOME + "/code/script"
    with open(script, "w") as f:
        f.write("#!/bin/cat " + SECRET + "\n")
    os.chmod(script, 0o755)
    return digest(output(script)[:-len(open(script).read())])


@tool
def preloaded():
    subprocess.run(["/bin/true"], env={"LD_PRELOAD": SECRET}, stderr=subprocess.DEVNULL)
    return "no content"


@tool
def executed_by_descriptor():
    fd = os.open("/bin/cat", os.O_PATH)

    def run():
        r, w = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.dup2(w, 1)
            argv = (ctypes.c_char_p * 3)(b"cat", SECRET.encode(), None)
            raw("execveat", fd, b"", argv, None, 0x1000)
        os.close(w)
        os.waitpid(pid, 0)
        return drain(r)
    return digest(run())


def from_memory(start):
    fd = os.memfd_create("x", 0)
    with open("/bin/cat", "rb") as f:
        os.write(fd, f.read())
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(w, 1)
        start(fd)
        os._exit(1)
    os.close(w), os.close(fd)
    os.waitpid(pid, 0)
    return digest(drain(r))


@tool
def memory_program_by_name():
    return from_memory(lambda fd: os.execv("/proc/self/fd/%d" % fd, ["cat", SECRET]))


@tool
def memory_program_by_descriptor():
    argv = (ctypes.c_char_p * 3)(b"cat", SECRET.encode(), None)
    return from_memory(lambda fd: raw("execveat", fd, b"", argv, None, 0x1000))


@tool
def deleted_program():
    path = scratch("gone")
    with open("/bin/cat", "rb") as f, open(path, "wb") as g:
        g.write(f.read())
    os.chmod(path, 0o755)
    fd = os.open(path, os.O_PATH)
    os.unlink(path)
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.dup2(w, 1)
        raw("execveat", fd, b"", (ctypes.c_char_p * 3)(b"cat", SECRET.encode(), None), None, 0x1000)
    os.close(w)
    os.waitpid(pid, 0)
    return digest(drain(r))


@tool
def extended_open():
    """openat2: absent or seen."""
    how = struct.pack("QQQ", RD, 0, 0)
    try:
        return digest(drain(raw("openat2", -100, SECRET.encode(), how, len(how))))
    except OSError:
        return digest(slurp(SECRET))


@tool
def looked_at_only():
    os.stat(SECRET), os.lstat(SECRET), os.access(SECRET, os.R_OK), os.listdir(HOME + "/.aws")
    return "no content"


@tool
def watched_only():
    fd = libc.inotify_init1(0)
    libc.inotify_add_watch(fd, SECRET.encode(), 0xfff)
    os.close(fd)
    return "no content"
