package noninterference

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Runs are starts of a server with the same inputs.
type Runs struct {
	// Usual are two with the same secrets, Other two with others.
	Usual, Other [2]Messages
	// Before is what an earlier start with the usual secrets sent, nil if unknown.
	Before Messages
	// Replace replaces the secrets in a text by their counterparts. What is then
	// equal was sent as it is, which the search for secrets finds.
	Replace func(string) string
}

// Flow is something that a server sends or returns and that depends on the
// secrets.
type Flow struct {
	// Call is the call of the first start that sent it.
	Call   string
	Detail mcpsf.SecretFlowDetail

	at place
	// usual and other are the whole texts.
	usual, other string
	// exact is set if the two texts are the same in all equal starts.
	exact    bool
	strength strength
}

// strength is how well two different texts show that they depend on the secrets.
type strength uint8

const (
	sure       strength = iota
	fewLetters          // they differ in a few letters, which chance may do
	byRace              // they differ in number or order, which a race may decide; of a digest nobody can tell
)

// Comparison is what a comparison shows.
type Comparison struct {
	// Flows depend on the secrets: at most one for each call, host and kind.
	Flows []Flow
	// Noisy counts the calls and hosts where equal runs differ already in
	// something that is sent, or where more is sent than is compared, so that it
	// cannot be told whether a secret is in it.
	Noisy int
	// random is what differs in equal runs.
	random map[chance]bool
}

// same tells whether two texts are equal but for secrets that were sent as they are.
func (r *Runs) same(a, b string) bool { return a == b || r.Replace(a) == r.Replace(b) }

// Same tells whether the first usual run and the first other run are the same but
// for secrets that were sent as they are. Then nothing else need be known.
func (r *Runs) Same() bool {
	if len(r.Usual[0]) != len(r.Other[0]) {
		return false
	}
	chosen := r.choosesPorts()
	equal := func(a, b part) bool {
		return a.name == b.name && (a.name == localPart && !chosen || r.same(a.text, b.text))
	}
	for at, u := range r.Usual[0] {
		x := r.Other[0][at]
		if !at.kind.comparedByText() {
			continue
		}
		if len(u) >= maxMessages || !slices.EqualFunc(u, x, func(a, b message) bool { return slices.EqualFunc(a.parts, b.parts, equal) }) {
			return false
		}
	}
	return r.samePace() && r.sameLookups()
}

// choosesPorts tells whether the server chooses the ports that it connects from:
// the kernel's are random, and the same in two starts by a rare chance.
func (r *Runs) choosesPorts() bool {
	for at, u := range r.Usual[0] {
		before := r.Before[at]
		for i := range min(len(u), len(before)) {
			if port := localPort(u[i]); port != "" && port == localPort(before[i]) {
				return true
			}
		}
	}
	return false
}

func localPort(m message) string {
	for _, p := range m.parts {
		if p.name == localPart && p.text != "0" {
			return p.text
		}
	}
	return ""
}

// Compare compares all four runs.
func (r *Runs) Compare() Comparison {
	places := map[place]bool{}
	for _, run := range []Messages{r.Usual[0], r.Usual[1], r.Other[0], r.Other[1]} {
		for at := range run {
			places[at] = at.kind.comparedByText()
		}
	}
	var all []*comparison
	maps.DeleteFunc(places, func(_ place, compared bool) bool { return !compared })
	for _, at := range slices.SortedFunc(maps.Keys(places), inOrder) {
		c := &comparison{runs: r, at: at}
		c.compare()
		all = append(all, c)
	}
	out := sum(r.withWholeStarts(all))
	out.Flows = append(append(out.Flows, r.paceFlows()...), r.lookupFlows()...)
	return out
}

// sum puts together what the places show.
func sum(all []*comparison) Comparison {
	var out Comparison
	literal, random := map[place]bool{}, map[chance]bool{}
	for _, c := range all {
		out.Flows = append(out.Flows, c.flows...)
		if (len(c.noisy) > 0 || c.notMade) && c.at.kind != result {
			out.Noisy++
		}
		for _, part := range c.noisy {
			random[chance{c.at.tool, c.at.host, c.at.kind, part}] = true
		}
		if c.literal {
			literal[withoutKind(c.at)], literal[withoutKind(ofStart(c.at))] = true, true
		}
	}
	out.random = random
	out = out.without(literal, random)
	out.Flows = append(out.Flows, wordFlows(all)...)
	return out
}

// chance is something that differs by chance: a part of what a tool sends to a
// host in any of its calls.
type chance struct {
	tool, host string
	kind       kind
	part       string
}

// without drops the streams that differ because a secret was sent as it is, and
// whatever differs in equal runs in another call: two numbers may be equal by
// chance.
func (c Comparison) without(literal map[place]bool, random map[chance]bool) Comparison {
	c.Flows = slices.DeleteFunc(c.Flows, func(f Flow) bool {
		at := f.chance()
		byForm := at
		byForm.part = formPart
		return f.Detail.Part == streamPart && literal[withoutKind(f.at)] || random[at] || random[byForm]
	})
	return c
}

const (
	formPart   = "form" // the number of messages and the names of their parts
	numberPart = "number of messages"
)

func withoutKind(at place) place {
	at.kind = ""
	return at
}

func inOrder(a, b place) int {
	return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.again, b.again), strings.Compare(a.inputs, b.inputs), strings.Compare(a.host, b.host), strings.Compare(string(a.kind), string(b.kind)), strings.Compare(a.answers, b.answers))
}

// comparison compares what is at one place.
type comparison struct {
	runs *Runs
	at   place

	flows []Flow
	// noisy are the parts in which equal runs differ. literal says that a secret
	// was sent as it is.
	noisy   []string
	literal bool
	// notMade says that not every start made this call: an earlier result led the
	// client elsewhere.
	notMade bool
	// toTheEnd says that noise is looked for after the first flow and in messages of
	// different numbers, too.
	toTheEnd bool

	// words depend on the secrets where the text around them is random.
	words       []wordFlow
	randomWords []wordPlace
}

func (c *comparison) compare() {
	if c.notMade = (c.at.inputs != "" || c.at.again > 0) && !c.runs.allMade(c.at.call()); c.notMade {
		return
	}
	u, v := c.runs.Usual[0][c.at], c.runs.Usual[1][c.at]
	x, y := c.runs.Other[0][c.at], c.runs.Other[1][c.at]
	switch {
	case len(u) != len(v) || len(x) != len(y) || len(u) >= maxMessages,
		c.toTheEnd && len(u) != len(x) && (!c.sameMessages(u, v) || !c.sameMessages(x, y)):
		c.noisy = append(c.noisy, formPart)
		return
	case len(u) != len(x):
		c.flow(append(slices.Clip(u), x...)[0], numberPart, strconv.Itoa(len(u)), strconv.Itoa(len(x)), byRace)
		return
	}
	for i := range u {
		if !sameForm(u[i], v[i]) || !sameForm(x[i], y[i]) {
			c.noisy = append(c.noisy, formPart)
			return
		}
		if !sameForm(u[i], x[i]) {
			c.flow(u[i], "header order", names(u[i]), names(x[i]), byRace)
			return
		}
		noisy := len(c.noisy)
		for n, p := range u[i].parts {
			if p.name == sizePart && len(c.noisy) > noisy {
				continue // that of a text with random parts
			}
			if usual, other, depends := c.depends(u[i], p, v[i].parts[n].text, x[i].parts[n].text, y[i].parts[n].text); depends {
				c.flow(u[i], p.name, usual, other, c.howSure(n, usual, other))
				if !c.toTheEnd {
					return
				}
			}
		}
	}
}

// allMade tells whether every start made a call.
func (r *Runs) allMade(at place) bool {
	return len(r.Usual[0][at]) > 0 && len(r.Usual[1][at]) > 0 && len(r.Other[0][at]) > 0 && len(r.Other[1][at]) > 0
}

// sameMessages tells whether equal starts sent the same, source ports aside.
func (c *comparison) sameMessages(u, v []message) bool {
	return slices.EqualFunc(u, v, func(a, b message) bool {
		return slices.EqualFunc(a.parts, b.parts, func(p, q part) bool {
			return p.name == q.name && (p.name == localPart || c.runs.same(p.text, q.text))
		})
	})
}

// leastDifferent is how many letters of two texts have to differ, so that chance
// does not choose between them.
const leastDifferent = 8

// howSure tells how well two texts of the n-th part show a dependence.
func (c *comparison) howSure(n int, usual, other string) strength {
	there := func(list []message, text string) bool {
		return slices.ContainsFunc(list, func(m message) bool { return n < len(m.parts) && c.runs.same(m.parts[n].text, text) })
	}
	switch {
	case isDigest(c.runs.Usual[0][c.at][0].parts[n].name), there(c.runs.Usual[0][c.at], other), there(c.runs.Other[0][c.at], usual):
		return byRace
	case differing(usual, other) < leastDifferent:
		return fewLetters
	}
	return sure
}

// differing returns how many letters are between what two texts begin and end with,
// in the shorter one.
func differing(a, b string) int {
	least := min(len(a), len(b))
	begin := 0
	for begin < least && a[begin] == b[begin] {
		begin++
	}
	end := 0
	for end < least-begin && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return least - begin - end
}

func (c *comparison) flow(m message, part, usual, other string, how strength) {
	if len(c.flows) > 0 {
		return // one is enough
	}
	host := c.at.host
	if host == severalHosts {
		host, _, _ = strings.Cut(usual, " ")
	}
	if host == resolver {
		host = m.parts[0].text
	}
	f := Flow{
		Call: m.call, Detail: mcpsf.SecretFlowDetail{Tool: m.tool, Host: host, Part: part, Usual: clip(usual), Other: clip(other)},
		at: c.at, usual: usual, other: other, exact: true, strength: how,
	}
	if isDigest(part) {
		f.Detail.Usual, f.Detail.Other = "", "" // a digest tells a reader nothing
	}
	c.flows = append(c.flows, f)
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

// depends tells whether a part is the same in the two usual runs and in the two
// others, and different between them. A part that differs in equal runs is noise.
func (c *comparison) depends(m message, p part, v, x, y string) (usual, other string, depends bool) {
	u := p.text
	if c.runs.same(u, v) && c.runs.same(x, y) {
		equal := c.runs.same(u, x)
		c.literal = c.literal || x != u && equal
		return u, x, !equal
	}
	if p.name == localPart { // random by nature
		return "", "", false
	}
	c.noisy = append(c.noisy, p.name)
	c.compareWords(m, p, v, x, y)
	return "", "", false
}

// maxShown is how much of a difference is shown.
// no gap: bounds what is shown
const maxShown = 200

func clip(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "..."
}
