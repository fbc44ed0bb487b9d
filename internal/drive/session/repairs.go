package session

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// How often calls that were refused are made again with what the error asks for:
// of one tool, and in a session.
// gap: tools-failed
const (
	maxRepairs    = 6
	maxAllRepairs = 200
	// maxProgress is how many more are made of a tool that says something new each time:
	// it gets further.
	maxProgress = 6
	// leastRepairs are kept for each tool that was not called yet: those before it must
	// not use up all of them. At most half of them are kept.
	leastRepairs = 2
)

// repairs turns refusals into other inputs, and remembers what each tool needs.
type repairs struct {
	inputs *Inputs
	tools  map[string]*needs // by definition
	made   int
	// expected is how many tools will be called.
	expected int
	// proven are the values with which other tools worked.
	proven  []meaning.Proof
	lessons lessons
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
	// said are the refusals of the tool, without values.
	said   map[string]bool
	slower bool // we waited, because calls came too fast
	trial  trial
	sent   map[[sha256.Size]byte]bool
}

func newRepairs(inputs *Inputs) *repairs {
	return &repairs{inputs: inputs, tools: map[string]*needs{}}
}

// of returns what is known of a tool.
func (p *repairs) of(tool *mcpsf.Tool) *needs {
	n := p.tools[definition(tool)]
	if n == nil {
		n = &needs{schema: tool.InputSchema, sent: map[[sha256.Size]byte]bool{}, said: map[string]bool{}}
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
	if p.inputs.World != nil && schema.Strange(n.schema, in, wishes) && p.inputs.World.Lacking(tool.Name, wishes, why) {
		p.count(tool)
		return in, true // it speaks of an answer that it got in this call
	}
	ofInput, ofOutput := divided(wishes)
	m := schema.Mend(n.schema, in, ofInput, p.inputs.Values.ForTool(tool).Knowing(p.proven), seed)
	again := m.Changed && !n.sent[sha256.Sum256(m.Input.JSON)]
	if again {
		p.learn(tool, n, in, m.Input, ofInput, seed)
		in, n.schema = m.Input, m.Schema
		n.fix(m.Fixed)
	}
	if left := slices.Concat(m.Left, ofOutput); p.inputs.World != nil && len(left) > 0 && p.inputs.World.Lacking(tool.Name, left, why) {
		again = true
	}
	if again {
		p.count(tool)
	}
	return in, again
}

// unreached reports whether a call that failed is made again as it is, because what the
// server could not reach is there now.
func (t *toolCaller) unreached(tool *mcpsf.Tool, got *outcome) bool {
	late := got.result == nil && t.requests.ledger.last().Status == mcpsf.CallTimeout
	if t.inputs.World == nil || got.why == "" && !late || t.repairs.spent(tool) || !t.inputs.World.Unreached(tool.Name) {
		return false
	}
	if got.result != nil {
		t.requests.ledger.isRepeated(got.call)
	}
	t.repairs.count(tool)
	return true
}

// divided separates the wishes about what a tool returns.
func divided(wishes []mcpsf.Wish) (input, output []mcpsf.Wish) {
	for i := range wishes {
		if wishes[i].Output {
			output = append(output, wishes[i])
		} else {
			input = append(input, wishes[i])
		}
	}
	return input, output
}

// learn remembers what a repair changed: other tools may want the same.
func (p *repairs) learn(tool *mcpsf.Tool, n *needs, before, after schema.Input, wishes []mcpsf.Wish, seed uint64) {
	values := p.inputs.Values.ForTool(tool)
	names := schema.About(n.schema, before, lasting(wishes), values, seed)
	p.lessons.note(tool.Name, before, after, names, func(name string) meaning.Kind { return schema.KindOf(n.schema, after, name, values) })
}

// count counts a call that is made again.
func (p *repairs) count(tool *mcpsf.Tool) {
	p.of(tool).made++
	p.made++
}

// spent reports whether a call of a tool is not made again, because that was done
// often enough.
func (p *repairs) spent(tool *mcpsf.Tool) bool {
	n := p.of(tool)
	return n.made >= maxRepairs+max(0, min(maxProgress, len(n.said)-1)) || p.made >= maxAllRepairs-p.kept()
}

// kept is how many repairs are kept for tools that were not called yet.
func (p *repairs) kept() int {
	return min(leastRepairs*max(0, p.expected-len(p.tools)), maxAllRepairs/2)
}

// expect notes which tools will be called.
func (p *repairs) expect(tools []mcpsf.Tool) {
	all := map[string]bool{}
	for i := range tools {
		if p.inputs.May(&tools[i]) {
			all[definition(&tools[i])] = true
		}
	}
	p.expected = len(all)
}

// more counts a call that another tool wants first, and reports whether it may be
// made.
func (p *repairs) more() bool {
	may := p.made < maxAllRepairs-p.kept()
	if may {
		p.made++
	}
	return may
}

// refuses notes that a tool refused an input.
func (p *repairs) refuses(tool *mcpsf.Tool, in schema.Input) {
	p.of(tool).sent[sha256.Sum256(in.JSON)] = true
}

// hears notes what a tool says of a call that it refused. The values of the call do not
// make it another thing.
func (p *repairs) hears(tool *mcpsf.Tool, why string) {
	p.of(tool).said[changing.ReplaceAllString(why[:min(len(why), maxSaidRefusal)], "")] = true
}

// changing is what differs between two refusals that say the same.
var changing = lazyregexp.New(`"[^"]*"|'[^']*'|` + "`[^`]*`" + `|\S*\d\S*`)

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
	if n := p.tools[definition(tool)]; n != nil && (n.made > 0 || len(n.trial.own) > 0) && n.worked.JSON == nil {
		n.worked = in
	}
}

// based returns an input with the values that the tool needs and the schema does
// not explain.
func (n *needs) based(in schema.Input) schema.Input {
	for _, pointer := range n.fixed {
		if out, err := in.WithCopy(pointer, n.worked, pointer); err == nil {
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
		looked := 0
		for _, j := range sequence.Named(t.out.Tools, w.Accepted) {
			maker := &t.out.Tools[j]
			known := t.history.Latest(maker.Name, definition(maker))
			if known == nil || definition(maker) == definition(tool) {
				continue
			}
			if looked++; looked > maxMeant {
				break
			}
			in, ok := sequence.Share(&full, r.input(), &known.Step)
			if ok && string(in.JSON) != string(r.arguments) && !t.repairs.wasSent(tool, in) {
				p := t.begun()
				p.prepared = append(p.prepared, known)
				t.repairs.count(tool)
				return r.with(in), true, true
			}
			if shares = shares || ok; ok {
				break
			}
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

// maxLessons bounds the parameters of which something is learned from refusals.
// no gap: another tool then has to refuse its own call first
const maxLessons = 64

// lessons are the values that tools turned out to want, by the names of their parameters:
// another tool of the same server mostly wants the same.
type lessons struct{ list []lesson }

// lesson is a value that a tool wanted. It is learned once the tool asks for nothing else
// there.
type lesson struct {
	meaning.Proof

	kind  meaning.Kind
	sound bool
}

// trial is what the calls of one tool say of lessons.
type trial struct {
	// own are the values of ours that lessons replaced, by the names of parameters.
	own []meaning.Proof
	// dropped are the parameters for which no lesson is used, because it was refused.
	dropped []string
}

// note remembers what a repair put at the arguments that the wishes are about. That
// something is there already says nothing to others.
func (l *lessons) note(tool string, before, after schema.Input, names []string, kind func(name string) meaning.Kind) {
	for _, name := range names {
		pointer := "/" + mcpsf.PointerPart(name)
		value, ok := scalarAt(after, pointer)
		if old, _ := scalarAt(before, pointer); !ok || old == value || after.Server.At(pointer) == mcpsf.OriginResult {
			continue
		}
		l.list = slices.DeleteFunc(l.list, func(o lesson) bool { return o.Tool == tool && o.Parameter == name })
		if len(l.list) < maxLessons {
			l.list = append(l.list, lesson{Proof: meaning.Proof{Tool: tool, Parameter: name, Value: value, From: after.Server.At(pointer)}, kind: kind(name)})
		}
	}
}

// settle says how a call of a tool ended: what it still complains of was no lesson.
func (l *lessons) settle(tool string, wrong []string) {
	l.list = slices.DeleteFunc(l.list, func(o lesson) bool { return o.Tool == tool && slices.Contains(wrong, o.Parameter) })
	for i := range l.list {
		if l.list[i].Tool == tool {
			l.list[i].sound = true
		}
	}
}

// taught gives the first call of a tool what others turned out to want for parameters of
// the same names. What is in it because it worked for a tool that makes things stays: made
// is the input before that.
func (t *toolCaller) taught(tool *mcpsf.Tool, made, in schema.Input) schema.Input {
	n := t.repairs.of(tool)
	n.trial.own = nil
	if t.history.Latest(tool.Name, definition(tool)) != nil {
		return in
	}
	values := t.inputs.Values.ForTool(tool)
	for i := range slices.Backward(t.repairs.lessons.list) {
		l := t.repairs.lessons.list[i]
		done := slices.ContainsFunc(n.trial.own, func(p meaning.Proof) bool { return p.Parameter == l.Parameter })
		if !l.sound || done || slices.Contains(n.trial.dropped, l.Parameter) {
			continue
		}
		pointer := "/" + mcpsf.PointerPart(l.Parameter)
		own, there := scalarAt(in, pointer)
		if first, _ := scalarAt(made, pointer); first != own {
			continue
		}
		if out, ok := schema.Teach(n.schema, in, l.Proof, l.kind, values, t.inputs.Seed); ok && there && !t.repairs.wasSent(tool, out) {
			n.trial.own = append(n.trial.own, meaning.Proof{Parameter: l.Parameter, Value: own})
			n.fix([]string{pointer})
			in = out
		}
	}
	return in
}

// unlearned takes back the lessons that a tool refused, and reports whether the call is
// another one by that.
func (t *toolCaller) unlearned(tool *mcpsf.Tool, r request, wrong []string) (request, bool) {
	n := t.repairs.of(tool)
	in := r.input()
	changed := false
	n.trial.own = slices.DeleteFunc(n.trial.own, func(own meaning.Proof) bool {
		if !slices.Contains(wrong, own.Parameter) {
			return false
		}
		n.trial.dropped = append(n.trial.dropped, own.Parameter)
		pointer := "/" + mcpsf.PointerPart(own.Parameter)
		n.fixed = slices.DeleteFunc(n.fixed, func(p string) bool { return p == pointer })
		if out, err := in.With(pointer, own.Value); err == nil {
			in, changed = out, true
		}
		return true
	})
	if !changed || t.repairs.wasSent(tool, in) || t.repairs.spent(tool) {
		return r, false
	}
	t.repairs.count(tool)
	return r.with(in), true
}

// scalarAt returns a text or a number of an input.
func scalarAt(in schema.Input, pointer string) (any, bool) {
	return schema.ScalarAt(in.JSON, pointer)
}

// wrong returns the names of the arguments that a refusal is about.
func (t *toolCaller) wrong(tool *mcpsf.Tool, in schema.Input, wishes []mcpsf.Wish) []string {
	if len(wishes) == 0 {
		return nil
	}
	return schema.About(t.repairs.of(tool).schema, in, wishes, t.inputs.Values.ForTool(tool), t.inputs.Seed)
}

// lasting are the wishes that say something about every value of a parameter.
func lasting(wishes []mcpsf.Wish) []mcpsf.Wish {
	return slices.DeleteFunc(slices.Clone(wishes), func(w mcpsf.Wish) bool {
		if w.Loose {
			return true // what failed to read something may have read something else
		}
		switch w.Kind {
		case mcpsf.WishOneOf, mcpsf.WishFormat, mcpsf.WishExisting, mcpsf.WishRelative, mcpsf.WishAbsolute, mcpsf.WishProject, mcpsf.WishMore, mcpsf.WishLess:
			return false
		}
		return true
	})
}
