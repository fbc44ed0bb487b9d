//go:build linux

package assess

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// containEngine: what piles up in gVisor's kernel itself rather than in the target's memory
// ends as well: refused by a limit, or by ending the sandbox. Nothing of it
// may be called a clean run, and nothing of it may crash gVisor's kernel.
func containEngine(t *testing.T, h *hostCheck) {
	for name, body := range map[string]string{
		"full pipes": `
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            while True:
                r, w = os.pipe()
                os.set_blocking(w, False)
                try:
                    while True: os.write(w, b"x" * 65536)
                except BlockingIOError: pass
    time.sleep(1000)
`,
		"full sockets": `
import socket
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            while True:
                a, b = [s.detach() for s in socket.socketpair()]
                os.set_blocking(a, False)
                try:
                    while True: os.write(a, b"x" * 65536)
                except BlockingIOError: pass
    time.sleep(1000)
`,
		"listening sockets": `
import socket
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            held = []
            while True:
                s = socket.socket()
                s.bind(("127.0.0.1", 0))
                s.listen(10)
                held.append(s)
    time.sleep(1000)
`,
		"epoll": `
import select
@tool
def bomb():
    for i in range(100):
        if os.fork() == 0:
            r, w = os.pipe()
            held = []
            while True:
                e = select.epoll()
                e.register(r)
                held.append(e)
    time.sleep(1000)
`,
		"deep directories": `
@tool
def bomb():
    os.chdir("/tmp")
    while True:
        os.mkdir("d")
        os.chdir("d")
`,
		"small files": `
@tool
def bomb():
    for p in range(4):
        if os.fork() == 0:
            i = 0
            while True:
                i += 1
                os.close(os.open("/tmp/%d-%d" % (p, i), os.O_CREAT | os.O_WRONLY))
    time.sleep(1000)
`,
		"symbolic links": `
@tool
def bomb():
    for p in range(4):
        if os.fork() == 0:
            i = 0
            while True:
                i += 1
                os.symlink("x" * 4000, "/tmp/%d-%d" % (p, i))
    time.sleep(1000)
`,
		"zombies": `
@tool
def bomb():
    while True:
        if os.fork() == 0: os._exit(0)
`,
		"mappings": `
import mmap
@tool
def bomb():
    libc = ctypes.CDLL(None)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
    n = 0
    while True:
        p = libc.mmap(None, 8192, mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
        if p in (None, ctypes.c_void_p(-1).value): return "refused after %d" % n
        ctypes.memset(p, 1, 1)
        libc.mprotect(ctypes.c_void_p(p), 4096, 1)
        n += 1
`,
		"record locks": `
import fcntl
@tool
def bomb():
    fd = os.open("/tmp/locked", os.O_CREAT | os.O_RDWR)
    i = 0
    while True:
        i += 2
        fcntl.lockf(fd, fcntl.LOCK_EX, 1, i)
`,
		"timers and signals": `
@tool
def bomb():
    libc = ctypes.CDLL(None)
    while True:
        t = ctypes.c_void_p()
        if libc.timer_create(0, None, ctypes.byref(t)) != 0: return "refused"
`,
		"files of the host": `
@tool
def bomb():
    names = []
    for dir, _, files in os.walk("/usr"):
        names += [os.path.join(dir, f) for f in files]
        if len(names) > 3000: break
    for i in range(100):
        if os.fork() == 0:
            held = []
            for n in names:
                try: held.append(os.open(n, os.O_RDONLY))
                except OSError: pass
            time.sleep(1000)
    time.sleep(1000)
`,
		"extended attributes": `
@tool
def bomb():
    for i in range(100000):
        f = "/tmp/%d" % i
        os.close(os.open(f, os.O_CREAT | os.O_WRONLY))
        for j in range(100):
            try: os.setxattr(f, "user.%d" % j, b"x" * 60000)
            except OSError as e: return "refused"
`,
		"message queues": `
@tool
def bomb():
    libc = ctypes.CDLL(None, use_errno=True)
    text = ctypes.create_string_buffer(b"\1\0\0\0\0\0\0\0" + b"x" * 8000)
    for i in range(1000000):
        q = libc.msgget(0, 0o1600)
        if q < 0: return "refused"
        while libc.msgsnd(q, text, 8000, 0o4000) == 0: pass
`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wall := 3 * time.Second
			if nightly() {
				wall = 10 * time.Second
			}
			full := slices.Contains([]string{"full pipes", "full sockets", "extended attributes"}, name)
			if full {
				wall = time.Minute // these get there
			}
			r := h.assess(t, body, within(wall))
			t.Logf("%d events, limits %+v", len(r.Events), limitsHit(r))
			most := int64(0)
			if full {
				most = 1 // the one that was being written when the kernel was ended
			}
			if r.Report.Coverage.Events.Lost > most {
				t.Errorf("events: %+v", r.Report.Coverage.Events)
			}
			if full {
				if hit := wantLimit(t, r, mcpsf.LimitMemory, "killed"); hit.Value <= hit.Limit || hit.Value > 2*hit.Limit {
					t.Errorf("ended at %d of %d bytes", hit.Value, hit.Limit)
				}
				return
			}
			for _, e := range eventsOf(r, func(e *mcpsf.Event) bool { return e.Kind == mcpsf.KindSandboxError }) {
				if strings.Contains(e.Sandbox.Text, "kernel") {
					t.Errorf("the sandbox failed: %s", e.Sandbox.Text)
				}
			}
		})
	}
}
