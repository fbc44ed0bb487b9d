package monitor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

func kinds(events []mcpsf.Event) []mcpsf.Kind {
	out := make([]mcpsf.Kind, len(events))
	for i := range events {
		out[i] = events[i].Kind
	}
	return out
}

func TestNewRefuses(t *testing.T) {
	now, emit := func() int64 { return 0 }, func(mcpsf.Event) {}
	for name, opts := range map[string]*Options{
		"nil":           nil,
		"no emit":       {Now: now},
		"no clock":      {Emit: emit},
		"relative":      {Now: now, Emit: emit, Decoys: []mcpsf.Decoy{{Path: "x"}}},
		"not clean":     {Now: now, Emit: emit, Decoys: []mcpsf.Decoy{{Path: "/a/../b"}}},
		"twice at once": {Now: now, Emit: emit, Decoys: []mcpsf.Decoy{{Path: "/a"}, {Path: "/a"}}},
	} {
		if _, err := New(opts); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The driver is slow: the record after the write must wait until the answer in
// the write is known.
func TestSlowHarness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newScript(t, &Options{})
		s.m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 100, Call: "c1", Phase: mcpsf.PhaseDrive})
		records := []wire.Record{
			{Op: wire.OpStdio, PID: 1, N: 100, Total: 100},
			{Op: wire.OpStdio, PID: 1, Epoch: 100, Stream: 1, N: 50, Total: 50},
			{Op: wire.OpOpen, PID: 1, Epoch: 100, Path: "/tmp/late"},
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for i := range records {
				records[i].Seq = uint64(i + 1)
				if err := s.m.Record(t.Context(), &records[i]); err != nil {
					t.Error(err)
				}
			}
		}()
		synctest.Wait()
		if got := len(s.emit); got != 1 {
			t.Errorf("%d events before the driver had read anything, want the request only", got)
		}
		s.m.Consumed(mcpsf.Stdout, 49)
		synctest.Wait()
		if got := len(s.emit); got != 1 {
			t.Errorf("%d events one byte before the end of the answer", got)
		}
		s.m.Observe(mcpsf.Message{Stream: mcpsf.Stdout, Kind: mcpsf.MessageResponse, Offset: 50, Call: "c1"})
		s.m.Consumed(mcpsf.Stdout, 50)
		<-done
		want := []mcpsf.Kind{mcpsf.KindMCPRequest, mcpsf.KindMCPResponse, mcpsf.KindFileOpen}
		if diff := cmp.Diff(want, kinds(s.emit)); diff != "" {
			t.Errorf("kinds (-want +got):\n%s", diff)
		}
		if got := s.emit[2].Phase; got != mcpsf.PhaseIdle {
			t.Errorf("after the answer the phase is %s", got)
		}
	})
}

// A driver that never reads must not hang the run.
func TestWaitingEnds(t *testing.T) {
	for name, end := range map[string]func(m *Monitor, cancel context.CancelFunc){
		"context":       func(_ *Monitor, cancel context.CancelFunc) { cancel() },
		"close":         func(m *Monitor, _ context.CancelFunc) { m.Close() },
		"end of stream": func(m *Monitor, _ context.CancelFunc) { m.Consumed(mcpsf.Stderr, math.MaxInt64) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScript(t, &Options{})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				result := make(chan error)
				go func() {
					result <- s.m.Record(ctx, &wire.Record{Seq: 1, Op: wire.OpStdio, Stream: 2, N: 9, Total: 9})
				}()
				synctest.Wait()
				end(s.m, cancel)
				if err := <-result; (err == nil) != (name == "end of stream") {
					t.Errorf("Record returned %v", err)
				}
			})
		})
	}
}

func TestContextErrorIsNamed(t *testing.T) {
	s := newScript(t, &Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := s.m.Record(ctx, &wire.Record{Seq: 1, Op: wire.OpStdio, Stream: 1, N: 9, Total: 9})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestBrokenStream(t *testing.T) {
	open := func(seq uint64) *wire.Record {
		return &wire.Record{Seq: seq, Op: wire.OpOpen, PID: 1, Path: fmt.Sprint("/tmp/", seq)}
	}
	for name, c := range map[string]struct {
		records []*wire.Record
		want    Totals
	}{
		"gap":           {[]*wire.Record{open(1), open(5)}, Totals{Records: 2, LastSeq: 5, Gaps: 1, Missing: 3, Events: 3}},
		"first missing": {[]*wire.Record{open(2)}, Totals{Records: 1, LastSeq: 2, Gaps: 1, Missing: 1, Events: 2}},
		"twice":         {[]*wire.Record{open(1), open(1)}, Totals{Records: 1, LastSeq: 1, Events: 1}},
		"backwards":     {[]*wire.Record{open(1), open(2), open(1)}, Totals{Records: 2, LastSeq: 2, Events: 2}},
		"zero":          {[]*wire.Record{open(0)}, Totals{}},
		"nil":           {[]*wire.Record{nil}, Totals{}},
		"no operation":  {[]*wire.Record{{Seq: 1}}, Totals{}},
		"unknown":       {[]*wire.Record{{Seq: 1, Op: wire.OpExport + 1}}, Totals{}},
		"stream":        {[]*wire.Record{{Seq: 1, Op: wire.OpStdio, Stream: 4}}, Totals{Records: 1, LastSeq: 1}},
		"offset":        {[]*wire.Record{{Seq: 1, Op: wire.OpStdio, Total: math.MaxUint64}}, Totals{Records: 1, LastSeq: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScript(t, &Options{})
			var last error
			for _, r := range c.records {
				last = s.m.Record(t.Context(), r)
			}
			if last == nil {
				t.Error("no error")
			}
			if diff := cmp.Diff(c.want, s.m.Close()); diff != "" {
				t.Errorf("totals (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClosed(t *testing.T) {
	s := newScript(t, &Options{})
	s.m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 5, Call: "c1"})
	first := s.m.Close()
	if first.Unplaced != 1 || first.Events != 1 {
		t.Errorf("totals %+v", first)
	}
	s.m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 6, Call: "c2"})
	s.m.Note(mcpsf.KindSandboxStop, "x")
	s.m.Limit(mcpsf.LimitDetail{})
	if s.m.Record(t.Context(), &wire.Record{Seq: 1, Op: wire.OpHello}) == nil {
		t.Error("a record was taken after the end")
	}
	if diff := cmp.Diff(first, s.m.Close()); diff != "" {
		t.Errorf("second Close (-first +second):\n%s", diff)
	}
	if len(s.emit) != 1 {
		t.Errorf("%d events, want 1", len(s.emit))
	}
}

func TestLimitAndNote(t *testing.T) {
	s := newScript(t, &Options{StartNanos: 1_000_000})
	s.nanos = 2_500_000
	s.m.Note(mcpsf.KindSandboxStart, "up\xff")
	s.line("send request 10 call=c1 phase=attack")
	s.line("stdin 10")
	s.m.Limit(mcpsf.LimitDetail{Name: mcpsf.LimitOutput, Limit: 1, Value: 2, Action: "cut"})
	want := "1 start - sandbox.start text=\"up\uFFFD\"\n2 attack c1 mcp.request\n" +
		"3 attack c1 limit.hit cause=2 limit=output:2/1:cut\n"
	if diff := cmp.Diff(want, s.events()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if s.emit[0].T != 0.0015 {
		t.Errorf("T is %v, want 0.0015", s.emit[0].T)
	}
}

// Beyond the cap, minor events are only counted; important ones are still
// emitted.
func TestEventCap(t *testing.T) {
	s := newScript(t, &Options{Decoys: testDecoys(), MaxEvents: 3})
	s.run(`
start /usr/bin/node
open /tmp/1 flags=r
open /tmp/2 flags=r
open /tmp/3 flags=r
read /tmp/4 file=1 n=5
fork thread child=8
open /usr/lib/python3.11/a.py flags=r
open /home/dev/.aws/credentials flags=r
open /home/dev/.aws/credentials flags=r
open /etc/shadow flags=r err=13
stat /.dockerenv text=access err=2
privilege text=mount err=1
connect family=2 type=1 addr=192.0.2.1 port=80
fork child=9
send request 10 call=c1 phase=drive
stdin 10
exit n=1`)
	var got []string
	for _, e := range s.emit[3:] {
		got = append(got, string(e.Kind))
	}
	want := strings.Fields(`sandbox.error file.open canary.read file.open privilege.attempt
		file.stat probe.sandbox privilege.attempt net.connect process.fork file.open mcp.request process.exit`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds after the cap (-want +got):\n%s", diff)
	}
	if s.totals.Suppressed != 4 {
		t.Errorf("suppressed %d, want 4", s.totals.Suppressed)
	}
}

func TestOldestCountsAreWrittenOut(t *testing.T) {
	s := newScript(t, &Options{MaxFolds: 2})
	s.run(`
open /tmp/a flags=r
open /tmp/a flags=r
open /tmp/a flags=r
open /tmp/b flags=r
open /tmp/c flags=r
open /tmp/a flags=r`)
	want := `1 start - 1<0 file.open path=/tmp/a flags=r
2 start - 1<0 file.open path=/tmp/b flags=r
3 start - 1<0 file.open path=/tmp/c flags=r
4 start - 1<0 file.open count=2 path=/tmp/a flags=r
5 start - 1<0 file.open path=/tmp/a flags=r
`
	if diff := cmp.Diff(want, s.events()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// However many names a decoy is given, memory is bounded and the inode still
// identifies it.
func TestManyNames(t *testing.T) {
	s := newScript(t, &Options{Decoys: testDecoys()})
	for i := range 3 * maxNames {
		s.line(fmt.Sprintf("link /home/dev/.ssh/id_rsa to=/tmp/%d ino=5", i))
	}
	if got := len(s.m.decoys.names); got > maxNames {
		t.Errorf("%d names are kept", got)
	}
	before := len(s.emit)
	s.line(fmt.Sprintf("open /tmp/%d flags=r ino=5", 3*maxNames-1))
	if diff := cmp.Diff([]mcpsf.Kind{mcpsf.KindFileOpen, mcpsf.KindCanaryRead}, kinds(s.emit[before:])); diff != "" {
		t.Errorf("last name (-want +got):\n%s", diff)
	}
	s.line("rename /home/dev/.aws to=/tmp/aws dir")
	before = len(s.emit)
	s.line("open /tmp/aws/credentials flags=r")
	if got := kinds(s.emit[before:]); len(got) != 2 {
		t.Errorf("a decoy was lost among the names: %v", got)
	}
}

func TestFilesAreForgotten(t *testing.T) {
	s := newScript(t, &Options{})
	for i := uint32(1); i <= maxFiles+10; i++ {
		s.m.files.table.put(i, openFile{path: "/x"})
		s.m.files.table.put(i, openFile{path: "/y"})
	}
	if got := len(s.m.files.table.byID); got != maxFiles {
		t.Errorf("%d files are kept, want %d", got, maxFiles)
	}
	if _, ok := s.m.files.table.byID[10]; ok {
		t.Error("the oldest file is still known")
	}
	if f := s.m.files.table.byID[maxFiles+10]; f.path != "/y" {
		t.Errorf("the newest file is %+v", f)
	}
}

// Strings of any bytes and any length, numbers of any size.
func TestHostileFields(t *testing.T) {
	s := newScript(t, &Options{Decoys: testDecoys(), StartNanos: math.MaxInt64})
	junk := strings.Repeat("\xff\x1b[2J\x00é", 5000)
	args := make([]string, 500)
	for i := range args {
		args[i] = junk
	}
	for op := wire.OpHello; op <= wire.OpLimit; op++ {
		for _, extreme := range []int64{math.MinInt64, -1, math.MaxInt64} {
			s.seq++
			s.m.Consumed(mcpsf.Stdout, math.MaxInt64)
			r := &wire.Record{
				Seq: s.seq, Nanos: extreme, Op: op, Flags: uint8(extreme), PID: int32(extreme), TID: int32(extreme),
				Epoch: uint64(extreme), Errno: uint16(extreme), Child: int32(extreme), ChildPID: int32(extreme),
				Num: uint32(extreme), Mode: uint32(extreme), File: uint32(extreme), Dev: uint64(extreme), Ino: uint64(extreme),
				N: extreme, Total: uint64(extreme), Family: uint16(extreme), SockType: uint16(extreme), Port: uint16(extreme),
				Stream: uint8(mcpsf.Stdout), Path: "/" + junk, To: junk, Asked: junk, Text: junk, Addr: junk, Args: args,
			}
			_ = s.m.Record(t.Context(), r) // may be refused; must not panic
		}
	}
	s.m.Observe(mcpsf.Message{Stream: 200, Offset: -1})
	s.m.Observe(mcpsf.Message{Stream: mcpsf.Stdout, Offset: math.MinInt64, Method: junk, Body: []byte(`{"cut":"in the mid`), Size: -1})
	s.m.Consumed(200, 1)
	s.m.Close()
	checkEvents(t, s.emit)
	for _, e := range s.emit {
		if e.Process != nil && len(e.Process.Args) > wire.MaxArgs {
			t.Errorf("%d arguments are kept", len(e.Process.Args))
		}
		if e.File != nil && (len(e.File.Path) > 3*maxText || !utf8.ValidString(e.File.Path)) {
			t.Errorf("path of %d bytes", len(e.File.Path))
		}
	}
}

// Driver and kernel at the same time, for the race detector; the order of
// events must hold for every interleaving.
func TestConcurrent(t *testing.T) {
	const calls = 200
	var mu sync.Mutex
	var events []mcpsf.Event
	m, err := New(&Options{
		Now: func() int64 { return 1 },
		Emit: func(e mcpsf.Event) {
			mu.Lock()
			defer mu.Unlock()
			events = append(events, e)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	requests, answers := make(chan int64), make(chan int64, 1)
	var wg sync.WaitGroup
	wg.Go(func() { // the driver
		for i := int64(1); i <= calls; i++ {
			m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 10 * i, Call: fmt.Sprint("c", i), Phase: mcpsf.PhaseDrive})
			requests <- i
			<-answers
			m.Observe(mcpsf.Message{Stream: mcpsf.Stdout, Kind: mcpsf.MessageResponse, Offset: 5 * i, Call: fmt.Sprint("c", i)})
			m.Consumed(mcpsf.Stdout, 5*i)
		}
		close(requests)
	})
	wg.Go(func() { // stderr
		for i := int64(1); i <= calls; i++ {
			m.Observe(mcpsf.Message{Stream: mcpsf.Stderr, Kind: mcpsf.MessageStderr, Offset: i})
			m.Consumed(mcpsf.Stderr, i)
		}
	})
	wg.Go(func() { // the kernel
		seq := uint64(0)
		record := func(r wire.Record) {
			seq++
			r.Seq, r.PID, r.TID = seq, 1, 1
			if err := m.Record(t.Context(), &r); err != nil {
				t.Error(err)
			}
		}
		for i := range requests {
			in, out := uint64(10*i), uint64(5*i)
			record(wire.Record{Op: wire.OpStdio, N: 10, Total: in, Epoch: in})
			record(wire.Record{Op: wire.OpOpen, Path: fmt.Sprint("/tmp/", i), Epoch: in})
			answers <- i
			record(wire.Record{Op: wire.OpStdio, Stream: 1, N: 5, Total: out, Epoch: in})
			record(wire.Record{Op: wire.OpStdio, Stream: 2, N: 1, Total: uint64(i), Epoch: in})
			record(wire.Record{Op: wire.OpDelete, Path: fmt.Sprint("/tmp/", i), Epoch: in})
		}
	})
	wg.Wait()
	m.Close()
	checkEvents(t, events)
	var order []string
	for _, e := range events {
		if e.Kind != mcpsf.KindMCPStderr {
			order = append(order, fmt.Sprintf("%s %s %s", e.Call, e.Phase, e.Kind))
		}
	}
	var want []string
	for i := range calls {
		c := fmt.Sprint("c", i+1)
		want = append(want, c+" drive mcp.request", c+" drive file.open", c+" drive mcp.response", c+" idle file.delete")
	}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// The target chooses the text in events, so it is bounded as well.
func TestTextCap(t *testing.T) {
	s := newScript(t, &Options{MaxText: 60})
	s.run(`
start /usr/bin/node
open /tmp/a-rather-long-name-to-begin-with flags=r
open /tmp/and-another-one-that-is-as-long flags=r
open /tmp/one-too-many flags=r
open /tmp/and-one-more flags=r`)
	var got []string
	for _, e := range s.emit {
		got = append(got, string(e.Kind))
	}
	want := strings.Fields("process.exec file.open file.open sandbox.error")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if s.totals.Suppressed != 2 {
		t.Errorf("suppressed %d, want 2", s.totals.Suppressed)
	}
}

// A target that causes only important events cannot fill the host either.
func TestHardCap(t *testing.T) {
	emitted := 0
	m, err := New(&Options{MaxEvents: 5, Now: func() int64 { return 0 }, Emit: func(mcpsf.Event) { emitted++ }})
	if err != nil {
		t.Fatal(err)
	}
	for i := uint64(1); i < 100; i++ {
		err := m.Record(t.Context(), &wire.Record{Seq: i, Op: wire.OpConnect, Family: 2, Addr: "192.0.2.1", Port: uint16(i), PID: 1, TID: 1})
		if err != nil {
			if emitted < 30 || emitted > 32 {
				t.Errorf("ended after %d events", emitted)
			}
			return
		}
	}
	t.Errorf("%d events and no end", emitted)
}

// An event about an answer belongs to its call, even if the records have not
// reached the request yet.
func TestToldAhead(t *testing.T) {
	t.Parallel()
	s := newScript(t, &Options{})
	s.m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 100, Call: "c1", Phase: mcpsf.PhaseDrive})
	if err := s.m.Record(t.Context(), &wire.Record{Seq: 1, Op: wire.OpStdio, PID: 1, N: 100, Total: 100}); err != nil {
		t.Fatal(err)
	}
	s.m.Observe(mcpsf.Message{Kind: mcpsf.MessageRequest, Offset: 200, Call: "c2", Phase: mcpsf.PhaseDrive})
	s.m.Changed("c2", mcpsf.ChangeDetail{Of: "tool", Name: "x"})
	s.m.Said("c1", mcpsf.TextDetail{Of: "tool"})
	s.m.Said("c9", mcpsf.TextDetail{Of: "result"})
	if err := s.m.Record(t.Context(), &wire.Record{Seq: 2, Op: wire.OpStdio, PID: 1, Epoch: 100, N: 100, Total: 200}); err != nil {
		t.Fatal(err)
	}
	s.m.Close()
	var got []string
	for _, e := range s.emit {
		got = append(got, string(e.Kind)+" "+e.Call)
	}
	want := []string{"mcp.request c1", "mcp.text c1", "mcp.request c2", "mcp.changed c2", "mcp.text c2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}
