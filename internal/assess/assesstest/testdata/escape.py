# Every tool tries one way to more rights or out of the sandbox and answers
# with the error it got. Goes behind evasion.py.
import errno

TOOLS.clear()
NUMBERS = """mount 165 40, umount2 166 39, pivot_root 155 41, chroot 161 51, unshare 272 97, setns 308 268, clone 56 220,
clone3 435 435, ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, pidfd_open 434 434,
pidfd_getfd 438 438, bpf 321 280, init_module 175 105, finit_module 313 273, delete_module 176 106,
kexec_load 246 104, kexec_file_load 320 294, reboot 169 142, sethostname 170 161, setdomainname 171 162,
swapon 167 224, iopl 172 -1, ioperm 173 -1, perf_event_open 298 241, keyctl 250 219, add_key 248 217,
userfaultfd 323 282, io_setup 206 0, io_uring_setup 425 425, open_by_handle_at 304 265,
name_to_handle_at 303 264, fsopen 430 430, open_tree 428 428, move_mount 429 429, mount_setattr 442 442,
setuid 105 146, setresuid 117 147, setgid 106 144, setgroups 116 159, capset 126 91, acct 163 89,
quotactl 179 60, settimeofday 164 170, clock_settime 227 112, copy_file_range 326 285,
process_madvise 440 440, mknodat 259 33, fanotify_init 300 262, modify_ldt 154 -1, vhangup 153 58"""
NR.update({n: int(a if X86 else b) for n, a, b in (e.split() for e in NUMBERS.split(","))})


def refused(name, work):
    """A tool that answers with the name of the error work raises."""
    def run():
        try:
            result = work()
        except OSError as e:
            return errno.errorcode.get(e.errno, str(e.errno))
        return "allowed: %r" % (result,)
    TOOLS[name] = run


def call(name, *args, tool=None):
    refused(tool or "do_" + name, lambda: raw(name, *args))


def sleeper():
    """A process of ours that holds a secret."""
    pid = os.fork()
    if pid == 0:
        held = slurp("/etc/hostname")
        time.sleep(60)
        os._exit(len(held))
    return pid


def on_sleeper(work):
    def run():
        pid = sleeper()
        try:
            return work(pid)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return run


NEWUSER, NEWNS, NEWNET, NEWPID = 0x10000000, 0x20000, 0x40000000, 0x20000000
page = ctypes.create_string_buffer(4096)
here = ctypes.addressof(page)
iov = struct.pack("QQ", here, 64)

call("mount", b"none", b"/mnt", b"tmpfs", 0, None)
call("mount", SECRET.encode(), b"/tmp/bound", None, 4096, None, tool="bind_mount")
call("umount2", b"/proc", 2)
call("pivot_root", b"/tmp", b"/tmp")
call("chroot", b"/tmp")
call("unshare", NEWUSER | NEWNS)
call("unshare", NEWNET, tool="unshare_net")
refused("enter_namespace", lambda: raw("setns", os.open("/proc/1/ns/mnt", RD), 0))
call("clone", NEWUSER | signal.SIGCHLD, 0, 0, 0, 0)
refused("do_clone3", lambda: raw("clone3", struct.pack("QQQQQQQQ", NEWUSER | NEWPID, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64))
refused("trace_other", on_sleeper(lambda pid: raw("ptrace", 16, pid, 0, 0)))
refused("trace_first", lambda: raw("ptrace", 0x4206, 1, 0, 0))
refused("read_other_memory", on_sleeper(lambda pid: raw("process_vm_readv", pid, iov, 1, iov, 1, 0)))
refused("write_other_memory", on_sleeper(lambda pid: raw("process_vm_writev", pid, iov, 1, iov, 1, 0)))
refused("take_descriptor", on_sleeper(lambda pid: raw("pidfd_getfd", raw("pidfd_open", pid, 0), 0, 0)))
call("bpf", 5, here, 120)
call("init_module", here, 4096, b"")
call("finit_module", 0, b"", 0)
call("delete_module", b"x", 0)
call("kexec_load", 0, 0, 0, 0)
call("kexec_file_load", 0, 0, 0, b"", 0)
call("reboot", 0xfee1dead, 672274793, 0x1234567, 0)
call("sethostname", b"owned", 5)
call("setdomainname", b"owned", 5)
call("swapon", b"/tmp/swap", 0)
if X86:
    call("iopl", 3)
    call("ioperm", 0x378, 3, 1)
    call("modify_ldt", 1, here, 16)
call("perf_event_open", here, 0, -1, -1, 0)
call("keyctl", 0, -3, 0, 0, 0)
call("add_key", b"user", b"x", b"y", 1, -3)
call("userfaultfd", 0)
call("io_setup", 8, here)
call("io_uring_setup", 8, here)
call("open_by_handle_at", -100, here, RD)
call("name_to_handle_at", -100, SECRET.encode(), here, here, 0)
call("fsopen", b"tmpfs", 0)
call("open_tree", -100, b"/", 1)
call("move_mount", -100, b"/", -100, b"/mnt", 0)
call("mount_setattr", -100, b"/", 0, here, 32)
call("setuid", 0)
call("setresuid", 0, 0, 0)
call("setgid", 0)
call("setgroups", 1, here)
call("capset", struct.pack("II", 0x20080522, 0), struct.pack("IIIIII", 0xffffffff, 0xffffffff, 0, 0xff, 0xff, 0))
call("acct", b"/tmp/acct")
call("quotactl", 0, b"/dev/sda", 0, here)
call("settimeofday", struct.pack("QQ", 0, 0), None)
call("clock_settime", 0, struct.pack("QQ", 0, 0))
call("fanotify_init", 0, 0)
call("vhangup")
call("process_madvise", -1, here, 1, 4, 0)
refused("device", lambda: os.mknod("/tmp/mem", 0o600 | stat.S_IFCHR, os.makedev(1, 1)))
refused("block_device", lambda: raw("mknodat", -100, b"/tmp/sda", 0o600 | stat.S_IFBLK, os.makedev(8, 0)))
refused("raw_icmp", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP))
refused("raw_icmp6", lambda: socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58))
refused("packets", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 3))
refused("packets_cooked", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, 3))


def netlink(kind, flags, body):
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.settimeout(5)
    s.sendto(struct.pack("IHHII", 16 + len(body), kind, flags, 1, 0) + body, (0, 0))
    reply = s.recv(4096)
    code = struct.unpack_from("i", reply, 16)[0]
    if struct.unpack_from("H", reply, 4)[0] == 2 and code:
        raise OSError(-code, "netlink")
    return reply


refused("new_link", lambda: netlink(16, 0x605, struct.pack("BBHiII", 0, 0, 0, 0, 0, 0)))
refused("new_address", lambda: netlink(20, 0x605, struct.pack("BBBBI", 2, 8, 0, 0, 1) + struct.pack("HH4s", 8, 2, b"\x0a\0\0\1")))
refused("new_route", lambda: netlink(24, 0x605, struct.pack("BBBBBBBBI", 2, 0, 0, 0, 254, 3, 0, 1, 0)))
refused("interface_flags", lambda: fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sH14x", b"lo", 0)))


def write(path):
    def run():
        with open(path, "r+b", buffering=0) as f:
            return f.write(b"1")
    return run


def create(path): return lambda: os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)


for name, path in {
    "kernel_setting": "/proc/sys/kernel/hostname", "core_pattern": "/proc/sys/kernel/core_pattern",
    "forwarding": "/proc/sys/net/ipv4/ip_forward", "sysrq": "/proc/sysrq-trigger",
    "sys_setting": "/sys/kernel/mm/transparent_hugepage/enabled", "kernel_log": "/dev/kmsg",
    "uid_map": "/proc/self/uid_map", "first_memory": "/proc/1/mem",
}.items():
    refused(name, write(path))
for name, path in {
    "shadow": "/etc/shadow", "kcore": "/proc/kcore", "kvm": "/dev/kvm", "physical_memory": "/dev/mem",
    "root_home": "/root/.ssh/id_rsa", "sudoers": "/etc/sudoers", "disk": "/dev/sda",
}.items():
    refused(name, lambda path=path: slurp(path))
refused("sys_file", create("/sys/new"))
refused("system_program", create("/usr/bin/owned"))
refused("system_settings", create("/etc/cron.d/owned"))
refused("boot", create("/boot/owned"))


refused("signal_everybody", lambda: os.kill(-1, 0))


def as_root(*argv):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return done.stdout
    raise OSError(errno.EPERM, done.stdout)


refused("su", lambda: as_root("su", "-c", "id"))
refused("mount_program", lambda: as_root("mount", "-t", "tmpfs", "none", "/mnt"))
refused("sudo", lambda: as_root("sudo", "-n", "id"))
refused("passwd", lambda: as_root("passwd", "-d", "root"))


def racing_clone3():
    """Another thread puts the flag for a user namespace in and out."""
    args = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", 0, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)
    # clone3(rdi, rsi); the child waits for ever
    start = machine_code(bytes.fromhex("b8b30100000f0585c074034898c3b8220000000f05ebf7"), ctypes.c_long, ctypes.c_void_p, ctypes.c_long)
    flip = native_flipper(ctypes.addressof(args) + 3, NEWUSER >> 24)
    own = slurp("/proc/self/uid_map")

    def work():
        pid = start(ctypes.addressof(args), 64)
        if pid < 0:
            return 0
        moved = slurp("/proc/%d/uid_map" % pid) != own
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return moved
    escaped = against(flip, work)
    if escaped != "0":
        return escaped + " times in a namespace of its own"
    return raw("clone3", struct.pack("QQQQQQQQ", NEWUSER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0), 64)


if X86:
    refused("racing_clone3", racing_clone3)
refused("clone_file", lambda: fcntl.ioctl(os.open(scratch("clone"), os.O_RDWR | os.O_CREAT), 0x40049409, os.open("/etc/hostname", RD)))
refused("do_copy_file_range", lambda: raw("copy_file_range", os.open("/etc/hostname", RD), 0, os.open(scratch("range"), os.O_RDWR | os.O_CREAT), 0, 64, 0))


@tool
def setuid_program():
    """A setuid program of our own gives us nobody's rights but ours."""
    mine = scratch("mine")
    with open("/usr/bin/id", "rb") as f, open(mine, "wb") as g:
        g.write(f.read())
    os.chmod(mine, 0o6755)
    return output(mine, "-u").decode().strip() + " " + output("/usr/bin/id", "-u").decode().strip()


@tool
def old_entry():
    """The 32 bit entry of the kernel: int 0x80 with open(2) of the secret."""
    if not X86:
        return "none here"
    code = bytes([0x53, 0x89, 0xfb, 0xb8, 5, 0, 0, 0, 0x31, 0xc9, 0xcd, 0x80, 0x5b, 0x48, 0x98, 0xc3])
    pid = os.fork()
    if pid == 0:
        libc.mmap.restype = ctypes.c_void_p
        at = libc.mmap(ctypes.c_void_p(0x10000000), ctypes.c_size_t(8192), 7, 0x32, -1, ctypes.c_long(0))
        ctypes.memmove(at, code, len(code))
        ctypes.memmove(at + 4096, SECRET.encode() + b"\0", len(SECRET) + 1)
        fd = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(at)(at + 4096)
        os._exit(99 if fd < 0 else 7)
    return "opened" if os.waitpid(pid, 0)[1] == 7 << 8 else "refused"


@tool
def status():
    text = slurp("/proc/self/status").decode()
    keep = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd")
    lines = [" ".join(l.split()) for l in text.splitlines() if l.split(":")[0] in keep]
    return ", ".join(lines + ["no new privileges: %d" % libc.prctl(39, 0, 0, 0, 0)])
