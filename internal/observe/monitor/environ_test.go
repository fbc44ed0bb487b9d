package monitor

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/wire"
)

// told feeds reads of variables to a monitor and returns its events.
func told(t *testing.T, opts *Options, records ...wire.Record) ([]mcpsf.Event, Totals) {
	t.Helper()
	s := newScript(t, opts)
	for i := range records {
		records[i].Seq = uint64(i + 1)
		if err := s.m.Record(t.Context(), &records[i]); err != nil {
			t.Fatal(err)
		}
		if n := s.m.env.held; n > maxHeld+maxBurst {
			t.Fatalf("%d names are held", n)
		}
	}
	totals := s.m.Close()
	if s.m.env.held != 0 || len(s.m.env.bursts) != 0 {
		t.Errorf("%d names in %d bursts are left", s.m.env.held, len(s.m.env.bursts))
	}
	return s.emit, totals
}

// However many names are invented, on however many threads, memory and events
// are bounded, and a planted name is never lost among them.
func TestManyMadeUpReads(t *testing.T) {
	const names, most = 50_000, 1000
	var records []wire.Record
	for i := range names {
		name := fmt.Sprintf("MADE_UP_%d", i)
		if i == names-1 {
			name = "AWS_KEY"
		}
		records = append(records, wire.Record{Op: wire.OpEnv, PID: 1, TID: int32(1 + i%2000), Text: name})
	}
	events, totals := told(t, &Options{MaxEvents: most, Variables: map[string]string{"AWS_KEY": "aws-2"}}, records...)
	if len(events) > most+10 || totals.Suppressed < names-most-10 {
		t.Errorf("%d events, %d suppressed", len(events), totals.Suppressed)
	}
	planted := 0
	for _, e := range events {
		if e.Env != nil && e.Env.Canary == "aws-2" {
			planted++
		}
	}
	if planted != 1 {
		t.Errorf("the planted variable was told %d times", planted)
	}
}

func TestNamesAreCut(t *testing.T) {
	for _, name := range []string{
		strings.Repeat("L", 4000), strings.Repeat("\u00e9", 1000), "a\x00b", "a\nb", "\x1b[31m", "\xff\xfe", "",
	} {
		events, _ := told(t, &Options{}, wire.Record{Op: wire.OpEnv, PID: 1, TID: 1, Text: name})
		if len(events) != 1 || events[0].Env == nil {
			t.Fatalf("%.20q: %+v", name, events)
		}
		got := events[0].Env.Name
		if len(got) > maxVariable+3 || strings.ToValidUTF8(got, "") != got {
			t.Errorf("%.20q became %q", name, got)
		}
	}
}

// Repeated reads are one event with a count.
func TestReadsAreFolded(t *testing.T) {
	var records []wire.Record
	for range 10_000 {
		records = append(records, wire.Record{Op: wire.OpEnv, PID: 1, TID: 1, Text: "TOKEN"}, wire.Record{Op: wire.OpName, PID: 1, TID: 1, Text: "x"})
	}
	events, _ := told(t, &Options{}, records...)
	if len(events) != 2 || events[1].Count != 9_999 {
		t.Errorf("%d events: %+v", len(events), events[len(events)-1])
	}
}

// While a runtime reads all variables for a process that it starts, its other threads
// look up a host: that tells nothing of the first variables. What may carry one of
// them out does.
func TestOtherThreadsDuringAStart(t *testing.T) {
	read := func(name string) wire.Record {
		return wire.Record{Op: wire.OpEnv, PID: 1, TID: 1, Text: name}
	}
	for _, tt := range []struct {
		name  string
		other wire.Record
		want  bool
	}{
		{"a file is looked at", wire.Record{Op: wire.OpStat, PID: 1, TID: 8, Path: "/etc/nsswitch.conf"}, false},
		{"a file is read", wire.Record{Op: wire.OpOpen, PID: 1, TID: 8, Path: "/etc/hosts"}, false},
		{"a thread begins", wire.Record{Op: wire.OpFork, PID: 1, TID: 8, Flags: wire.FlagThread}, false},
		{"a process begins", wire.Record{Op: wire.OpFork, PID: 1, TID: 8}, true},
		{"data is sent", wire.Record{Op: wire.OpTransmit, PID: 1, TID: 8}, true},
		{"the server answers", wire.Record{Op: wire.OpStdio, PID: 1, TID: 8}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newScript(t, &Options{Variables: map[string]string{"DATABASE_URL": "var-9"}})
			for i, r := range []wire.Record{{Op: wire.OpStart, PID: 1, TID: 1, Path: "/usr/bin/node", N: 6}, read(coverage), read("DATABASE_URL"), tt.other} {
				r.Seq = uint64(i + 1)
				if err := m.m.Record(t.Context(), &r); err != nil {
					t.Fatal(err)
				}
			}
			told := slices.ContainsFunc(m.emit, func(e mcpsf.Event) bool { return e.Env != nil && e.Env.Canary == "var-9" })
			if told != tt.want {
				t.Errorf("told: %v", told)
			}
			m.m.Close()
			if !slices.ContainsFunc(m.emit, func(e mcpsf.Event) bool { return e.Env != nil }) {
				t.Error("the read was lost")
			}
		})
	}
}
