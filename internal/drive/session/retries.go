package session

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// What else is tried with a tool that refused: a tool that its text names, other
// arguments, and calls whose results leave it open whether they worked.

// otherwise returns a call with another input for a tool that refused one and said
// nothing that would help: with all optional arguments, then with the required ones
// alone. It returns false if later rounds send these anyway.
func (t *toolCaller) otherwise(i int, r request) (request, bool) {
	tool := &t.out.Tools[i]
	if t.inputs.Rounds > 1 || t.repairs.spent(tool) {
		return r, false
	}
	if full, err := t.request(i, 1); err == nil {
		full = full.with(t.taught(tool, full.input(), full.input()))
		if !t.repairs.wasSent(tool, full.input()) {
			t.repairs.count(tool)
			return full, true
		}
	}
	least, err := schema.Minimal(t.schemaOf(tool), t.inputs.Values.ForTool(tool), t.inputs.Seed+uint64(i))
	if err == nil && jsonrpc.IsObject(least.JSON) && !t.repairs.wasSent(tool, least) {
		t.repairs.count(tool)
		return r.with(least), true
	}
	return r, false
}

// maxMentioned is how many tools are called first because a refusal names them, and
// leastMentioned how long such a name is.
// gap: tools-failed
const maxMentioned, leastMentioned = 3, 5

// mentioned adds a wish for the tools that a refusal names word for word, in whatever
// sentence: "No snapshot found. Use take_snapshot to capture one."
func mentioned(tools []mcpsf.Tool, refused *mcpsf.Tool, why string, wishes []mcpsf.Wish) []mcpsf.Wish {
	spoken := map[string]bool{}
	for word := range strings.FieldsFuncSeq(why, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' }) {
		spoken[word] = true
	}
	var names []string
	for i := range tools {
		name := tools[i].Name
		known := slices.ContainsFunc(wishes, func(w mcpsf.Wish) bool { return isPrerequisite(&w) && slices.Contains(w.Accepted, name) })
		if !known && len(names) < maxMentioned && name != refused.Name && isUnmistakable(name) && spoken[name] && !sequence.TakesAway(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return wishes
	}
	var args map[string]string
	if m := withArgument.FindStringSubmatch(why); m != nil && slices.Contains(names, m[1]) {
		args = map[string]string{m[2]: m[3]}
	}
	return append([]mcpsf.Wish{{Kind: mcpsf.WishFirst, Accepted: names, Arguments: args}}, wishes...)
}

// withArgument is a tool with the argument that a text wants: "add_attachment with kind link
// adds one".
var withArgument = lazyregexp.New(`\b([A-Za-z][\w-]+)(?:\(\))? (?:with|using) ["'\x60]?(\w+)["'\x60]?(?: set to| as| of| is)?[ =:]+["'\x60]?([\w.-]*\w)`)

// gone is what servers say of a thing that they named themselves and that is not there
// any more.
var gone = lazyregexp.New(`(?i)\bno longer (?:exists?|valid|available|present|attached|open|active)\b|\b(?:is|was|were|has been|have been) (?:detached|invalidated|stale)\b|\bstale\b|\b(?:is|was|has been) (?:already )?(?:submitted|archived|finished|completed|sent|published|cancell?ed|finali[sz]ed|approved|sealed)\b(?:$|[^.;]{0,20}\b(?:cannot|can't|can no longer|no longer|not) be \w+)`)

// outdated adds a wish for the tools whose results a refused call has, if the text says
// that what they named is gone, or that a value of such a result is not there.
func outdated(tools []mcpsf.Tool, r request, why string, wishes []mcpsf.Wish) []mcpsf.Wish {
	all, said := gone.MatchString(why), []string(nil)
	if absent.MatchString(why) {
		said = schema.Repeated(r.input(), why)
	}
	var names []string
	for _, l := range r.links {
		value, _ := schema.Get(r.arguments, l.Pointer)
		text, _ := jsonrpc.String(value)
		if maker := makerOf(tools, l); !slices.Contains(names, maker) && (all || slices.Contains(said, text)) {
			names = append(names, maker)
		}
	}
	if len(names) == 0 {
		return wishes
	}
	return append([]mcpsf.Wish{{Kind: mcpsf.WishFirst, Accepted: names}}, wishes...)
}

// makerOf returns the tool that makes what a link leads to: the one that returned it may
// only have changed it.
func makerOf(tools []mcpsf.Tool, l mcpsf.Link) string {
	if sequence.Makes(l.Tool) {
		return l.Tool
	}
	thing := meaning.Words(l.Pointer)
	for i := range tools {
		if words := meaning.Words(tools[i].Name); len(words) > 1 && sequence.Makes(tools[i].Name) && slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(thing, meaning.Singular(w)) }) {
			return tools[i].Name
		}
	}
	return l.Tool
}

// absent is what servers say of a thing that is not there.
var absent = lazyregexp.New(`(?i)\bnot found\b|\b(?:does|did|do)(?: not|n't) exist\b|\bno such\b|\b(?:could not|couldn't|cannot|can't|unable to) (?:be found|find|locate)\b|\bno \w+(?: \w+)? (?:found|exists)\b`)

// missing adds a wish for the tools that put something under a name that a text says is
// not there: another call may have taken it away.
func (t *toolCaller) missing(tool *mcpsf.Tool, in schema.Input, why string, wishes []mcpsf.Wish) []mcpsf.Wish {
	if !absent.MatchString(why) || slices.ContainsFunc(wishes, func(w mcpsf.Wish) bool { return isPrerequisite(&w) }) {
		return wishes
	}
	names := t.history.Supplying(tool.Name, schema.Repeated(in, why))
	if len(names) == 0 {
		return wishes
	}
	return append([]mcpsf.Wish{{Kind: mcpsf.WishFirst, Accepted: names}}, wishes...)
}

// isUnmistakable reports whether a word can only be a name: take_snapshot, listItems.
func isUnmistakable(name string) bool {
	return len(name) >= leastMentioned && (strings.ContainsAny(name, "_-") || strings.ContainsFunc(name[1:], unicode.IsUpper))
}

// retries are the calls of a tool that worked, with results that may say that they did
// not. Other inputs are tried after them.
type retries struct{ list []doubtful }

type doubtful struct {
	made request
	got  outcome
}

func (d *retries) add(r request, got *outcome) { d.list = append(d.list, doubtful{r, *got}) }

// end forgets the calls: without an error another input gave more.
func (d *retries) end(err error) {
	if err == nil {
		d.list = nil
	}
}

// settle takes the first of the doubtful calls for one that worked, if none gave more.
func (t *toolCaller) settle(tool *mcpsf.Tool, d *retries) {
	if len(d.list) > 0 {
		t.worked(tool, d.list[0].made, &d.list[0].got)
	}
}

// sameAgain reports whether a call that failed is made again as it is: what it lacked is
// there now, or there is time for it.
func (t *toolCaller) sameAgain(ctx context.Context, tool *mcpsf.Tool, got *outcome) (bool, error) {
	if t.unreached(tool, got) {
		return true, nil
	}
	return t.slower(ctx, tool, got)
}

// How long to wait for a server that wants fewer calls a second, and how often in a
// session.
// gap: tools-failed
const (
	slowerWait = 1200 * time.Millisecond
	maxSlower  = 12
)

// tooFast is what a server says that counts our calls.
var tooFast = lazyregexp.New(`(?i)\brate[ -]?limit(?:ed|ing)?\b(?: was| is| has been)?(?: exceeded| reached| hit|:|$|[.,!])|\btoo many (?:requests|calls)\b|\bslow down\b`)

// slower waits, once for each tool, if a tool was refused because calls come too fast. It
// reports whether to make the call again.
func (t *toolCaller) slower(ctx context.Context, tool *mcpsf.Tool, got *outcome) (bool, error) {
	n := t.repairs.of(tool)
	if got.result != nil || n.slower || t.waits >= maxSlower || !tooFast.MatchString(got.why) {
		return false, nil
	}
	n.slower = true
	t.waits++
	return true, t.waiter.stay(ctx, slowerWait)
}
