// Package attackplan decides which attack calls to make. It takes what a
// session learned about a server and returns calls with payloads in their
// arguments, the most promising first. The session makes the calls.
package attackplan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// maxPayload bounds how many bytes of a payload reports show.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const maxPayload = 1 << 10

// Plan makes attack calls.
type Plan struct {
	World  *attack.World
	Values meaning.Values
	Seed   uint64
	// All uses every payload, not only the most informative ones of each class.
	All bool
	// Most bounds the number of calls.
	Most int
}

// Calls returns the attacks on everything in the session that takes arguments:
// the most promising first, those that may crash the server last. The other
// arguments keep values that worked before.
func (a *Plan) Calls(s *mcpsf.Session) []AttackCall {
	var all choice
	for _, t := range targets(s) {
		places := a.places(t)
		for _, p := range places {
			base := a.base(t, p.Pointer)
			inside := a.inside(t, p, base)
			list := a.at(t, p, base, encodings(p, places))
			if len(inside) > 0 {
				list = asTexts(list)
			}
			all.add(a, list, inside)
		}
	}
	var calls []AttackCall
	for _, r := range all.best(a) {
		calls = append(calls, r.call)
	}
	Arrange(calls)
	return calls
}

// places lists the places of a target: those of its schema, and those of arguments
// that worked and that the server named only when it refused a call without them.
func (a *Plan) places(t *target) []schema.Place {
	values := a.Values.ForTool(&t.Tool)
	list := schema.Places(t.InputSchema, values, a.Seed)
	if t.worked.JSON == nil {
		return list
	}
	listed := map[string]bool{}
	for _, p := range list {
		listed[mcpsf.PointerArgument(p.Pointer)] = true
	}
	for _, p := range schema.Places(schema.Described(t.worked.JSON), values, a.Seed) {
		if !listed[mcpsf.PointerArgument(p.Pointer)] {
			list = append(list, p)
		}
	}
	return list
}

// base returns the input of the attacks at a place: what worked, with a value
// there.
func (a *Plan) base(t *target, pointer string) schema.Input {
	if _, ok := schema.Get(t.worked.JSON, pointer); ok {
		return t.worked
	}
	least, _ := schema.MinimalWith(t.InputSchema, a.Values.ForTool(&t.Tool), a.Seed, pointer) // on an error this is the best input found
	value, ok := schema.Get(least.JSON, pointer)
	if t.worked.JSON == nil || !ok {
		return least
	}
	if both, err := t.worked.With(pointer, value); err == nil && schema.Accepts(t.InputSchema, both.JSON) {
		return both
	}
	return least
}

// Arrange moves calls that may crash the server to the end, and those that may take
// away what others need behind these. It keeps the order otherwise.
func Arrange(calls []AttackCall) {
	takes := map[string]int{}
	for i := range calls {
		if _, ok := takes[calls[i].Tool]; !ok {
			takes[calls[i].Tool] = 0
			if !mcpsf.IsNoTool(calls[i].Tool) && sequence.TakesAway(calls[i].Tool) {
				takes[calls[i].Tool] = 1
			}
		}
	}
	slices.SortStableFunc(calls, func(x, y AttackCall) int {
		return cmp.Or(cmp.Compare(x.burden(), y.burden()), cmp.Compare(takes[x.Tool], takes[y.Tool]))
	})
}

// burden orders calls by cost: a server that crashes must be restarted, and a
// busy one delays all later calls.
func (c *AttackCall) burden() int {
	switch c.Attack.Sign {
	case mcpsf.SignCrash:
		return 1
	case mcpsf.SignCost:
		return 2
	}
	return 0
}

// at makes the calls for one argument of a target, in each encoding that another
// argument switches on.
func (a *Plan) at(t *target, p schema.Place, base schema.Input, encodings []encoding) []ranked {
	value, _ := schema.Get(base.JSON, p.Pointer)
	place := attack.Place{
		Pointer: p.Pointer, Name: p.Name, Description: p.Description, Type: p.Type, Format: p.Format, Pattern: p.Pattern,
		Enum: p.Enum, MaxLength: p.MaxLength, Kind: string(p.Kind), Value: value,
	}
	var list []ranked
	for _, class := range attack.All() {
		payloads := a.payloads(t, &class, place)
		for _, encoded := range t.forms() {
			for i, y := range payloads {
				for n, e := range encodings {
					if n > 0 && (e.past(i) || class.Paired) {
						continue
					}
					if call, ok := a.call(t, &class, p, &e, base, y); ok {
						call.Attack.Encoded = encoded
						if t.makes(&call) {
							list = append(list, ranked{call: call, rank: class.Worth(place, i+n) * t.share / shareTool})
						}
					}
				}
			}
		}
	}
	return list
}

// payloads returns those of a class that are tried at a place.
func (a *Plan) payloads(t *target, class *attack.Class, place attack.Place) []attack.Payload {
	if class.Yield(place) <= 0 || needsNoMember(class, place.Pointer) {
		return nil
	}
	payloads := class.Payloads(a.World, place)
	if !a.All {
		payloads = payloads[:min(len(payloads), t.some(class))]
	}
	return payloads
}

// call makes the call with one payload. It returns false if that proves nothing.
func (a *Plan) call(t *target, class *attack.Class, p schema.Place, e *encoding, base schema.Input, y attack.Payload) (AttackCall, bool) {
	base, y, ok := e.apply(base, y)
	if !ok || !t.takes(class, &y, p.Kind) {
		return AttackCall{}, false
	}
	args, err := base.With(p.Pointer, y.Value)
	if err != nil {
		return AttackCall{}, false
	}
	return AttackCall{Tool: t.Tool.Name, Arguments: args.JSON, Server: args.Server, Sequence: t.sequence, Then: t.then, target: t, Attack: mcpsf.AttackDetail{
		Class: class.ID, Place: p.Pointer, Payload: PayloadText(y.Value), Why: y.Why, Plain: y.Plain, Sign: y.Sign, Marker: y.Marker,
	}}, true
}

// some returns how many payloads of a class are used unless All is set.
func (t *target) some(class *attack.Class) int {
	if t.share >= shareOther {
		return class.Balanced
	}
	n := (class.Balanced + 2) / 3
	if class.Paired {
		n += n % 2
	}
	return n
}

// forms returns the encodings of a value. The address of a resource has two:
// plain and percent-encoded.
func (t *target) forms() []bool {
	if t.method == protocol.MethodRead {
		return []bool{true, false}
	}
	return []bool{false}
}

// takes reports whether a payload can prove anything at this place. Repeated
// text proves nothing where the server always repeats it: markup is returned as
// markup, resources/read repeats the address, and a prompt is made of its
// arguments. Only a log entry counts there.
func (t *target) takes(class *attack.Class, y *attack.Payload, kind meaning.Kind) bool {
	if y.Sign != mcpsf.SignEcho {
		return true
	}
	return kind != meaning.KindMarkup && (t.method == protocol.MethodCall || class.ID == attack.ClassLog)
}

// makes reports whether a request can express the call, and it differs from its
// percent-encoded form.
func (t *target) makes(call *AttackCall) bool {
	params, ok := t.params(&call.Attack, call.Arguments)
	if !ok || t.method != protocol.MethodRead || call.Attack.Encoded {
		return ok
	}
	other := call.Attack
	other.Encoded = true
	same, _ := t.params(&other, call.Arguments)
	return same["uri"] != params["uri"]
}

// PayloadText formats a payload for reports.
func PayloadText(value any) string {
	text, ok := value.(string)
	if !ok {
		raw, err := jsonrpc.Marshal(value)
		if err != nil {
			return fmt.Sprintf("%T", value)
		}
		text = string(raw)
	}
	text, _ = jsonrpc.Clip(text, maxPayload)
	return text
}
