package fuzz_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/drive/fuzz"
)

func target() []fuzz.Target {
	return []fuzz.Target{
		{Tool: "add", Arguments: json.RawMessage(`{"a":"1","b":[2]}`)},
		{Tool: `odd"name`, Arguments: json.RawMessage(`{}`)},
	}
}

// A message that calls a tool is a valid request with the given id.
func TestCallsAreProper(t *testing.T) {
	calls := 0
	for _, m := range fuzz.All(target()) {
		if !m.Call {
			continue
		}
		calls++
		var r struct {
			Version string `json:"jsonrpc"`
			ID      int64  `json:"id"`
			Method  string `json:"method"`
			Params  struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"params"`
		}
		wire := m.Wire(7)
		if err := json.Unmarshal(wire, &r); err != nil {
			t.Errorf("%s: %v: %.200s", m.Why, err, wire)
			continue
		}
		if r.Version != "2.0" || r.ID != 7 || r.Method != "tools/call" || bytes.ContainsAny(wire, "\n") {
			t.Errorf("%s: %.200s", m.Why, wire)
		}
		if m.Tool != "" && r.Params.Name != m.Tool {
			t.Errorf("%s: asks for %q, not for %q", m.Why, r.Params.Name, m.Tool)
		}
	}
	if calls < 40 {
		t.Errorf("%d calls", calls)
	}
}

func TestEveryFamilyTells(t *testing.T) {
	all := fuzz.All(target())
	seen, balanced := map[fuzz.Family]int{}, map[fuzz.Family]int{}
	for _, m := range all {
		seen[m.Family]++
		if m.Balanced {
			balanced[m.Family]++
		}
	}
	for _, f := range []fuzz.Family{
		fuzz.Call, fuzz.Tool, fuzz.Order, fuzz.Notice, fuzz.Params, fuzz.Keys, fuzz.Envelope, fuzz.Text, fuzz.Size, fuzz.Depth, fuzz.JSON,
	} {
		if seen[f] < 4 || balanced[f] == 0 {
			t.Errorf("%s: %d messages, %d of them balanced", f, seen[f], balanced[f])
		}
	}
	if n := len(fuzz.Balanced(all)); n < 24 || n > 32 {
		t.Errorf("%d balanced messages", n)
	}
}

func TestEarlyOnesComeFirst(t *testing.T) {
	late := false
	for _, m := range fuzz.All(target()) {
		if m.Early && late {
			t.Errorf("%s comes too late", m.Why)
		}
		late = late || !m.Early
	}
}

// Two messages of one family are never equal.
func TestMessagesDiffer(t *testing.T) {
	seen := map[string]string{}
	for _, m := range fuzz.All(target()[:1]) {
		wire := string(m.Wire(3))
		if m.Early {
			wire = "early " + wire
		}
		if len(m.Cuts()) > 0 {
			wire = "cut " + wire
		}
		if other, ok := seen[wire]; ok {
			t.Errorf("%q is the same as %q", m.Why, other)
		}
		seen[wire] = m.Why
		if len(wire) > 5<<20 {
			t.Errorf("%s has %d bytes", m.Why, len(wire))
		}
	}
}

func TestSmallerAndControl(t *testing.T) {
	shrunk, controlled := 0, 0
	for _, m := range fuzz.All(target()) {
		for small, ok := m.Smaller(); ok; small, ok = small.Smaller() {
			shrunk++
			if len(small.Wire(1)) >= len(m.Wire(1)) {
				t.Errorf("%s: smaller is not smaller", m.Why)
			}
		}
		c, ok := m.Control()
		if !ok {
			continue
		}
		controlled++
		var r struct {
			Method string `json:"method"`
		}
		if err := json.Unmarshal(c.Wire(1), &r); err != nil || r.Method != "ping" || c.Call {
			t.Errorf("%s: the control is %.100s: %v", m.Why, c.Wire(1), err)
		}
	}
	if shrunk < 10 || controlled < 5 {
		t.Errorf("%d smaller ones, %d controls", shrunk, controlled)
	}
}

func TestTold(t *testing.T) {
	for _, tt := range []struct{ wire, want string }{
		{`{"a":1}`, `{"a":1}`},
		{"a\x1b[2J", `a\x1b[2J`},
		{`{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`, `{"a":[<5000 times>]<5000 times>}`},
		{strings.Repeat(`{"a":`, 100), `{"a":<100 times>`},
		{strings.Repeat("x", 10), "xxxxxxxxxx"},
		{"\xff\xfe", `\xff\xfe`},
		{"", ""},
	} {
		if got := fuzz.Told([]byte(tt.wire)); got != tt.want {
			t.Errorf("Told(%.40q) = %q, want %q", tt.wire, got, tt.want)
		}
	}
}

func FuzzTold(f *testing.F) {
	for _, m := range fuzz.All(target()) {
		if wire := m.Wire(1); len(wire) < 1000 {
			f.Add(wire)
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		if got := fuzz.Told(wire); len(got) > 4000 || !utf8.ValidString(got) {
			t.Errorf("%d bytes: %.200q", len(got), got)
		}
	})
}

// There are messages for any tool names and arguments.
func FuzzAll(f *testing.F) {
	f.Add("add", []byte(`{"a":1}`))
	f.Add("", []byte(``))
	f.Add("\xff", []byte(`[1`))
	f.Add("x", []byte(`"\u0001"`))
	f.Fuzz(func(t *testing.T, tool string, arguments []byte) {
		for _, m := range fuzz.All([]fuzz.Target{{Tool: tool, Arguments: arguments}}) {
			for _, at := range m.Cuts() {
				if at >= len(m.Wire(1)) {
					t.Errorf("%s is cut behind its end", m.Why)
				}
			}
		}
	})
}
