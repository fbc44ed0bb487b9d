package attackplan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// How many other arguments are switched for a place, one after another, and how many
// payloads of a class are sent with each.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const (
	maxBranches  = 5
	maxSwitched  = 1
	maxOfChoices = 5
)

// branches are the other arguments that may lead the code past a place, or to it:
// switches that are turned on, and choices that are made otherwise ("detailed": true,
// "mode": "raw"). The payload is the same. The arguments take turns.
func branches(p schema.Place, all []schema.Place) []encoding {
	var byArgument [][]encoding
	for _, other := range all {
		if other.Pointer == p.Pointer || strings.Count(other.Pointer, "/") != 1 || isTrial(other.Name) {
			continue
		}
		var list []encoding
		if _, encodes := switched(other); other.Type == "boolean" {
			list = append(list, encoding{pointer: other.Pointer, value: true, name: other.Name, branch: true})
		} else if !encodes && !meaning.HasWord(meaning.Words(other.Name), "format", "encoding", "language", "type") {
			for _, raw := range other.Enum[:min(len(other.Enum), maxOfChoices)] {
				list = append(list, encoding{pointer: other.Pointer, value: raw, name: other.Name, branch: true})
			}
		}
		byArgument = append(byArgument, list)
	}
	return inTurn(byArgument, maxBranches)
}

// inTurn returns the first of each list, then the second of each, and so on.
func inTurn[T any](lists [][]T, most int) []T {
	var out []T
	for turn, more := 0, true; more && len(out) < most; turn++ {
		more = false
		for _, list := range lists {
			if turn < len(list) && len(out) < most {
				out, more = append(out, list[turn]), true
			}
		}
	}
	return out
}

// isTrial reports whether an argument says that nothing is to be done.
func isTrial(name string) bool {
	words := meaning.Words(name)
	return slices.ContainsFunc([]string{"dry", "simulate", "preview", "test"}, func(w string) bool { return slices.Contains(words, w) }) ||
		slices.Contains(words, "only") && meaning.HasWord(words, "validate", "check", "verify")
}

// inBranch returns the input with the argument switched; false if that is so already.
func (e *encoding) inBranch(base schema.Input) (schema.Input, bool) {
	want, err := jsonrpc.Marshal(e.value)
	if err != nil {
		return base, false
	}
	if now, there := schema.Get(base.JSON, e.pointer); there && bytes.Equal(now, want) {
		return base, false
	}
	out, err := base.With(e.pointer, e.value)
	return out, err == nil
}

// switchedOn returns a sequence with all switches of its last call turned on; false if
// there are none. What an attack stored may act only then.
func switchedOn(steps []mcpsf.Step) ([]mcpsf.Step, bool) {
	last := steps[len(steps)-1]
	in := schema.Input{JSON: last.Arguments, Server: last.ServerValues}
	changed := false
	for _, p := range schema.Places(last.Tool.InputSchema, meaning.Values{}, 0) {
		if p.Type != "boolean" || strings.Count(p.Pointer, "/") != 1 || isTrial(p.Name) {
			continue
		}
		e := encoding{pointer: p.Pointer, value: true}
		if out, ok := e.inBranch(in); ok {
			in, changed = out, true
		}
	}
	last.Arguments, last.ServerValues = in.JSON, in.Server
	return append(slices.Clone(steps[:len(steps)-1]), last), changed
}

// maxOtherwise bounds the other choices with which a sequence is used.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const maxOtherwise = 4

// chosenOtherwise returns a sequence with the other choices of its last call, one after
// another: what was stored may act in one format of a report alone. The arguments take
// turns.
func chosenOtherwise(steps []mcpsf.Step) [][]mcpsf.Step {
	last := steps[len(steps)-1]
	defaults := defaultsOf(last.Tool.InputSchema)
	var byArgument [][]schema.Input
	for _, p := range schema.Places(last.Tool.InputSchema, meaning.Values{}, 0) {
		if strings.Count(p.Pointer, "/") != 1 {
			continue
		}
		var list []schema.Input
		_, given := schema.Get(last.Arguments, p.Pointer)
		for _, choice := range p.Enum {
			e := encoding{pointer: p.Pointer, value: choice}
			if in, ok := e.inBranch(schema.Input{JSON: last.Arguments, Server: last.ServerValues}); ok && (given || !bytes.Equal(choice, defaults[p.Name])) {
				list = append(list, in)
			}
		}
		byArgument = append(byArgument, list)
	}
	var out [][]mcpsf.Step
	for _, in := range inTurn(byArgument, maxOtherwise) {
		other := last
		other.Arguments, other.ServerValues = in.JSON, in.Server
		out = append(out, append(slices.Clone(steps[:len(steps)-1]), other))
	}
	return out
}

// defaultsOf returns the defaults of a tool's parameters.
func defaultsOf(raw json.RawMessage) map[string]json.RawMessage {
	var s struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	out := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &s) == nil {
		for name, p := range s.Properties {
			out[name] = p.Default
		}
	}
	return out
}
