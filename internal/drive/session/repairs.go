package session

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
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
	// proven are the values with which other tools worked.
	proven []schema.Proof
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
func (p *repairs) next(tool *mcpsf.Tool, in schema.Input, why string, wishes []mcpsf.Wish, seed uint64) (schema.Input, bool) {
	n := p.of(tool)
	wishes = slices.DeleteFunc(slices.Clone(wishes), func(w mcpsf.Wish) bool { return isPrerequisite(&w) })
	if p.spent(tool) || len(wishes) == 0 {
		return in, false
	}
	m := schema.Mend(n.schema, in, wishes, p.inputs.Values.ForTool(tool).Knowing(p.proven), seed)
	again := m.Changed && !n.sent[sha256.Sum256(m.Input.JSON)]
	if again {
		in, n.schema = m.Input, m.Schema
		n.fix(m.Fixed)
	}
	if w := p.inputs.World; w != nil && len(m.Left) > 0 && w.Lacking(tool.Name, m.Left, why) {
		again = true
	}
	if again {
		p.count(tool)
	}
	return in, again
}

// count counts a call that is made again.
func (p *repairs) count(tool *mcpsf.Tool) {
	p.of(tool).made++
	p.made++
}

// spent reports whether a call of a tool is not made again, because that was done
// often enough.
func (p *repairs) spent(tool *mcpsf.Tool) bool {
	return p.of(tool).made >= maxRepairs || p.made >= maxAllRepairs
}

// more counts a call that another tool wants first, and reports whether it may be
// made.
func (p *repairs) more() bool {
	may := p.made < maxAllRepairs
	if may {
		p.made++
	}
	return may
}

// refuses notes that a tool refused an input.
func (p *repairs) refuses(tool *mcpsf.Tool, in schema.Input) {
	p.of(tool).sent[sha256.Sum256(in.JSON)] = true
}

// wasSent reports whether a tool refused an input before.
func (p *repairs) wasSent(tool *mcpsf.Tool, in schema.Input) bool {
	return p.of(tool).sent[sha256.Sum256(in.JSON)]
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

// share gives a refused call the arguments of the tool of which the refusal says that
// it makes what is missing, if that worked: an index of a folder is found in the same
// folder. It reports whether that tool has such arguments, and whether the input is
// another one.
func (t *toolCaller) share(tool *mcpsf.Tool, r request, wishes []mcpsf.Wish) (out request, shares, changed bool) {
	full := *tool
	full.InputSchema = t.schemaOf(tool)
	for i := range wishes {
		w := &wishes[i]
		if w.Kind != mcpsf.WishFirst || t.repairs.spent(tool) {
			continue
		}
		for _, j := range sequence.Named(t.out.Tools, w.Accepted) {
			maker := &t.out.Tools[j]
			known := t.history.Latest(maker.Name, definition(maker))
			if known == nil || definition(maker) == definition(tool) {
				continue
			}
			in, ok := sequence.Share(&full, r.input(), &known.Step)
			if ok && string(in.JSON) != string(r.arguments) && !t.repairs.wasSent(tool, in) {
				p := t.begun()
				p.prepared = append(p.prepared, known)
				t.repairs.count(tool)
				return r.with(in), true, true
			}
			shares = shares || ok
			break
		}
	}
	return r, shares, false
}

// shared gives the first call of a tool the values with which a tool that makes things
// worked, for required parameters of the same names.
func (t *toolCaller) shared(tool *mcpsf.Tool, in schema.Input) schema.Input {
	if sequence.Makes(tool.Name) || t.history.Latest(tool.Name, definition(tool)) != nil {
		return in
	}
	for _, q := range t.proofs.Of(tool.Name) {
		if !sequence.Makes(q.Tool) || in.Server.At("/"+mcpsf.PointerPart(q.Parameter)) != "" {
			continue
		}
		i := slices.IndexFunc(t.out.Tools, func(o mcpsf.Tool) bool { return o.Name == q.Tool })
		if i < 0 {
			continue
		}
		maker := &t.out.Tools[i]
		known := t.history.Latest(maker.Name, definition(maker))
		if known == nil {
			continue
		}
		if out, ok := sequence.ShareOne(tool, in, &known.Step, q.Parameter); ok && string(out.JSON) != string(in.JSON) {
			in = out
			p := t.begun()
			p.prepared = append(p.prepared, known)
		}
	}
	return in
}
