//go:build linux

package observe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// Half a million system calls from eight threads at once, in one tool call: each
// is produced, received and counted in an event.
func TestLosslessHalfAMillionCalls(t *testing.T) {
	const threads, reads, opens = 8, 62_000, 500
	// Reading a line from an unbuffered stream is one system call per byte, all
	// within one call of Python, so the threads really run in parallel.
	r := assesstest.Python(t, fmt.Sprintf(`
THREADS, READS, OPENS = %d, %d, %d
libc = ctypes.CDLL(None, use_errno=True)
libc.fopen.restype = ctypes.c_void_p
libc.getdelim.restype = ctypes.c_ssize_t
home = os.path.expanduser("~/Documents/")
for i in range(THREADS):
    with open(home + "line%%d" %% i, "wb") as f: f.write(b"x" * (READS - 1) + b"\n")
counts = [0] * THREADS
def work(i):
    name = (home + "line%%d" %% i).encode()
    for n in range(OPENS - 1): libc.close(libc.open(name, 0))
    stream = ctypes.c_void_p(libc.fopen(name, b"r"))
    libc.setvbuf(stream, None, 2, 0)
    line, size = ctypes.c_void_p(), ctypes.c_size_t()
    counts[i] = libc.getdelim(ctypes.byref(line), ctypes.byref(size), 10, stream)
threads = [threading.Thread(target=work, args=(i,)) for i in range(THREADS)]
@tool
def works():
    for t in threads: t.start()
    return wait()
def wait():
    end = time.monotonic() + 10
    for t in threads: t.join(max(0, end - time.monotonic()))
    return "read=%%d" %% sum(counts)
# A slow machine may take longer than one call may.
for i in range(8): TOOLS["wait%%d" %% i] = wait
`, threads, reads, opens), assesstest.Within(5*time.Minute))
	assesstest.Complete(t, r)
	if n := assesstest.Number(t, assesstest.Said(t, r, "wait7"), "read"); n != threads*reads {
		t.Fatalf("the server made %d reads, want %d", n, threads*reads)
	}
	call := assesstest.CallOf(t, r, "works")
	var sum, bytes, opened int64
	for _, e := range assesstest.EventsOf(r, func(e *mcpsf.Event) bool {
		return e.Call == call && e.File != nil && strings.HasPrefix(e.File.Path, mcpsf.Home+"/Documents/line")
	}) {
		switch e.Kind {
		case mcpsf.KindFileRead:
			sum += max(1, e.Count)
			bytes += e.File.Bytes
		case mcpsf.KindFileOpen:
			opened += max(1, e.Count)
		}
	}
	if sum != threads*reads || bytes != threads*reads || opened != threads*opens {
		t.Errorf("the events stand for %d reads of %d bytes and %d opens; %d, %d and %d were made",
			sum, bytes, opened, threads*reads, threads*reads, threads*opens)
	}
	totals := r.Report.Coverage.Events
	if totals.Produced != totals.Received || totals.Produced < threads*(reads+opens) {
		t.Errorf("totals: %+v", totals)
	}
	for i := range r.Events {
		if r.Events[i].Seq != int64(i+1) {
			t.Fatalf("event %d is numbered %d", i+1, r.Events[i].Seq)
		}
	}
	t.Logf("%d records produced, %d received, %d events", totals.Produced, totals.Received, len(r.Events))
}
