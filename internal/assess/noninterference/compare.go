package noninterference

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Runs are starts of a server with the same inputs.
type Runs struct {
	// Usual are two with the same secrets, Other two with others.
	Usual, Other [2]Messages
	// Replace replaces the secrets in a text by their counterparts. What is then
	// equal was sent as it is, which the search for secrets finds.
	Replace func(string) string
}

// Flow is something that a server sends and that depends on the secrets.
type Flow struct {
	// Call is the call of the first start that sent it.
	Call   string
	Detail mcpsf.SecretFlowDetail
}

// Compare returns what depends on the secrets, at most one flow for each call
// and host. unstable counts the calls and hosts that equal runs already differ
// in, so that nothing can be told.
func (r *Runs) Compare() (flows []Flow, unstable int) {
	places := map[place]bool{}
	for _, run := range []Messages{r.Usual[0], r.Usual[1], r.Other[0], r.Other[1]} {
		for at := range run {
			places[at] = true
		}
	}
	order := slices.SortedFunc(maps.Keys(places), func(a, b place) int { return cmp.Or(strings.Compare(a.nth, b.nth), strings.Compare(a.host, b.host)) })
	for _, at := range order {
		f, ok := r.at(at)
		switch {
		case !ok:
			unstable++
		case f != nil:
			flows = append(flows, *f)
		}
	}
	return flows, unstable
}

// at compares one call and host. ok is false if equal runs differ in form.
func (r *Runs) at(at place) (f *Flow, ok bool) {
	u, v, x, y := r.Usual[0][at], r.Usual[1][at], r.Other[0][at], r.Other[1][at]
	if len(u) != len(v) || len(x) != len(y) {
		return nil, false
	}
	flow := func(call, part, usual, other string) *Flow {
		return &Flow{call, mcpsf.SecretFlowDetail{Tool: at.tool, Host: at.host, Part: part, Usual: clip(usual), Other: clip(other)}}
	}
	if len(u) != len(x) {
		first := append(slices.Clip(u), x...)[0].call
		return flow(first, "number of messages", strconv.Itoa(len(u)), strconv.Itoa(len(x))), true
	}
	for i := range u {
		if !sameForm(u[i], v[i]) || !sameForm(x[i], y[i]) {
			return nil, false
		}
		if !sameForm(u[i], x[i]) {
			return flow(u[i].call, "header order", names(u[i]), names(x[i])), true
		}
		for n, p := range u[i].parts {
			if usual, other, depends := r.depends(p.text, v[i].parts[n].text, x[i].parts[n].text, y[i].parts[n].text); depends {
				return flow(u[i].call, p.name, usual, other), true
			}
		}
	}
	return nil, true
}

func sameForm(a, b message) bool {
	return slices.EqualFunc(a.parts, b.parts, func(p, q part) bool { return p.name == q.name })
}

func names(m message) string {
	var all []string
	for _, p := range m.parts {
		if name, ok := strings.CutPrefix(p.name, "header "); ok && name != "order" {
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

// word matches the pieces of a text that are compared.
var word = regexp.MustCompile(`[\pL\pN]+|[^\pL\pN]`)

// depends tells whether a text is the same in the two usual runs and in the two
// others, and different between them. Words that differ in equal runs are noise.
func (r *Runs) depends(u, v, x, y string) (usual, other string, depends bool) {
	if u == v && x == y {
		return u, x, x != u && x != r.Replace(u)
	}
	if len(u)+len(x) > maxCompared {
		return "", "", false
	}
	us, vs, xs, ys := word.FindAllString(u, -1), word.FindAllString(v, -1), word.FindAllString(x, -1), word.FindAllString(y, -1)
	if len(us) != len(vs) || len(us) != len(xs) || len(us) != len(ys) {
		return "", "", false
	}
	for i := range us {
		if us[i] == vs[i] && xs[i] == ys[i] && us[i] != xs[i] && r.Replace(us[i]) != xs[i] {
			return us[i], xs[i], true
		}
	}
	return "", "", false
}

// maxCompared is the length from which noisy texts are not compared word by word.
// no gap: their first part is what an event holds, and it is shorter
const maxCompared = 1 << 20

// maxShown is how much of a difference is shown.
// no gap: bounds what is shown
const maxShown = 200

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "..."
}
