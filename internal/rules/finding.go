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

// maxReproduce bounds the call that is quoted in a finding.
const maxReproduce = 300

// findings turns the groups into findings, gravest first.
func (p *pass) findings() []mcpsf.Finding {
	var out []mcpsf.Finding
	for _, t := range p.tallies {
		for _, g := range t.hits.order {
			if t.rule.count.holds(g.number(t.rule.count)) {
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
		cmp.Compare(a.Evidence[0], b.Evidence[0]),
	)
}

func (p *pass) finding(r *rule, g *group) mcpsf.Finding {
	slices.Sort(g.evidence)
	return mcpsf.Finding{
		ID: r.ID, Title: r.Title, Severity: r.Severity, Grade: r.Grade, Weight: r.Weight,
		Message:     r.message.render(g, p.run),
		Evidence:    g.evidence,
		Occurrences: g.occurrences,
		Phase:       g.firstPhase,
		Call:        g.first.Call,
		Tool:        g.first.Tool,
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
	return varying.ReplaceAllString(cut(name, maxPath), "#")
}

// reproduce is the request to send, or what to do when there was none.
func reproduce(g *group) string {
	c := g.call
	if g.firstPhase == mcpsf.PhaseInstall {
		return "install it"
	}
	if c == nil || g.unasked {
		return "start the server"
	}
	args := c.params
	text := c.method
	if c.tool != "" {
		text += " " + plain(c.tool)
		var p struct {
			Arguments json.RawMessage `json:"arguments"`
		}
		args = nil
		if len(c.params) <= maxParams && json.Unmarshal(c.params, &p) == nil {
			args = p.Arguments
		}
	}
	var compact bytes.Buffer
	if len(args) > 0 && len(args) <= maxParams && json.Compact(&compact, args) == nil {
		text += " " + compact.String()
	}
	return escape(cut(text, maxReproduce))
}
