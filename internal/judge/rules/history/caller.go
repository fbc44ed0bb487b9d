package history

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// leastGiven is the length from which a text of the caller's is looked for in
// requests. Shorter ones are found everywhere.
const leastGiven = 5

// caller is what one call was given, in the ways it can stand in a request.
type caller struct {
	texts    []string
	written  [][]string
	requests int
}

func newCaller(d *mcpsf.MCPDetail, tools *declared.Tools) *caller {
	c := &Call{Method: d.Method, tool: d.Tool, Params: d.Body}
	out := &caller{}
	proposed := func(string) bool { return false }
	if c.tool != "" {
		proposed = tools.Proposes(c.tool)
	}
	for _, text := range c.values() {
		if len(text) < leastGiven || len(out.texts) >= maxTexts || proposed(text) {
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

// texts notes which texts of the caller's a request carries.
func (t *Traffic) texts(e *mcpsf.Event, box int, c *caller) {
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
