package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/attackrules"
	"github.com/mcpsf/mcpsf/bench/binary"
	"github.com/mcpsf/mcpsf/internal/gap"
)

// results are kept by source.
type results map[string]*result

// result is what is kept of an assessment.
type result struct {
	Seconds float64 `json:"seconds"`
	Tools   int     `json:"tools"`
	// Build is the version of mcpsf. Tried are the attacks that were made, as
	// tool, place and technique; nil if not recorded.
	Build string   `json:"build,omitempty"`
	Tried []string `json:"tried,omitempty"`
	// Missing are programs that were replaced by stub programs.
	Missing  string    `json:"missing,omitempty"`
	Findings []finding `json:"findings"`
	// Error says why there are no further fields.
	Error string `json:"error,omitempty"`
}

// finding is a finding that an attack caused.
type finding struct {
	Rule     string `json:"rule"`
	Tool     string `json:"tool"`
	Severity string `json:"severity"`
	Grade    string `json:"grade"`
	Message  string `json:"message"`
	// Shown are the techniques that succeeded, each with the first call.
	Shown []success `json:"shown"`
}

// success is a call and the event that shows its success.
type success struct {
	Place    string `json:"place"`
	Why      string `json:"why"`
	Call     string `json:"call"`
	Evidence string `json:"evidence"`
	// check is the event, if it was a check of how the server protects itself.
	check int64
}

func readResults(name string) (results, error) {
	known := results{}
	raw, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return known, nil
}

func writeResults(name string, known results) error {
	raw, err := json.MarshalIndent(known, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(raw, '\n'), 0o644)
}

// byItself tells whether the rule is about a weakness that shows without an attack.
func byItself(id string) bool {
	return slices.Contains([]string{"credential-in-log", "credential-in-result", "listens-on-all-interfaces"}, id)
}

// fill copies what is kept from a report and its events.
func (r *result) fill(rep *mcpsf.Report, shown map[string][]success, tried []string) {
	r.Tools, r.Build, r.Tried = len(rep.Session.Tools), rep.Tool.Version, tried
	if !rep.Session.Initialized && len(tried) == 0 {
		r.Error = "it did not answer initialize"
	}
	for _, b := range rep.Coverage.Gaps {
		if b.Code == gap.StubPrograms {
			r.Missing = b.Text
		}
	}
	for _, f := range rep.Findings {
		if attackrules.ByAttack(f.ID) || attackrules.ByCheck(f.ID) || attackrules.ByMessage(f.ID) || byItself(f.ID) {
			kept := finding{Rule: f.ID, Tool: f.Tool, Severity: string(f.Severity), Grade: string(f.Grade), Message: f.Message}
			for _, s := range shown[f.Tool] {
				if shows(&f, &s) && !slices.ContainsFunc(kept.Shown, func(o success) bool { return o.Why == s.Why }) {
					kept.Shown = append(kept.Shown, s)
				}
			}
			if len(kept.Shown) == 0 { // shown by something other than the sign
				kept.Shown = []success{{Call: f.Reproduce}}
			}
			r.Findings = append(r.Findings, kept)
		}
	}
}

// shows tells whether a finding is about a success: for an attack it names the
// place, for a check it has the event.
func shows(f *mcpsf.Finding, s *success) bool {
	if s.check != 0 {
		return slices.Contains(f.Evidence, s.check)
	}
	return strings.Contains(f.Message, strconv.Quote(s.Place))
}

// maxCall bounds how much of a call and of an event is kept.
const maxCall = 400

// successes returns which attacks showed their sign, by tool, and which were made.
func successes(name string) (map[string][]success, []string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	asked := map[string]*mcpsf.MCPDetail{}
	shown := map[string][]success{}
	made := map[string]bool{}
	for d := json.NewDecoder(io.LimitReader(file, binary.MaxReport)); ; {
		var e mcpsf.Event
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF):
			return shown, slices.Sorted(maps.Keys(made)), nil
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		if e.Kind == mcpsf.KindMCPRequest && e.MCP != nil && e.MCP.Attack != nil {
			asked[e.Call] = e.MCP
			made[attempt(e.MCP.Tool, e.MCP.Attack.Place, e.MCP.Attack.Why)] = true
		}
		if d := e.Remote; d != nil {
			why := "check of " + string(d.Check)
			made[attempt("", "", why)] = true
			if d.Weak {
				shown[""] = append(shown[""], success{
					Why: why, Call: clip(strings.TrimSpace(d.Method + " at " + d.URL + " with " + d.Sent)), Evidence: clip(fmt.Sprintf("event %d: %s", e.Seq, d.Got)), check: e.Seq,
				})
			}
		}
		m := asked[e.Call]
		if m == nil || !signs(m.Attack, &e) || m.Attack.Class == mcpsf.ClassEndpoint || m.Attack.Class == mcpsf.ClassShrink {
			continue
		}
		shown[m.Tool] = append(shown[m.Tool], success{
			Place: m.Attack.Place, Why: m.Attack.Why, Call: clip(call(m)), Evidence: clip(fmt.Sprintf("event %d: %s", e.Seq, line(&e))),
		})
	}
}

func attempt(tool, place, why string) string { return tool + " " + place + " " + why }

// signs reports whether an event is the sign of an attack.
func signs(a *mcpsf.AttackDetail, e *mcpsf.Event) bool {
	switch {
	case a.Sign == mcpsf.SignExec:
		return e.Kind == mcpsf.KindProcessExec && e.Process.Error == "" && (path.Base(e.Process.Path) == a.Marker || len(e.Process.Args) > 0 && path.Base(e.Process.Args[0]) == a.Marker)
	case a.Sign == mcpsf.SignArgument:
		return e.Kind == mcpsf.KindProcessExec && e.Process.Error == "" && a.IsOption(e.Process.Args)
	case a.Sign == mcpsf.SignOpen:
		return e.File != nil && e.File.Error == "" && e.Kind != mcpsf.KindFileStat && a.Opens(e.File.Path)
	case a.Sign == mcpsf.SignRequest:
		return e.Net != nil && (e.Net.Name == a.Marker || e.Net.Address == a.Marker)
	case a.Sign == mcpsf.SignAnswer:
		return e.Kind == mcpsf.KindMCPResponse && e.MCP.Attack != nil && e.MCP.Attack.Shown
	}
	return false
}

// call writes a request as text.
func call(m *mcpsf.MCPDetail) string {
	var body struct {
		Request   string          `json:"request"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal(m.Body, &body) != nil {
		return m.Tool
	}
	if body.Request != "" {
		return body.Request
	}
	return m.Tool + " " + string(body.Arguments)
}

func clip(s string) string {
	if len(s) > maxCall {
		s = strings.ToValidUTF8(s[:maxCall], "") + "…"
	}
	return s
}

// line describes an event in a few words.
func line(e *mcpsf.Event) string {
	switch {
	case e.Process != nil:
		return "exec " + strings.Join(e.Process.Args, " ")
	case e.File != nil:
		return strings.TrimPrefix(string(e.Kind), "file.") + " " + e.File.Path
	case e.Net != nil:
		return fmt.Sprintf("%s %s %d", strings.TrimPrefix(string(e.Kind), "net."), e.Net.Name+" "+e.Net.Address, e.Net.Port)
	}
	return "its answer"
}
