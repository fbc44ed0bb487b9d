package box

import (
	"bufio"
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// In a sandbox with a later date every clock shows it from the first read on,
// and time passes as usual.
func TestLater(t *testing.T) {
	const by = 400 * 24 * time.Hour
	box := startScript(t, `
import time, ctypes, os, sys
libc = ctypes.CDLL(None)
for i in range(15):
    print(time.time(), libc.syscall(201, None) if os.uname().machine == "x86_64" else time.time(), time.monotonic(), flush=True)
    time.sleep(0.1)
open("made", "w").close()
print(os.stat("made").st_mtime, os.stat("made").st_ctime, time.monotonic(), flush=True)
`, func(o *Options) { o.Machine.Later = by })
	go func() {
		_ = box.Each(context.WithoutCancel(t.Context()), func(*wire.Record) error { return nil })
	}()
	lines := bufio.NewScanner(box.Stdout())
	n, last := 0, 0.0
	for ; lines.Scan(); n++ {
		var at [3]float64
		for i, word := range strings.Fields(lines.Text()) {
			at[i], _ = strconv.ParseFloat(word, 64)
		}
		want := float64(time.Now().Add(by).Unix())
		for _, told := range at[:2] {
			if told < want-60 || told > want+60 {
				t.Errorf("line %d tells %f, which is off by %f seconds", n, told, told-want)
			}
		}
		if at[2] < last || at[2] > 3600 {
			t.Errorf("the time since the start jumps from %f to %f", last, at[2])
		}
		last = at[2]
	}
	if n != 16 {
		t.Errorf("%d lines", n)
	}
}
