package monitor

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// checkEvents checks what holds for every stream of events, whatever the input.
func checkEvents(t *testing.T, events []mcpsf.Event) {
	t.Helper()
	for i := range events {
		e := &events[i]
		if e.Seq != int64(i+1) {
			t.Fatalf("event %d has number %d", i+1, e.Seq)
		}
		if e.Cause < 0 || e.Cause >= e.Seq {
			t.Errorf("event %d is caused by event %d", e.Seq, e.Cause)
		}
		if e.Phase == "" || e.Kind == "" || e.T < 0 || e.Count < 0 {
			t.Errorf("event %d: phase %q kind %q t %v count %d", e.Seq, e.Phase, e.Kind, e.T, e.Count)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Errorf("event %d: %v", e.Seq, err)
		}
		if e.Kind == mcpsf.KindCanaryRead && !leadsTo(events, e) {
			t.Errorf("canary.read %d is not caused by an access: %d", e.Seq, e.Cause)
		}
	}
}

func leadsTo(events []mcpsf.Event, e *mcpsf.Event) bool {
	if e.Canary == nil || e.Cause == 0 {
		return e.Canary != nil && e.Canary.How != "open"
	}
	cause := &events[e.Cause-1]
	return e.Canary.How != "open" || (cause.Kind == mcpsf.KindFileOpen && cause.File.Canary == e.Canary.ID)
}

// take turns fuzz data into numbers and names. Names come from a small set, so
// that links, renames and opens concern the same files.
type take struct{ data []byte }

func (d *take) number() uint64 {
	var b [8]byte
	n := copy(b[:], d.data[:min(2, len(d.data))])
	d.data = d.data[n:]
	return binary.LittleEndian.Uint64(b[:])
}

func (d *take) name() string {
	names := []string{
		"", "/", "x", "/tmp/a", "/tmp/b", "/tmp", "/home/dev/.aws", "/home/dev/.aws/credentials",
		"/home/dev/.ssh/id_rsa", "/home/dev/Documents/report.txt", "/home/dev", "/usr/lib/python3.11/x.py",
		"/proc/1/cgroup", "/proc/self/mem", "/proc//", "/etc/shadow", "\xff\xfe", "/home/dev/code/server/node_modules",
		"/home/dev/code/server", "mount", "mkdir", "chmod",
	}
	return names[d.number()%uint64(len(names))]
}

func (d *take) record(seq uint64) *wire.Record {
	small := func() int32 { return int32(d.number()%8) - 1 }
	return &wire.Record{
		Seq: seq, Op: wire.Op(d.number() % 32), Flags: uint8(d.number()), Nanos: int64(d.number()) - 1000,
		PID: small(), TID: small(), Child: small(), ChildPID: small(), Epoch: d.number() % 400,
		Errno: uint16(d.number() % 4), Num: uint32(d.number()), File: uint32(d.number() % 4), Ino: d.number() % 4,
		N: int64(d.number()) - 1000, Total: d.number() % 400, Stream: uint8(d.number() % 4), Family: uint16(d.number()),
		Path: d.name(), To: d.name(), Asked: d.name(), Text: d.name(), Addr: d.name(), Args: []string{d.name()},
	}
}

func (d *take) message() mcpsf.Message {
	all := []mcpsf.MessageKind{
		mcpsf.MessageRequest, mcpsf.MessageResponse, mcpsf.MessageNotification,
		mcpsf.MessageJunk, mcpsf.MessageStderr, mcpsf.MessageClose, "other",
	}
	return mcpsf.Message{
		Stream: mcpsf.Stream(d.number() % 4), Offset: int64(d.number()%400) - 1, Kind: all[d.number()%uint64(len(all))],
		Call: []string{"", "c1", "c2", "c3"}[d.number()%4], Body: []byte(d.name()),
	}
}

// FuzzMonitor: whatever the kernel stream contains, nothing panics, nothing
// hangs, and the events are numbered without gaps and can be encoded.
func FuzzMonitor(f *testing.F) {
	f.Add([]byte("start"))
	f.Add([]byte{0, 0, 2, 0, 0, 0, 1, 0, 1, 0, 3, 0, 7, 0, 9, 0, 1, 0, 255, 255, 4, 0})
	seed := make([]byte, 4096)
	for i := range seed {
		seed[i] = byte(i * 31 >> 2)
	}
	f.Add(seed)
	f.Fuzz(func(t *testing.T, data []byte) {
		var events []mcpsf.Event
		m, err := New(&Options{
			Decoys: testDecoys(), Now: func() int64 { return 500 }, MaxEvents: 60, MaxFolds: 4,
			Emit: func(e mcpsf.Event) { events = append(events, e) },
		})
		if err != nil {
			t.Fatal(err)
		}
		m.Consumed(mcpsf.Stdout, math.MaxInt64)
		m.Consumed(mcpsf.Stderr, math.MaxInt64)
		d, accepted := &take{data}, uint64(0)
		for seq := uint64(1); len(d.data) > 0 && seq < 500; seq++ {
			if d.number()%4 == 0 {
				m.Observe(d.message())
				continue
			}
			before := m.log.totals.Records
			_ = m.Record(t.Context(), d.record(seq))
			accepted += m.log.totals.Records - before
		}
		totals := m.Close()
		if totals.Events != int64(len(events)) || totals.Records != accepted {
			t.Errorf("totals %+v for %d events and %d records", totals, len(events), accepted)
		}
		if len(m.folds.byKey)+len(m.folds.byPID)+len(m.folds.byCall)+m.folds.order.Len() != 0 {
			t.Error("counts are left after Close")
		}
		checkEvents(t, events)
	})
}

// The hot path: reads of a known file in a call.
func BenchmarkRead(b *testing.B) {
	m, err := New(&Options{Now: func() int64 { return 0 }, Emit: func(mcpsf.Event) {}})
	if err != nil {
		b.Fatal(err)
	}
	records := []wire.Record{
		{Op: wire.OpOpen, PID: 1, TID: 1, File: 1, Path: "/home/dev/code/server/data.json"},
		{Op: wire.OpRead, PID: 1, TID: 2, File: 1, N: 4096},
	}
	b.ReportAllocs()
	for seq := uint64(1); b.Loop(); seq++ {
		r := &records[min(seq-1, 1)]
		r.Seq = seq
		if err := m.Record(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	m, err := New(&Options{Decoys: testDecoys(), Now: func() int64 { return 0 }, Emit: func(mcpsf.Event) {}})
	if err != nil {
		b.Fatal(err)
	}
	paths := []string{"/usr/lib/python3.11/os.py", "/home/dev/code/server/main.py", "/etc/hosts", "/tmp/x"}
	b.ReportAllocs()
	for seq := uint64(1); b.Loop(); seq++ {
		r := &wire.Record{Seq: seq, Op: wire.OpOpen, PID: 1, TID: 1, File: uint32(seq), Path: paths[seq%4], Dev: 1, Ino: seq % 4}
		if err := m.Record(b.Context(), r); err != nil {
			b.Fatal(err)
		}
	}
}
