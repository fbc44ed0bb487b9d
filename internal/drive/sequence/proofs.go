package sequence

import (
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// Bounds of the values that are remembered because tools worked with them.
// no gap: a value that is not remembered is made up, and the tool is called all the same
const (
	maxProofs     = 256
	maxProofValue = 256
)

// Proofs are the values with which tools worked, the latest last. The zero
// value is ready.
type Proofs struct{ list []meaning.Proof }

// Note remembers the arguments of a call that worked.
func (p *Proofs) Note(tool string, in schema.Input) {
	for name, value := range scalars(in.JSON) {
		p.list = slices.DeleteFunc(p.list, func(old meaning.Proof) bool { return old.Tool == tool && old.Parameter == name })
		p.list = append(p.list, meaning.Proof{Tool: tool, Parameter: name, Value: value, From: in.Server.At("/" + mcpsf.PointerPart(name))})
	}
	slices.SortStableFunc(p.list, func(a, b meaning.Proof) int { return compareBool(Makes(a.Tool), Makes(b.Tool)) })
	if over := len(p.list) - maxProofs; over > 0 {
		p.list = slices.Delete(p.list, 0, over)
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Of returns the values with which other tools worked: those of tools that make
// something come first, then the latest.
func (p *Proofs) Of(tool string) []meaning.Proof {
	out := slices.DeleteFunc(slices.Clone(p.list), func(q meaning.Proof) bool { return q.Tool == tool })
	slices.Reverse(out)
	return out
}

// scalars returns the texts and numbers at the top of an input.
func scalars(raw json.RawMessage) map[string]any {
	var args map[string]any
	if !jsonrpc.IsObject(raw) || json.Unmarshal(raw, &args) != nil {
		return nil
	}
	out := map[string]any{}
	for name, value := range args {
		switch v := value.(type) {
		case string:
			if v != "" && len(v) <= maxProofValue {
				out[name] = v
			}
		case float64:
			out[name] = v
		}
	}
	return out
}
