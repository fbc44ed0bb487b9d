package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// A tool that refuses and names nothing gets all optional arguments, then none.
func TestOtherInputsAreTried(t *testing.T) {
	for _, c := range []struct {
		name, schema string
		refuses      func(args map[string]any) bool
		want         string
	}{
		{"it wants an optional one", `{"type":"object","properties":{"contrast":{"enum":["more","less"]},"media":{"enum":["screen","print"]}}}`,
			func(args map[string]any) bool { return len(args) == 0 }, `"contrast":`},
		{"it wants none", `{"type":"object","properties":{"query":{"type":"string"}}}`,
			func(args map[string]any) bool { return len(args) > 0 }, `{}`},
	} {
		var calls []string
		p := refusing(c.schema, func(args map[string]any, raw string) string {
			calls = append(calls, raw)
			if c.refuses(args) {
				return "That did not work."
			}
			return ""
		})
		inputs := plantedInputs()
		inputs.Rounds = 1
		s, _ := drive(t, p, &session.Options{Inputs: inputs})
		last := s.Calls[len(s.Calls)-1]
		for i := range s.Calls {
			if s.Calls[i].Method == "tools/call" {
				last = s.Calls[i]
			}
		}
		if len(calls) < 2 || last.Status != mcpsf.CallOK || !strings.Contains(string(last.Arguments), c.want) {
			t.Errorf("%s: %v, the last is %s", c.name, calls, last.Status)
		}
	}
}

// A tool that counts calls gets its call again a moment later, once.
func TestWaitsForARateLimit(t *testing.T) {
	for name, limit := range map[string]int{"once": 1, "always": 100} {
		calls := 0
		p := refusing(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`, func(map[string]any, string) string {
			if calls++; calls <= limit {
				return "Error: Rate limit exceeded"
			}
			return ""
		})
		inputs := plantedInputs()
		inputs.Rounds = 1
		s, _ := drive(t, p, &session.Options{Inputs: inputs})
		worked := slices.ContainsFunc(s.Calls, func(c mcpsf.Call) bool { return c.Method == "tools/call" && c.Status == mcpsf.CallOK })
		if worked != (limit == 1) || calls > 3 {
			t.Errorf("%s: %d calls, worked %v", name, calls, worked)
		}
	}
}

// What a server logs of a call says why it was refused, if the answer does not.
func TestLogSaysWhy(t *testing.T) {
	var p *process
	p = refusing(`{"type":"object","properties":{"period":{"type":"string"}},"required":["period"]}`, func(args map[string]any, _ string) string {
		if args["period"] == "1mo" {
			return ""
		}
		fmt.Fprintln(p.err, "Traceback (most recent call last):\n  File \"a.py\", line 3, in work\nValueError: period must be one of '1mo', '1y'")
		return "Error executing tool work"
	})
	s, _ := drive(t, p, &session.Options{Inputs: plantedInputs()})
	worked, note := false, ""
	for _, c := range s.Calls {
		if c.Method == "tools/call" {
			worked = worked || c.Status == mcpsf.CallOK
			note += c.Note
		}
	}
	if !worked || !strings.Contains(note, "Error executing tool work (its log says: period must be one of") {
		t.Errorf("worked %v, notes %q", worked, note)
	}
}
