package rules

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Bounds on what is read of a request.
const (
	maxBody       = 64 << 10
	maxTokens     = 20_000
	maxRecipients = 32
	maxAddresses  = 10_000
)

var mailAddress = regexp.MustCompile(`[A-Za-z0-9._%+\-]{1,64}@(?:[A-Za-z0-9\-]{1,63}\.)+[A-Za-z]{2,24}`)

// addressesIn returns the mail addresses in a text, in lower case.
func addressesIn(text string) []string {
	if strings.IndexByte(text, '@') < 0 && !strings.Contains(text, "%40") {
		return nil
	}
	found := mailAddress.FindAllString(cut(text, maxBody), maxRecipients)
	for i := range found {
		found[i] = strings.ToLower(found[i])
	}
	return found
}

// strangers are the recipients that nobody gave: neither an argument of the
// call nor the configuration nor an answer of the network has the address.
// Those that stand only in the schema of the tool are proposed by the server.
func (r *run) strangers(e *mcpsf.Event) (nobody, proposed []string) {
	var list []string
	switch {
	case e.SMTP != nil:
		for _, to := range e.SMTP.To[:min(len(e.SMTP.To), maxRecipients)] {
			list = append(list, addressesIn(to)...)
		}
	case e.HTTP != nil:
		list = recipientsIn(e.HTTP)
	}
	if len(list) == 0 {
		return nil, nil
	}
	slices.Sort(list)
	c := r.calls[e.Call]
	for _, address := range slices.Compact(list) {
		switch {
		case r.addresses[address] || r.answered[address]:
		case c != nil && bytes.Contains(c.lower(), []byte(address)):
			if r.proposes(c, address) {
				proposed = append(proposed, address)
			}
		default:
			nobody = append(nobody, address)
		}
	}
	return nobody, proposed
}

// proposes tells whether the server put an address into the caller's mouth: as
// a default or as the only choice. An example is there to be replaced.
func (r *run) proposes(c *call, address string) bool {
	var schema any
	raw := r.scope.Tools[c.tool].InputSchema
	if c.tool == "" || len(raw) == 0 || len(raw) > maxParams || json.Unmarshal(raw, &schema) != nil {
		return false
	}
	return defaults(schema, address, maxDepth)
}

func defaults(v any, address string, depth int) bool {
	if depth == 0 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return defaults(e, address, depth-1) })
	case map[string]any:
		for key, e := range v {
			if key == "default" || key == "const" || key == "enum" {
				said := false
				walkStrings(e, depth, func(text string, key bool) bool {
					said = said || !key && strings.Contains(strings.ToLower(text), address)
					return !said
				})
				if said {
					return true
				}
			}
			if defaults(e, address, depth-1) {
				return true
			}
		}
	}
	return false
}

// lower is the call's params in lower case, for one search after another.
func (c *call) lower() []byte {
	if c.lowered == nil {
		c.lowered = bytes.ToLower(c.params[:min(len(c.params), maxParams)])
	}
	return c.lowered
}

// answers remembers the addresses that the network told the server: who
// replies to a mail has the recipient from there. What an answer merely
// repeats of the request it does not tell.
func (r *run) answers(h *mcpsf.HTTPDetail) {
	if strings.IndexByte(h.Answer, '@') < 0 {
		return
	}
	asked := strings.ToLower(cut(h.URL, maxURL) + "\n" + cut(h.Body, maxBody))
	for _, address := range addressesIn(h.Answer) {
		if len(r.answered) < maxAddresses && !strings.Contains(asked, address) {
			r.answered[address] = true
		}
	}
}

// configuredAddresses are the mail addresses in the user's configuration.
func configuredAddresses(scope Scope) map[string]bool {
	out := map[string]bool{}
	for _, s := range slices.Concat(scope.Command, scope.Env) {
		for _, address := range addressesIn(s) {
			out[address] = true
		}
	}
	return out
}
