package monitor

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// Reports about code are no events.
func TestRan(t *testing.T) {
	events, totals := told(t, &Options{}, wire.Record{Op: wire.OpRan, PID: 1, TID: 1, Text: "s python"}, wire.Record{Op: wire.OpRan, PID: 1, TID: 1, Text: "l 3\t/a.py"})
	if d := cmp.Diff([]string{"s python", "l 3\t/a.py"}, totals.Ran); d != "" || len(events) > 0 {
		t.Errorf("%s, events %+v", d, events)
	}
}

// Our script is loaded once by each process; whoever opens it again, or changes
// it, or looks for it where it is not, is the server.
func TestPreload(t *testing.T) {
	const script = "/etc/node/coverage.cjs"
	load := func(pid int32, file uint32) []wire.Record {
		return []wire.Record{
			{Op: wire.OpStat, PID: pid, TID: pid, Text: "stat", Path: script},
			{Op: wire.OpOpen, PID: pid, TID: pid, Path: script, File: file},
			{Op: wire.OpRead, PID: pid, TID: pid, File: file, N: 100},
			{Op: wire.OpStat, PID: pid, TID: pid, Text: "lstat", Path: script},
		}
	}
	for name, tt := range map[string]struct {
		records []wire.Record
		want    []string
	}{
		"two processes": {append(load(1, 5), load(2, 6)...), nil},
		"twice":         {append(load(1, 5), load(1, 6)[1:3]...), []string{"file.open", "file.read"}},
		"written":       {[]wire.Record{{Op: wire.OpOpen, PID: 1, TID: 1, Path: script, File: 5, Num: 1}}, []string{"file.open"}},
		"not there":     {[]wire.Record{{Op: wire.OpOpen, PID: 1, TID: 1, Path: script, Errno: 2}}, []string{"file.open"}},
		"another file":  {[]wire.Record{{Op: wire.OpOpen, PID: 1, TID: 1, Path: script + "x", File: 5}}, []string{"file.open"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, &Options{})
			s.m.Preload(script)
			for i := range tt.records {
				tt.records[i].Seq = uint64(i + 1)
				if err := s.m.Record(t.Context(), &tt.records[i]); err != nil {
					t.Fatal(err)
				}
			}
			s.m.Close()
			var got []string
			for _, e := range s.emit {
				got = append(got, fmt.Sprint(e.Kind))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}
