package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func samples() []mcpsf.Event {
	return []mcpsf.Event{
		{Seq: 1, Phase: mcpsf.PhaseStart, Kind: mcpsf.KindSandboxStart, Sandbox: &mcpsf.SandboxDetail{Text: "up"}},
		{Seq: 2, T: 0.25, Phase: mcpsf.PhaseStart, PID: 1, Proc: "node", Kind: mcpsf.KindProcessExec,
			Process: &mcpsf.ProcessDetail{Path: "/usr/bin/node", Args: []string{"node", "x\x1b[2J\n"}}},
		{Seq: 3, T: 1.302411, Phase: mcpsf.PhaseDrive, Call: "c1", Kind: mcpsf.KindMCPRequest,
			MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "a", ID: json.RawMessage(`7`),
				Body: json.RawMessage(`{"html":"<b>&</b>"}`), Size: 99}},
		{Seq: 4, T: 1.4, Phase: mcpsf.PhaseDrive, Call: "c1", PID: 9, PPID: 1, TID: 10, Proc: "node",
			Kind: mcpsf.KindFileOpen, Cause: 3, Count: 2,
			File: &mcpsf.FileDetail{Path: "/home/dev/.aws/credentials", Flags: "r", Canary: "aws-3f", CanaryKind: "aws-credentials"}},
		{Seq: 5, Phase: mcpsf.PhaseStop, Kind: mcpsf.KindLimitHit,
			Limit: &mcpsf.LimitDetail{Name: mcpsf.LimitWall, Limit: 1, Value: 2, Action: "killed"}},
	}
}

func write(t *testing.T, events []mcpsf.Event) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := Create(&buf)
	for _, e := range events {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestRoundTrip(t *testing.T) {
	want := samples()
	// A line far longer than the reader's buffer, between short ones.
	body := json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`)
	want = append(want,
		mcpsf.Event{Seq: 6, Kind: mcpsf.KindMCPStderr, MCP: &mcpsf.MCPDetail{Body: body, Size: 1 << 20}},
		mcpsf.Event{Seq: 7, Kind: mcpsf.KindSandboxStop, Sandbox: &mcpsf.SandboxDetail{Text: "down"}})
	data := write(t, want)
	if n := bytes.Count(data, []byte("\n")); n != len(want) {
		t.Errorf("%d lines for %d events", n, len(want))
	}
	var got []mcpsf.Event
	err := Read(bytes.NewReader(data), func(e mcpsf.Event) error {
		got = append(got, e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// cmp takes minutes to compare a long body byte by byte.
	whole := cmp.Comparer(func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
	if diff := cmp.Diff(want, got, whole); diff != "" {
		t.Errorf("round trip (-want +got):\n%s", diff)
	}
}

func TestReadRefusesDamage(t *testing.T) {
	whole := string(write(t, samples()))
	lines := strings.SplitAfter(whole, "\n")
	long := `{"seq":1,"t":0,"phase":"start","kind":"` + strings.Repeat("k", MaxLine) + "\"}\n"
	for name, in := range map[string]string{
		"event missing":     lines[0] + lines[2],
		"event twice":       lines[0] + lines[0],
		"first missing":     lines[1],
		"cut off":           whole[:len(whole)-5],
		"newline cut off":   whole[:len(whole)-1],
		"not JSON":          lines[0] + "hello\n",
		"blank line":        lines[0] + "\n" + lines[1],
		"line too long":     long,
		"never-ending line": strings.Repeat("x", 2*MaxLine),
		"wrong type":        `{"seq":"1"}` + "\n",
		"deep nesting":      `{"seq":1,"mcp":{"body":` + strings.Repeat("[", 1<<20) + "\n",
	} {
		err := Read(strings.NewReader(in), func(mcpsf.Event) error { return nil })
		if !errors.Is(err, ErrBroken) {
			t.Errorf("%s: error %v, want ErrBroken", name, err)
		}
	}
	if err := Read(strings.NewReader(""), nil); err != nil {
		t.Errorf("an empty trace: %v", err)
	}
}

func TestReadPassesErrorsOn(t *testing.T) {
	data := write(t, samples())
	enough := errors.New("enough")
	n := 0
	err := Read(bytes.NewReader(data), func(mcpsf.Event) error {
		if n++; n == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 2 {
		t.Errorf("error %v after %d events", err, n)
	}
	pipe, end := io.Pipe()
	end.CloseWithError(enough)
	if err := Read(pipe, nil); !errors.Is(err, enough) || errors.Is(err, ErrBroken) {
		t.Errorf("error of the reader came back as %v", err)
	}
}

type brokenDisk struct{ left int }

func (d *brokenDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errors.New("disk full")
	}
	return len(p), nil
}

func TestWriterRemembersItsFailure(t *testing.T) {
	w := Create(&brokenDisk{left: 1 << 16})
	var failed error
	for seq := int64(1); seq < 10_000 && failed == nil; seq++ {
		failed = w.Write(mcpsf.Event{Seq: seq, Kind: mcpsf.KindFileOpen})
	}
	if failed == nil {
		t.Fatal("a full disk went unnoticed")
	}
	if err := w.Close(); !errors.Is(err, failed) {
		t.Errorf("Close: %v, want %v", err, failed)
	}

	w = Create(&brokenDisk{})
	if err := w.Write(mcpsf.Event{Seq: 1}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil {
		t.Error("Close did not tell that nothing was written")
	}
}

func TestWriterRefusesGaps(t *testing.T) {
	w := Create(io.Discard)
	if err := w.Write(mcpsf.Event{Seq: 2}); err == nil {
		t.Error("a trace may not begin with event 2")
	}
	if err := w.Write(mcpsf.Event{Seq: 1}); err == nil {
		t.Error("the writer went on after an error")
	}
}

func TestOversizedEvents(t *testing.T) {
	huge := json.RawMessage(`"` + strings.Repeat("x", MaxLine) + `"`)
	data := write(t, []mcpsf.Event{
		{Seq: 1, Kind: mcpsf.KindMCPStderr, MCP: &mcpsf.MCPDetail{Body: huge, Size: MaxLine}},
		{Seq: 2, Kind: mcpsf.KindMCPStderr, MCP: &mcpsf.MCPDetail{ID: huge, Size: MaxLine}},
	})
	err := Read(bytes.NewReader(data), func(e mcpsf.Event) error {
		if !e.MCP.Truncated || e.MCP.Body != nil || e.MCP.Size != MaxLine {
			return fmt.Errorf("event %d: %d bytes of body, truncated %v", e.Seq, len(e.MCP.Body), e.MCP.Truncated)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	w := Create(io.Discard)
	if err := w.Write(mcpsf.Event{Seq: 1, Call: strings.Repeat("x", MaxLine)}); err == nil {
		t.Error("an event that cannot be read back was written")
	}
}

func TestLog(t *testing.T) {
	var buf bytes.Buffer
	log := NewLog(Create(&buf))
	want := samples()
	for _, e := range want[:3] {
		log.Append(e)
	}
	early := log.Events()
	for _, e := range want[3:] {
		log.Append(e)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want[:3], early); diff != "" {
		t.Errorf("early look (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, log.Events()); diff != "" {
		t.Errorf("in memory (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(string(write(t, want)), buf.String()); diff != "" {
		t.Errorf("on disk (-want +got):\n%s", diff)
	}

	log = NewLog(Create(&brokenDisk{}))
	log.Append(want[0])
	if log.Close() == nil {
		t.Error("a log that could not be written closed without an error")
	}
	if len(log.Events()) != 1 {
		t.Error("the event in memory is gone")
	}
	log = NewLog(nil)
	log.Append(want[0])
	if err := log.Close(); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"seq":1,"t":0,"phase":"start","kind":"sandbox.start"}` + "\n"))
	f.Add([]byte(`{"seq":1,"mcp":{"size":1,"body":[[[{"a":1}]]]}}` + "\n" + `{"seq":2}` + "\n"))
	f.Add([]byte("\x00\xff\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var events []mcpsf.Event
		err := Read(bytes.NewReader(data), func(e mcpsf.Event) error {
			events = append(events, e)
			return nil
		})
		for i := range events {
			if events[i].Seq != int64(i+1) {
				t.Fatalf("event %d has number %d", i, events[i].Seq)
			}
		}
		if err == nil && len(events) != bytes.Count(data, []byte("\n")) {
			t.Fatalf("%d events in %d lines", len(events), bytes.Count(data, []byte("\n")))
		}
	})
}

// A run of a million events, as the rules read it back.
func BenchmarkReadMillion(b *testing.B) {
	var buf bytes.Buffer
	w := Create(&buf)
	for seq := int64(1); seq <= 1_000_000; seq++ {
		e := samples()[3]
		e.Seq = seq
		if err := w.Write(e); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(buf.Len()))
	for b.Loop() {
		n := 0
		err := Read(bytes.NewReader(buf.Bytes()), func(mcpsf.Event) error { n++; return nil })
		if err != nil || n != 1_000_000 {
			b.Fatal(n, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e6, "ns/event")
}

func BenchmarkWrite(b *testing.B) {
	w := Create(io.Discard)
	e := samples()[3]
	for seq := int64(1); b.Loop(); seq++ {
		e.Seq = seq
		if err := w.Write(e); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLogKeepsWhatIsRead: what is judged is what the file says.
func TestLogKeepsWhatIsRead(t *testing.T) {
	var buf bytes.Buffer
	log := NewLog(Create(&buf))
	log.Append(mcpsf.Event{Seq: 1, Proc: "\u202e\xff", Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{Body: json.RawMessage("{ \"\\ud800\": \"\u009b\" }")}})
	log.Append(mcpsf.Event{Seq: 2, Kind: mcpsf.KindMCPResponse, MCP: &mcpsf.MCPDetail{Body: json.RawMessage(`"` + strings.Repeat("x", MaxLine) + `"`)}})
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range buf.Bytes() {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Fatalf("%#x in the trace", c)
		}
	}
	var read []mcpsf.Event
	if err := Read(&buf, func(e mcpsf.Event) error { read = append(read, e); return nil }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(read, log.Events()); diff != "" {
		t.Error(diff)
	}
}
