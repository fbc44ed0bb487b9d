package rules

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// maxReproduce bounds the request that is quoted in a finding. A shrunk request
// fits completely.
// no gap: bounds rules, findings and messages; the first ones of a rule are reported
const maxReproduce = 2000

// reproduce says what to send to the server, or what to do if nothing was sent.
func reproduce(g *group) string {
	c := g.call
	switch {
	case g.static:
		return quote.Word("look into " + g.place())
	case g.firstPhase == mcpsf.PhaseInstall:
		return "install it"
	case g.first.Kind == string(mcpsf.KindMCPDisruption):
		return quote.Escape(quote.Cut(g.first.Payload, maxReproduce))
	case g.first.Kind == string(mcpsf.KindAgentAction):
		return "have an agent use it, as conversations.jsonl has it"
	case g.first.Check != "":
		return askAgain(&g.first)
	case c == nil || g.unasked:
		return "start the server"
	case c.Attack != nil && strings.HasPrefix(c.Attack.Class, mcpsf.ClassEndpoint):
		return visitAgain(c.Params)
	}
	request := struct {
		Version string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{Version: "2.0", ID: 2, Method: quote.Cut(c.Method, quote.MaxQuoted)}
	if len(c.Params) <= lex.MaxParams && !c.IsCut() {
		request.Params = withoutMeta(c.Params)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(request); err != nil {
		return quote.Word(c.Method) // the params are not JSON
	}
	return quote.JSON(quote.Cut(strings.TrimSpace(text.String()), maxReproduce))
}

// withoutMeta removes _meta from the params.
func withoutMeta(params json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil || fields["_meta"] == nil {
		return params
	}
	delete(fields, "_meta")
	rest, err := json.Marshal(fields)
	if err != nil {
		return params
	}
	return rest
}

// visitAgain describes an HTTP request outside of MCP.
func visitAgain(params json.RawMessage) string {
	var made struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(params, &made) != nil {
		return "ask where it listens"
	}
	return quote.Escape(quote.Cut(made.Request, maxReproduce))
}

// askAgain describes the request of a check.
func askAgain(f *event.Fields) string {
	text := quote.Word(strings.TrimSpace("ask " + f.URL + " " + f.Method))
	if f.What != "" {
		text += " with " + quote.Word(f.What)
	}
	return text
}
