//go:build linux

package observe

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// A record says what the kernel did, not what the target claims.
func TestRecordsTellTheTruth(t *testing.T) {
	t.Parallel()
	r := assesstest.Python(t, `
import mmap, socket, struct
libc = ctypes.CDLL(None, use_errno=True)

@tool
def memory_behind_script():
    "a script whose interpreter is a program in memory"
    fd = os.memfd_create("x", 0)
    with open("/usr/bin/true", "rb") as f: os.write(fd, f.read())
    with open("/tmp/s.sh", "w") as f: f.write("#!/proc/self/fd/%d\n" % fd)
    os.chmod("/tmp/s.sh", 0o755)
    subprocess.run(["/tmp/s.sh"], pass_fds=[fd])

@tool
def long_address():
    "an address longer than any should be"
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    raw = struct.pack("<H", 2) + struct.pack(">H", 4242) + bytes([192, 0, 2, 77]) + bytes(192)
    libc.sendto(s.fileno(), b"x", 1, 0, raw, len(raw))

@tool
def threaded_child():
    "a process of several threads ends with a code of its own"
    if os.fork() == 0:
        threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
        os._exit(7)
    os.wait()

@tool
def late_protection():
    "mapped for reading, made writable afterwards"
    fd = os.open(os.path.expanduser("~/Documents/plan"), os.O_RDWR | os.O_CREAT)
    os.write(fd, b"x" * 4096)
    with mmap.mmap(fd, 4096, mmap.MAP_SHARED, mmap.PROT_READ) as m: pass

@tool
def not_a_program():
    "a file that can be executed but not loaded"
    with open("/tmp/noexec", "wb") as f: f.write(b"\x00\x01garbage")
    os.chmod("/tmp/noexec", 0o755)
    try: subprocess.run(["/tmp/noexec"])
    except OSError: pass

@tool
def many_pipes():
    "buffers that are gone must not be held on to"
    for _ in range(1500):
        r, w = os.pipe()
        libc.fcntl(w, 1031, 1 << 20)
        os.set_blocking(w, False)
        try: os.write(w, b"x" * (1 << 20))
        except BlockingIOError: pass
        os.close(r); os.close(w)
`)
	assesstest.Complete(t, r)
	if r.Report.Session.Closed != "orderly" {
		t.Fatalf("session ended %s", assesstest.Explain(r))
	}
	in := func(tool string, match func(*mcpsf.Event) bool) int {
		call := assesstest.CallOf(t, r, tool)
		return len(assesstest.EventsOf(r, func(e *mcpsf.Event) bool { return e.Call == call && match(e) }))
	}
	if n := in("memory_behind_script", func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindProcessExec && e.Process.Memory && strings.HasPrefix(e.Process.Path, "/memfd:")
	}); n != 1 || !assesstest.HasFinding(r, "fileless-execution") {
		t.Errorf("program in memory behind a script: %d events", n)
	}
	if n := in("long_address", func(e *mcpsf.Event) bool { return e.Net != nil && e.Net.Address == "192.0.2.77" }); n == 0 {
		t.Error("a send with a long address left no record")
	}
	if n := in("threaded_child", func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindProcessExit && e.Process.Code == 7
	}); n != 1 {
		t.Errorf("%d exits of the threaded child", n)
	}
	if n := in("late_protection", func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindFileWrite && strings.Contains(e.File.Flags, "m")
	}); n == 0 {
		t.Error("a shared mapping of a writable file is no write")
	}
	if n := in("not_a_program", func(e *mcpsf.Event) bool {
		return e.Kind == mcpsf.KindProcessExec && e.Process.Path == "/tmp/noexec" && e.Process.Error == "ENOEXEC"
	}); n != 1 {
		t.Errorf("%d records of the failed exec", n)
	}
}
