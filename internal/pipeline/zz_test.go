//go:build linux
package pipeline
import ("testing")
func TestZZ(t *testing.T) {
	r := pythonCase(t, script(t, "evasion.py")+script(t, "escape.py")+`
TOOLS.clear()
import traceback
@tool
def a():
    try:
        s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
        return "made"
    except OSError: return traceback.format_exc()
@tool
def b():
    try: return netlink(16, 0x605, struct.pack("BBHiII", 0, 0, 0, 0, 0, 0))
    except OSError: return traceback.format_exc()
@tool
def c():
    try: return netlink(18, 0x301, struct.pack("BBHiII", 0, 0, 0, 0, 0, 0))
    except OSError: return traceback.format_exc()
@tool
def old():
    code = bytes([0x53, 0x89, 0xfb, 0xb8, 5, 0, 0, 0, 0x31, 0xc9, 0xcd, 0x80, 0x5b, 0x48, 0x98, 0xc3])
    libc.mmap.restype = ctypes.c_void_p
    at = libc.mmap(ctypes.c_void_p(0x10000000), ctypes.c_size_t(8192), 7, 0x32, -1, ctypes.c_long(0))
    ctypes.memmove(at, code, len(code))
    ctypes.memmove(at + 4096, SECRET.encode() + b"\0", len(SECRET) + 1)
    fd = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(at)(at + 4096)
    return hex(at), fd
@tool
def uname():
    return os.uname(), slurp("/proc/mounts"), slurp("/proc/self/mountinfo"), slurp("/proc/cmdline"), slurp("/proc/version"), slurp("/proc/cpuinfo")[:1500], os.listdir("/dev"), os.listdir("/proc"), os.listdir("/sys"), slurp("/proc/self/cgroup"), slurp("/proc/uptime"), slurp("/proc/meminfo")
@tool
def env():
    return os.environ
@tool
def dev():
    return output("ls","-la","/","/dev","/sys","/sys/class","/sys/devices", "/proc/self/fd", "/proc/self/ns", "/home/dev","/etc", "/run", "/var").decode()
@tool
def pr(): return libc.prctl(39,0,0,0,0), slurp("/proc/self/status")
`)
	for _, n := range r.Report.Session.Tools { t.Logf("%s: %s", n.Name, replyOf(t, r, n.Name)) }
}
