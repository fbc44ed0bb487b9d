package rulefile

import (
	"slices"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The format of the ids of public lists.
var (
	owaspMCP = lazyregexp.New(`^MCP(?:0[1-9]|10)$`)
	cwe      = lazyregexp.New(`^CWE-[1-9][0-9]{0,4}$`)
	attackID = lazyregexp.New(`^T[0-9]{4}(?:\.[0-9]{3})?$`)
	atlasID  = lazyregexp.New(`^AML\.T[0-9]{4}(?:\.[0-9]{3})?$`)
	safeMCP  = lazyregexp.New(`^SAFE-T[0-9]{4}(?:\.[0-9]{3})?$`)
)

func (p *parser) checkMaps(m mcpsf.Maps) {
	for _, l := range []struct {
		key  string
		ids  []string
		form *lazyregexp.Regexp
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
