package rulefile

import (
	"regexp"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// The format of the ids of public lists.
var (
	owaspMCP = regexp.MustCompile(`^MCP(?:0[1-9]|10)$`)
	cwe      = regexp.MustCompile(`^CWE-[1-9][0-9]{0,4}$`)
	attackID = regexp.MustCompile(`^T[0-9]{4}(?:\.[0-9]{3})?$`)
	atlasID  = regexp.MustCompile(`^AML\.T[0-9]{4}(?:\.[0-9]{3})?$`)
	safeMCP  = regexp.MustCompile(`^SAFE-T[0-9]{4}(?:\.[0-9]{3})?$`)
)

func (p *parser) checkMaps(m mcpsf.Maps) {
	for _, l := range []struct {
		key  string
		ids  []string
		form *regexp.Regexp
		like string
	}{
		{"owasp_mcp", m.OWASPMCP, owaspMCP, "MCP01 to MCP10"},
		{"cwe", m.CWE, cwe, "CWE-22"},
		{"attack", m.ATTACK, attackID, "T1552 or T1552.001"},
		{"atlas", m.ATLAS, atlasID, "AML.T0051 or AML.T0051.001"},
		{"safe_mcp", m.SAFEMCP, safeMCP, "SAFE-T1001"},
	} {
		at := line(member(p.keys["maps"], l.key), p.keys["maps"])
		for i, id := range l.ids {
			if !l.form.MatchString(id) {
				p.problem(at, "maps: %s: %q is no id of that list, they look like %s", l.key, id, l.like)
			}
			if slices.Contains(l.ids[:i], id) {
				p.problem(at, "maps: %s: %q stands there twice", l.key, id)
			}
		}
	}
}
