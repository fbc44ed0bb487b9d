package history

import (
	"encoding/json"
	"net/url"
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
	texts    []string
	written  [][]string
	requests int
}

func newCaller(d *mcpsf.MCPDetail) *caller {
	c := &Call{Method: d.Method, tool: d.Tool, Params: d.Body, server: d.ServerValues}
	out := &caller{}
	for _, a := range c.Each() {
		text := a.text()
		if len(text) < leastGiven || len(out.texts) >= maxTexts || a.from.Repeats() {
			continue
		}
		text = text[:min(len(text), 200)]
		ways := []string{text, url.QueryEscape(text), url.PathEscape(text)}
		if quoted, err := json.Marshal(text); err == nil {
			ways = append(ways, strings.Trim(string(quoted), `"`))
		}
		out.texts = append(out.texts, text)
		out.written = append(out.written, ways)
	}
	return out
}

// texts records which of the caller's texts a request contains.
func (t *Traffic) texts(e *mcpsf.Event, box int, c *caller) {
	t.dropped = t.dropped || c.requests >= maxLookups
	if e.Net == nil || c.requests >= maxLookups || len(t.Carried) >= lex.MaxListed {
		return
	}
	c.requests++
	host := hostname.Canonical(e.Net.Name)
	if host == "" {
		host = hostname.Canonical(e.Net.Address)
	}
	for i, ways := range c.written {
		for _, way := range ways {
			if strings.Contains(e.HTTP.Body, way) || strings.Contains(e.HTTP.URL, way) {
				thing := "text " + c.texts[i]
				t.Carried[e.Seq] = append(t.Carried[e.Seq], thing)
				t.note(SentKey{box, e.Call, thing}, host)
				break
			}
		}
	}
}
