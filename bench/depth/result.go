package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/bench/twobuilds"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxText bounds what is kept of a text of a server.
const maxText = 200

// result is what is kept of one assessment.
type result struct {
	twobuilds.Run
	Band mcpsf.Band `json:"band,omitempty"`
	// Installing is how many seconds of the run went into the installation, 0 if
	// that was done in an earlier run.
	Installing float64 `json:"installing,omitempty"`
	// Given are the names of the variables and flags that mcpsf made up values for.
	Given []string `json:"given,omitempty"`
	Tools []tool   `json:"tools,omitempty"`
	// Why says why there are no tools.
	Why string `json:"why,omitempty"`
}

// tool is a listed tool.
type tool struct {
	Name string `json:"name"`
	// Worked is set if a call succeeded.
	Worked bool `json:"worked,omitempty"`
	// Failed is how its last unsuccessful call ended, "" if there was none.
	Failed mcpsf.CallStatus `json:"failed,omitempty"`
	// Reason is why it never worked and Help what may make it work, in the words of
	// a build that says so.
	Reason string `json:"reason,omitempty"`
	Help   string `json:"help,omitempty"`
}

// Fill takes what is counted from a report. Which tools worked is taken from the
// session, which the reports of all builds have, so that both are counted alike.
func (r *result) Fill(rep *mcpsf.Report) {
	r.Band = rep.Verdict.Band
	if in := rep.Installation; in != nil && !in.Cached {
		r.Installing = in.Seconds
	}
	r.Given = given(&rep.Declared)
	r.Tools = toolsOf(&rep.Session, rep.Coverage.Tools)
	if len(r.Tools) == 0 {
		r.Why = safetext.Line(whyNone(rep), maxText)
	}
}

// toolsOf lists the tools, each name once.
func toolsOf(s *mcpsf.Session, said []mcpsf.ToolCoverage) []tool {
	var list []tool
	at := map[string]int{}
	for _, t := range s.Tools {
		if _, known := at[t.Name]; !known {
			at[t.Name] = len(list)
			list = append(list, tool{Name: safetext.Line(t.Name, maxText)})
		}
	}
	for _, c := range s.Calls {
		i, listed := at[c.Tool]
		switch {
		case !listed || c.Method != protocol.MethodCall:
		case c.Status == mcpsf.CallOK:
			list[i].Worked = true
		default:
			list[i].Failed = c.Status
		}
	}
	for _, c := range said {
		i, listed := at[c.Name]
		if listed && !list[i].Worked && list[i].Reason == "" {
			list[i].Reason, list[i].Help = safetext.Line(c.Reason, maxText), safetext.Line(c.Help, maxText)
		}
	}
	return list
}

// given names the variables and the flags that the server was started with beyond
// what its package says, without their values.
func given(d *mcpsf.Declared) []string {
	var names []string
	for _, variable := range d.Env {
		name, _, _ := strings.Cut(variable, "=")
		names = append(names, safetext.Line(name, maxText))
	}
	for _, word := range d.Command {
		if name, _, _ := strings.Cut(word, "="); strings.HasPrefix(name, "-") {
			names = append(names, safetext.Line(name, maxText))
		}
	}
	return names
}

// whyNone says why a server listed no tools.
func whyNone(rep *mcpsf.Report) string {
	if in := rep.Installation; in != nil && in.Failed != "" {
		return in.Failed
	}
	if rep.Session.Ending != "" {
		return rep.Session.Ending
	}
	return strings.Join(rep.Verdict.Reasons, " ")
}

// worked counts the tools that worked.
func (r *result) worked() int {
	return len(r.Tools) - len(r.failed())
}

// failed are the tools that never worked.
func (r *result) failed() []tool {
	return slices.DeleteFunc(slices.Clone(r.Tools), func(t tool) bool { return t.Worked })
}

// Outcome is the result in a few words.
func (r *result) Outcome() string {
	if r.Band == "" {
		return fmt.Sprintf("no report, exit %d", r.Exit)
	}
	return fmt.Sprintf("%d of %d tools, %s", r.worked(), len(r.Tools), r.Band)
}
