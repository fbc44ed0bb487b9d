package session

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// How often calls that were refused are made again with what the error asks for:
// of one tool, and in a session.
// gap: tools-failed
const (
	maxRepairs    = 6
	maxAllRepairs = 200
)

// repairs turns refusals into other inputs, and remembers what each tool needs.
type repairs struct {
	inputs *Inputs
	tools  map[string]*needs // by definition
	made   int
}

// needs are what a tool turned out to need.
type needs struct {
	// schema is the tool's, completed by what its errors demanded.
	schema json.RawMessage
	// worked is the input with which the tool worked after it had refused others;
	// its values at the pointers fixed are not explained by the schema.
	worked schema.Input
	fixed  []string
	made   int
	sent   map[[sha256.Size]byte]bool
}

func newRepairs(inputs *Inputs) *repairs {
	return &repairs{inputs: inputs, tools: map[string]*needs{}}
}

// of returns what is known of a tool.
func (p *repairs) of(tool *mcpsf.Tool) *needs {
	n := p.tools[definition(tool)]
	if n == nil {
		n = &needs{schema: tool.InputSchema, sent: map[[sha256.Size]byte]bool{}}
		p.tools[definition(tool)] = n
	}
	return n
}

// next returns the input for the next call of a tool that refused one, and false
// if there is nothing else to try.
func (p *repairs) next(tool *mcpsf.Tool, in schema.Input, why string, seed uint64) (schema.Input, bool) {
	n := p.of(tool)
	n.sent[sha256.Sum256(in.JSON)] = true
	if n.made >= maxRepairs || p.made >= maxAllRepairs {
		return in, false
	}
	wishes := refusal.Read(why)
	if len(wishes) == 0 {
		return in, false
	}
	m := schema.Mend(n.schema, in, wishes, p.inputs.Values.For(tool.Name), seed)
	again := m.Changed && !n.sent[sha256.Sum256(m.Input.JSON)]
	if again {
		in, n.schema = m.Input, m.Schema
		n.fix(m.Fixed)
	}
	if w := p.inputs.World; w != nil && len(m.Left) > 0 && w.Lacking(tool.Name, m.Left, why) {
		again = true
	}
	if again {
		n.made++
		p.made++
	}
	return in, again
}

// fix adds pointers.
func (n *needs) fix(pointers []string) {
	for _, pointer := range pointers {
		if !slices.Contains(n.fixed, pointer) {
			n.fixed = append(n.fixed, pointer)
		}
	}
}

// done notes the input with which a tool worked, if it had refused others.
func (p *repairs) done(tool *mcpsf.Tool, in schema.Input) {
	if n := p.tools[definition(tool)]; n != nil && n.made > 0 && n.worked.JSON == nil {
		n.worked = in
	}
}

// based returns an input with the values that the tool needs and the schema does
// not explain.
func (n *needs) based(in schema.Input) schema.Input {
	for _, pointer := range n.fixed {
		value, ok := schema.Get(n.worked.JSON, pointer)
		if !ok {
			continue
		}
		put := in.With
		if from := n.worked.Server.At(pointer); from != "" {
			put = func(pointer string, value any) (schema.Input, error) { return in.WithServer(pointer, value, from) }
		}
		if out, err := put(pointer, value); err == nil {
			in = out
		}
	}
	return in
}

// errorText returns what a JSON-RPC error says, with the data beside its message:
// some servers list there what is wrong.
func errorText(failure json.RawMessage) string {
	var e struct {
		Message json.RawMessage `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if !jsonrpc.IsObject(failure) || json.Unmarshal(failure, &e) != nil {
		return ""
	}
	text, _ := jsonrpc.String(e.Message)
	if data, ok := jsonrpc.String(e.Data); ok {
		text += "\n" + data
	} else if len(e.Data) > 0 && string(e.Data) != "null" {
		text += "\n" + string(e.Data)
	}
	text, _ = jsonrpc.Clip(text, maxProse)
	return text
}
