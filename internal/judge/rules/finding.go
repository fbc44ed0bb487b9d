package rules

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxReproduce bounds the request that is quoted in a finding. One that was
// made as short as it can be is there as a whole.
const maxReproduce = 2000

// findings turns the groups into findings, gravest first.
func (p *pass) findings() []mcpsf.Finding {
	var out []mcpsf.Finding
	for _, t := range p.tallies {
		for _, g := range t.hits.order {
			if g.holds(t.rule.count) {
				out = append(out, p.finding(t.rule, g))
			}
		}
	}
	slices.SortStableFunc(out, compareFindings)
	return out
}

func compareFindings(a, b mcpsf.Finding) int {
	ra, _ := severityRank(a.Severity)
	rb, _ := severityRank(b.Severity)
	return cmp.Or(
		cmp.Compare(rb, ra),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.Tool, b.Tool),
		cmp.Compare(firstOf(a), firstOf(b)),
	)
}

// firstOf is the first event of a finding, 0 for one about a file of the
// package.
func firstOf(f mcpsf.Finding) int64 {
	if len(f.Evidence) == 0 {
		return 0
	}
	return f.Evidence[0]
}

func (p *pass) finding(r *rule, g *group) mcpsf.Finding {
	slices.Sort(g.evidence)
	return mcpsf.Finding{
		ID: r.ID, Title: r.Title, Severity: r.Severity, Grade: r.Grade, Weight: r.Weight,
		Message:     r.message.render(g, p.run),
		Evidence:    append([]int64{}, g.evidence...), // never null: a fact has no events
		Occurrences: g.occurrences,
		Phase:       g.firstPhase,
		Call:        g.first.Call,
		Tool:        g.first.Tool,
		File:        cut(g.file, maxPath),
		Line:        g.line,
		Package:     cut(g.purl, maxPath),
		Advisories:  g.advisories,
		Explanation: g.access,
		Reproduce:   reproduce(g),
		Remediation: r.Remediation,
		Maps:        r.Maps,
		Fingerprint: fingerprint(r.ID, g.key),
	}
}

func fingerprint(id, key string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + key))
	return hex.EncodeToString(sum[:])[:16]
}

var varying = regexp.MustCompile(`[0-9a-fA-F]*[0-9][0-9a-fA-F]{7,}|[0-9]{4,}(?:[-_.T][0-9]{2,})*`)

// stable takes out of a name what differs from run to run: process numbers,
// times, random parts. Names that differ in nothing else are the same thing.
func stable(name string) string {
	if rest, ok := strings.CutPrefix(name, "/proc/"); ok {
		if who, what, _ := strings.Cut(rest, "/"); isNumber(who) {
			name = "/proc/#/" + what
		}
	}
	name = cut(name, maxPath)
	if !varies(name) {
		return name
	}
	return varying.ReplaceAllString(name, "#")
}

// varies tells quickly whether there can be anything to take out: four digits,
// or eight of the signs of hexadecimal numbers.
func varies(s string) bool {
	digits, hex := 0, 0
	for i := range len(s) {
		c := s[i]
		digit := c >= '0' && c <= '9'
		if digits++; !digit {
			digits = 0
		}
		if hex++; !digit && (c|0x20 < 'a' || c|0x20 > 'f') {
			hex = 0
		}
		if digits == 4 || hex == 8 {
			return true
		}
	}
	return false
}

// reproduce is what to send to the server, or what to do when nothing was sent.
func reproduce(g *group) string {
	c := g.call
	switch {
	case g.static:
		return plain("look into " + g.place())
	case g.firstPhase == mcpsf.PhaseInstall:
		return "install it"
	case g.first.Kind == string(mcpsf.KindMCPDisruption):
		return escape(cut(g.first.Payload, maxReproduce))
	case g.first.Kind == string(mcpsf.KindAgentAction):
		return "have an agent use it, as conversations.jsonl has it"
	case g.first.Check != "":
		return askAgain(&g.first)
	case c == nil || g.unasked:
		return "start the server"
	case c.attack != nil && strings.HasPrefix(c.attack.Class, mcpsf.ClassEndpoint):
		return visitAgain(c.params)
	}
	request := struct {
		Version string          `json:"jsonrpc"`
		ID      int             `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params,omitempty"`
	}{Version: "2.0", ID: 2, Method: cut(c.method, maxQuoted)}
	if len(c.params) <= maxParams && !c.isCut() {
		request.Params = withoutMeta(c.params)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(request); err != nil {
		return plain(c.method) // with parameters that are no JSON
	}
	return escapeJSON(cut(strings.TrimSpace(text.String()), maxReproduce))
}

// withoutMeta leaves out what a request says beside what it asks for.
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

// visitAgain is a request that was made beside the protocol.
func visitAgain(params json.RawMessage) string {
	var made struct {
		Request string `json:"request"`
	}
	if json.Unmarshal(params, &made) != nil {
		return "ask where it listens"
	}
	return escape(cut(made.Request, maxReproduce))
}

// askAgain is the request that a check made.
func askAgain(f *fields) string {
	text := plain(strings.TrimSpace("ask " + f.URL + " " + f.Method))
	if f.What != "" {
		text += " with " + plain(f.What)
	}
	return text
}
