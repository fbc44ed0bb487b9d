package attack

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// differ holds the answers to attacks that inject a condition, by place and by
// name of the condition.
type differ map[differing]*replies

type differing struct {
	at   attackPlace
	name string
}

// replies are the answers to a true condition and to a false one, with the
// repeated payload removed. An attack that was made again, in the state that its
// tool needs, has its last answer.
type replies struct {
	yes, no  [][]byte
	payloads map[string]int // where the answer to each is
}

func (r *replies) add(a *mcpsf.AttackDetail, answer []byte, holds bool) {
	list := &r.no
	if holds {
		list = &r.yes
	}
	key := a.Marker + "\x00" + a.Payload
	if i, again := r.payloads[key]; again {
		(*list)[i] = answer
		return
	}
	r.payloads[key] = len(*list)
	*list = append(*list, answer)
}

const (
	// wantReplies is how many answers of each kind are needed.
	wantReplies = 2
	// leastDifference is the minimum difference between the two kinds. A tool
	// that counts words or letters returns another number of the same length.
	leastDifference = 4
)

func (d differ) foresee() func(*mcpsf.Event) {
	calls := map[string]*mcpsf.Event{}
	return func(e *mcpsf.Event) {
		if e.MCP == nil || e.MCP.Attack == nil || e.MCP.Attack.Sign != mcpsf.SignDiffer {
			return
		}
		if e.Kind == mcpsf.KindMCPRequest && !e.MCP.FromServer {
			calls[e.Call] = e
			return
		}
		request := calls[e.Call]
		name, holds, ok := e.MCP.Attack.Condition()
		if e.Kind != mcpsf.KindMCPResponse || request == nil || !ok {
			return
		}
		key := differing{placeOf(request), name}
		if d[key] == nil {
			d[key] = &replies{payloads: map[string]int{}}
		}
		d[key].add(e.MCP.Attack, unrepeated(e.MCP.Body, e.MCP.Attack.Payload), holds)
	}
}

// told reports whether the server consistently answers true and false differently.
func (r *replies) told() bool {
	if r == nil || len(r.yes) != wantReplies || len(r.no) != wantReplies || len(r.yes[0]) == 0 || len(r.no[0]) == 0 {
		return false
	}
	return bytes.Equal(r.yes[0], r.yes[1]) && bytes.Equal(r.no[0], r.no[1]) && difference(r.yes[0], r.no[0]) >= leastDifference
}

// difference is the larger of two numbers: the difference in length, and the
// length of the part that differs when digits are ignored.
func difference(a, b []byte) int {
	longer := max(len(a)-len(b), len(b)-len(a))
	a, b = withoutDigits(a), withoutDigits(b)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(longer, len(a), len(b))
}

func withoutDigits(s []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, s)
}

// evaluates tells whether the call injected a true condition, and the server's
// answers depend on that condition.
func (o *Outcomes) evaluates(f *event.Fields, a *mcpsf.AttackDetail) bool {
	name, holds, ok := a.Condition()
	return ok && holds && f.Kind == string(mcpsf.KindMCPResponse) && o.differ[differing{placeIn(f), name}].told()
}

// unrepeated returns the answer without the payload, also where the payload was
// escaped several times: a tool may repeat it in JSON inside JSON.
func unrepeated(answer []byte, payload string) []byte {
	forms := [][]byte{[]byte(payload)}
	for range 3 {
		inner, err := json.Marshal(string(forms[len(forms)-1]))
		if err != nil {
			break
		}
		forms = append(forms, inner[1:len(inner)-1])
	}
	slices.Reverse(forms)
	for _, form := range forms {
		if len(form) > 0 {
			answer = bytes.ReplaceAll(answer, form, nil)
		}
	}
	return answer
}
