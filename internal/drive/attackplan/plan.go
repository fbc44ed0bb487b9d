// Package attackplan decides which attack calls to make. It takes what a
// session learned about a server and returns calls with payloads in their
// arguments, the most promising first. The session makes the calls.
package attackplan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// maxPayload bounds how many bytes of a payload reports show.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const maxPayload = 1 << 10

// Plan makes attack calls.
type Plan struct {
	World  *attack.World
	Values schema.Values
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
	var list []ranked
	for _, t := range targets(s) {
		for _, p := range a.places(t) {
			if list = append(list, a.at(t, p)...); len(list) > 2*a.Most {
				list = a.best(list) // bounds memory: a server may have any number of tools, and payloads are long
			}
		}
	}
	var calls []AttackCall
	for _, r := range a.best(list) {
		calls = append(calls, r.call)
	}
	Arrange(calls)
	return calls
}

// places lists the places of a target: those of its schema, and those of arguments
// that worked and that the server named only when it refused a call without them.
func (a *Plan) places(t *target) []schema.Place {
	values := a.Values.For(t.Tool.Name)
	list := schema.Places(t.InputSchema, values, a.Seed)
	if t.worked.JSON == nil {
		return list
	}
	listed := map[string]bool{}
	for _, p := range list {
		listed[argument(p.Pointer)] = true
	}
	for _, p := range schema.Places(schema.Described(t.worked.JSON), values, a.Seed) {
		if !listed[argument(p.Pointer)] {
			list = append(list, p)
		}
	}
	return list
}

// argument returns the name of the argument that a pointer leads into.
func argument(pointer string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return name
}

// base returns the input of the attacks at a place: what worked, with a value
// there.
func (a *Plan) base(t *target, pointer string) schema.Input {
	if _, ok := schema.Get(t.worked.JSON, pointer); ok {
		return t.worked
	}
	least, _ := schema.MinimalWith(t.InputSchema, a.Values.For(t.Tool.Name), a.Seed, pointer) // on an error this is the best input found
	value, ok := schema.Get(least.JSON, pointer)
	if t.worked.JSON == nil || !ok {
		return least
	}
	if both, err := t.worked.With(pointer, value); err == nil && schema.Accepts(t.InputSchema, both.JSON) {
		return both
	}
	return least
}

// Arrange moves calls that may crash the server to the end, and keeps the order
// otherwise.
func Arrange(calls []AttackCall) {
	slices.SortStableFunc(calls, func(x, y AttackCall) int { return cmp.Compare(x.burden(), y.burden()) })
}

// best returns the most promising calls, at most Most.
func (a *Plan) best(list []ranked) []ranked {
	slices.SortStableFunc(list, func(x, y ranked) int { return cmp.Compare(y.rank, x.rank) })
	best := list[:min(len(list), a.Most)]
	clear(list[len(best):])
	return best
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

// ranked is a call and how promising it is.
type ranked struct {
	call AttackCall
	rank int
}

// at makes the calls for one argument of a target.
func (a *Plan) at(t *target, p schema.Place) []ranked {
	base := a.base(t, p.Pointer)
	value, _ := schema.Get(base.JSON, p.Pointer)
	place := attack.Place{
		Pointer: p.Pointer, Name: p.Name, Description: p.Description, Type: p.Type, Format: p.Format, Pattern: p.Pattern,
		Enum: p.Enum, MaxLength: p.MaxLength, Kind: string(p.Kind), Value: value,
	}
	var list []ranked
	for _, class := range attack.All() {
		if class.Yield(place) <= 0 {
			continue
		}
		payloads := class.Payloads(a.World, place)
		if !a.All {
			payloads = payloads[:min(len(payloads), t.some(&class))]
		}
		for _, encoded := range t.forms() {
			for i, y := range payloads {
				args, err := base.With(p.Pointer, y.Value)
				if err != nil || !t.takes(&class, &y, p.Kind) {
					continue
				}
				call := AttackCall{Tool: t.Tool.Name, Arguments: args.JSON, Server: args.Server, target: t, Attack: mcpsf.AttackDetail{
					Class: class.ID, Place: p.Pointer, Payload: PayloadText(y.Value), Why: y.Why, Plain: y.Plain, Sign: y.Sign, Marker: y.Marker, Encoded: encoded,
				}}
				if t.makes(&call) {
					list = append(list, ranked{call, class.Worth(place, i) * t.share / shareTool})
				}
			}
		}
	}
	return list
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
func (t *target) takes(class *attack.Class, y *attack.Payload, kind schema.Kind) bool {
	if y.Sign != mcpsf.SignEcho {
		return true
	}
	return kind != schema.KindMarkup && (t.method == protocol.MethodCall || class.ID == attack.ClassLog)
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
