package history

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// leastGiven is the minimum length of a caller's text that is searched for in
// requests. Shorter texts occur everywhere.
const leastGiven = 5

// caller holds the caller's texts of one call, in the forms in which a request can contain them.
type caller struct {
	texts []callerText
	// byBegin finds the forms by their first bytes, so that a request is read
	// once, however many texts the call has.
	byBegin  map[string][]callerForm
	requests int
	// cut is set if the call has more texts.
	cut bool
}

type callerText struct {
	text string
	// secret is set for a password, a token or a key.
	secret bool
}

// callerForm is one way of writing a text.
type callerForm struct {
	text    int
	written string
}

func newCaller(d *mcpsf.MCPDetail) *caller {
	c := &Call{Method: d.Method, tool: d.Tool, Params: d.Body, server: d.ServerValues}
	out := &caller{byBegin: map[string][]callerForm{}}
	for _, a := range c.Each() {
		text := a.text()
		if len(text) < leastGiven || a.from.Repeats() {
			continue
		}
		if len(out.texts) >= maxTexts {
			out.cut = true
			break
		}
		out.add(&a, d.Tool, text[:min(len(text), 200)])
	}
	return out
}

func (c *caller) add(a *argument, tool, text string) {
	ways := []string{text, url.QueryEscape(text), url.PathEscape(text)}
	if quoted, err := json.Marshal(text); err == nil {
		ways = append(ways, strings.Trim(string(quoted), `"`))
	}
	slices.Sort(ways)
	for _, way := range slices.Compact(ways) {
		if len(way) >= leastGiven {
			c.byBegin[way[:leastGiven]] = append(c.byBegin[way[:leastGiven]], callerForm{len(c.texts), way})
		}
	}
	c.texts = append(c.texts, callerText{text, !a.ByServer() && isCredential(a, tool)})
}

// isCredential tells whether an argument is a password, a token or a key, by its
// name, its form or the tool.
func isCredential(a *argument, tool string) bool {
	return lex.IsCredential(a.Name, a.Value) || lex.IsCredential(tool, "")
}

// in returns which of the caller's texts stand in the parts of a request.
func (c *caller) in(parts ...string) []int {
	found := map[int]bool{}
	for _, part := range parts {
		for i := 0; i+leastGiven <= len(part); i++ {
			for _, form := range c.byBegin[part[i:i+leastGiven]] {
				if !found[form.text] && strings.HasPrefix(part[i:], form.written) {
					found[form.text] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// texts records which of the caller's texts a request contains.
func (t *Traffic) texts(e *mcpsf.Event, box int, c *caller) {
	switch {
	case c.requests >= maxLookups:
		t.dropped = maxLookups
	case c.cut:
		t.dropped = maxTexts
	}
	if e.Net == nil || c.requests >= maxLookups || len(t.Carried) >= maxSent {
		return
	}
	c.requests++
	host := hostname.Canonical(e.Net.Name)
	if host == "" {
		host = hostname.Canonical(e.Net.Address)
	}
	for _, i := range c.in(e.HTTP.Body, withoutDomain(e.HTTP.URL, host)) {
		thing := "text " + c.texts[i].text
		t.Carried[e.Seq] = append(t.Carried[e.Seq], thing)
		t.Credentials[e.Seq] = t.Credentials[e.Seq] || c.texts[i].secret
		t.note(SentKey{box, e.Call, thing}, host)
	}
}

// withoutDomain returns a URL without the domain of its host. A caller who says
// "example" is not in every request to *.example; in a name below the domain the
// text may be.
func withoutDomain(address, host string) string {
	domain := hostname.Registrable(host)
	if domain == "" {
		return address
	}
	return strings.Replace(address, domain, "", 1)
}
