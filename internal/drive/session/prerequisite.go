package session

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Bounds of the calls that are made because a tool wants them first.
// gap: tools-failed
const (
	// maxNested is how deep they are nested: what a tool wants first may want
	// something first itself.
	maxNested = 2
	// maxMeant is how many tools are tried that a text may mean.
	maxMeant = 3
	// maxRetried is how many tools that never worked are called once more after
	// something was opened or created.
	maxRetried = 20
	// maxLooked is how often tools are looked for that a text may mean.
	maxLooked = 200
)

// ongoing is a tool that is being called.
type ongoing struct {
	definition string
	asked      map[int]bool     // the tools that were called first, or were to be
	prepared   []*sequence.Call // those of them that worked
}

// begun returns the tool that is being called now.
func (t *toolCaller) begun() *ongoing { return t.calling[len(t.calling)-1] }

// isPending reports whether a tool is being called, and waits for what it wants.
func (t *toolCaller) isPending(definition string) bool {
	return slices.ContainsFunc(t.calling, func(p *ongoing) bool { return p.definition == definition })
}

// prepare calls the tools that a refusal wants first, or wants the results of, and
// puts what they returned into the refused call. It reports whether that is to be
// made again.
func (t *toolCaller) prepare(ctx context.Context, i int, r request, wishes []mcpsf.Wish) (request, bool, error) {
	tool := &t.out.Tools[i]
	again := false
	for _, w := range wishes {
		if !isPrerequisite(&w) || t.repairs.spent(tool) {
			continue
		}
		from, err := t.callFirst(ctx, &w, r.nameAt(&w))
		if err != nil {
			return r, false, err
		}
		if from == nil {
			continue
		}
		p := t.begun()
		p.prepared, again = append(p.prepared, from), true
		if w.Kind == mcpsf.WishResult {
			r = t.withResult(tool, r, &w, from)
		}
	}
	if !again {
		return r, false, nil
	}
	t.repairs.count(tool)
	if slices.ContainsFunc(r.links, func(l mcpsf.Link) bool { return l.Whole || l.Rank > 0 }) {
		return r, true, nil // what is inside stays as it was returned
	}
	full := *tool
	full.InputSchema = t.schemaOf(tool)
	input, links := t.memory.Fill(full, r.input())
	return r.with(input).linked(links), true, nil
}

// isPrerequisite reports whether a wish is for a call of another tool.
func isPrerequisite(w *mcpsf.Wish) bool {
	return w.Kind == mcpsf.WishFirst || w.Kind == mcpsf.WishResult
}

// nameAt returns what a refused call calls the thing that a wish is about, "" if that is not
// known.
func (r request) nameAt(w *mcpsf.Wish) string {
	if w.Value != "" || len(w.Path) == 0 {
		return w.Value
	}
	value, _ := schema.Get(r.arguments, "/"+mcpsf.PointerPart(w.Path[0]))
	name, _ := jsonrpc.String(value)
	return name
}

// callFirst calls a tool that a wish may mean, until one works. It returns that
// call, nil if there is none. Each tool is tried once for a refused call: what
// wants it again does so in vain.
func (t *toolCaller) callFirst(ctx context.Context, w *mcpsf.Wish, name string) (*sequence.Call, error) {
	if t.looked++; len(t.calling) > maxNested || t.looked > maxLooked {
		return nil, nil
	}
	p, tried := t.begun(), 0
	for _, j := range sequence.Named(t.out.Tools, w.Accepted) {
		other := &t.out.Tools[j]
		if p.asked[j] || t.isPending(definition(other)) || !t.callable(other) || t.onlyAsTask(other) {
			continue
		}
		p.asked[j] = true
		known := t.history.Latest(other.Name, definition(other))
		if w.Kind == mcpsf.WishResult && known != nil && !madeAs(known, name) {
			return known, nil // its result is there
		}
		if tried++; tried > maxMeant || !t.repairs.more() {
			return nil, nil
		}
		if err := t.callAgain(ctx, j, w.Arguments); err != nil {
			return nil, err
		}
		if now := t.history.Latest(other.Name, definition(other)); now != known {
			return now, nil
		}
	}
	return nil, nil
}

// madeAs reports whether a call was given a name under which the thing is not there any
// more: its result says nothing new, but it can be made again.
func madeAs(call *sequence.Call, name string) bool {
	return name != "" && slices.Contains(schema.Repeated(sequence.InputOf(&call.Step), strconv.Quote(name)), name)
}

// callAgain calls a tool with the input that worked for it, if one did, and with arguments
// that a text wants.
func (t *toolCaller) callAgain(ctx context.Context, i int, wanted map[string]string) error {
	r, err := t.request(i, 0)
	if err != nil {
		return err
	}
	tool := &t.out.Tools[i]
	if known := t.history.Latest(tool.Name, definition(tool)); known != nil {
		r.links = known.Links
		r = r.with(sequence.Refill(&t.memory, &known.Step, sequence.InputOf(&known.Step), ""))
	}
	r = r.with(schema.Choosing(t.schemaOf(tool), r.input(), wanted))
	return t.try(ctx, i, r)
}

// retry calls tools once more that never worked, if something was opened or created
// since, or if a result has shown a value for them: they may only have come too early.
func (t *toolCaller) retry(ctx context.Context, order []int) error {
	made := 0
	for _, i := range order {
		tool := &t.out.Tools[i]
		if !t.history.NeverWorked(definition(tool)) || !t.callable(tool) || made >= maxRetried {
			continue
		}
		r, err := t.request(i, 0)
		if err != nil {
			return err
		}
		if !t.history.MayWorkNow(definition(tool)) && (len(r.links) == 0 || t.repairs.wasSent(tool, r.input())) {
			continue
		}
		made++
		if !t.requests.opts.Earlier.Resume.begin(fmt.Sprintf("retry %d %s", i, definition(tool))) {
			continue
		}
		if err := t.try(ctx, i, r); err != nil {
			return err
		}
	}
	return nil
}

// withResult puts the whole result of a call where a refusal wants it, unless one
// value of it fits there.
func (t *toolCaller) withResult(tool *mcpsf.Tool, r request, w *mcpsf.Wish, from *sequence.Call) request {
	full := *tool
	full.InputSchema = t.schemaOf(tool)
	pointer := sequence.PlaceOf(&full, r.arguments, w, from.Tool.Name)
	filled, links := t.memory.Fill(full, r.input())
	for _, l := range links {
		if (l.Pointer == pointer || pointer == "") && !t.repairs.wasSent(tool, filled) {
			return r // the memory fills it
		}
	}
	if next, ok := t.choose(&full, r, mcpsf.Link{Pointer: pointer, Tool: from.Tool.Name}); ok {
		t.repairs.of(tool).fix([]string{pointer})
		return next
	}
	input, ok := sequence.PutWhole(&t.memory, &full, r.input(), mcpsf.Link{Pointer: pointer, Tool: from.Tool.Name})
	if !ok {
		return r
	}
	t.repairs.of(tool).fix([]string{pointer})
	return r.with(input).link(mcpsf.Link{Pointer: pointer, Tool: from.Tool.Name, Whole: true})
}

// step returns a call of a tool as a step of a sequence. The schema is the one
// that the tool turned out to have.
func (r request) step(tool *mcpsf.Tool, known *needs) mcpsf.Step {
	in := r.input()
	out := mcpsf.Step{Tool: *tool, Arguments: in.JSON, ServerValues: in.Server}
	out.Tool.InputSchema = known.schema
	for _, l := range r.links {
		if in.Server.Has(l.Pointer, mcpsf.OriginResult) { // nothing else was put there since
			out.Links = append(out.Links, l)
		}
	}
	return out
}

// linked adds the links of a memory to the call.
func (r request) linked(links []chain.Link) request {
	for _, l := range links {
		r = r.link(mcpsf.Link{Pointer: l.Pointer, Tool: l.Tool})
	}
	return r
}

// link adds one, in place of what was at its pointer.
func (r request) link(l mcpsf.Link) request {
	r.links = append(slices.DeleteFunc(slices.Clone(r.links), func(old mcpsf.Link) bool { return old.Pointer == l.Pointer }), l)
	return r
}

// maxSaidRefusal bounds a result that only says that the call was refused.
// no gap: a longer one is a result
const maxSaidRefusal = 400

// refusing matches the beginning of such a result.
var refusing = lazyregexp.New(`(?i)^[^\pL{]{0,8}(?:error|fail|cannot|can't|could not|unable|not |no |please |must |you must|you need|unauthori[sz]ed|forbidden|access denied|denied)|^\{[^{}]{0,200}"(?:error|err)"\s*:\s*["{]|^\{[^{}]{0,200}"(?:success|ok)"\s*:\s*false`)

// saidRefusal returns the text of a result if it says that the call was refused, though
// the server does not mark it as an error; else "". It is read only for calls that are
// wanted first.
func saidRefusal(result json.RawMessage) string {
	if len(result) == 0 || len(result) > 4*maxSaidRefusal || jsonrpc.IsErrorResult(result) {
		return ""
	}
	if text := firstText(result, maxSaidRefusal+1); len(text) <= maxSaidRefusal && refusing.MatchString(text) {
		return text
	}
	return ""
}

// choose puts the next value of a result that the tool has not refused yet into a call:
// a member with the name of the argument, what identifies the thing, the whole.
func (t *toolCaller) choose(tool *mcpsf.Tool, r request, l mcpsf.Link) (request, bool) {
	if l.Pointer == "" {
		return r, false
	}
	in := r.input()
	for l.Rank = sequence.RankOf(&t.memory, tool, in, l) + 1; ; l.Rank++ {
		out, of, ok := sequence.PutChoice(&t.memory, tool, in, l)
		switch {
		case l.Rank > of:
			return r, false
		case ok && string(out.JSON) != string(in.JSON) && !t.repairs.wasSent(tool, out):
			return r.with(out).link(l), true
		}
	}
}

// rechoose puts the next value of a result where a refusal is about one that is from a
// result.
func (t *toolCaller) rechoose(tool *mcpsf.Tool, r request, wishes []mcpsf.Wish) (request, bool) {
	if t.repairs.spent(tool) {
		return r, false
	}
	full := *tool
	full.InputSchema = t.schemaOf(tool)
	in := r.input()
	for _, l := range r.links {
		if slices.ContainsFunc(wishes, func(w mcpsf.Wish) bool { return lists(&w, l.Pointer) }) {
			continue
		}
		if in.Server.At(l.Pointer) != mcpsf.OriginResult || !slices.ContainsFunc(wishes, func(w mcpsf.Wish) bool { return isAbout(&w, l.Pointer, len(r.links)) }) || sequence.RankOf(&t.memory, &full, in, l) == 0 {
			continue
		}
		if next, ok := t.choose(&full, r, l); ok {
			t.repairs.count(tool)
			t.repairs.of(tool).fix([]string{l.Pointer})
			return next, true
		}
	}
	return r, false
}

// lists reports whether a wish lists the values that are accepted at a pointer.
func lists(w *mcpsf.Wish, pointer string) bool {
	return w.Kind == mcpsf.WishOneOf && len(w.Accepted) > 0 && len(w.Path) > 0 && strings.EqualFold("/"+mcpsf.PointerPart(w.Path[0]), pointer)
}

// isAbout reports whether a wish says that the value at a pointer is not the right one.
// Without a path it can only mean the one that is from a result.
func isAbout(w *mcpsf.Wish, pointer string, links int) bool {
	switch w.Kind {
	case mcpsf.WishLess, mcpsf.WishMore, mcpsf.WishFormat, mcpsf.WishExisting, mcpsf.WishType:
	default:
		return false
	}
	if len(w.Path) == 0 {
		return links == 1
	}
	return strings.EqualFold("/"+mcpsf.PointerPart(w.Path[0]), pointer)
}
