package promptscan

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// unseen is text in markup that is not shown.
var unseen = lazyregexp.New(`(?is)<!--(.*?)-->` +
	`|\[(?://|comment|_)\]:\s*(?:#|<>)\s*[("'](.*?)[)"'](?:\n|$)` +
	`|<[a-z]+[^>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|\shidden\b)[^>]*>(.*?)</`)

// hiddenComments finds comments and invisible markup in what describes the
// server. Data of other authors is full of comments; there only the grammar
// counts.
func (o *scanner) hiddenComments(t *text) {
	if o.carriesForeignText() || t.role != roleProse || !strings.ContainsAny(t.value, "<[") {
		return
	}
	for _, m := range unseen.FindAllStringSubmatchIndex(t.value, 20) {
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] < 0 || len(strings.Fields(t.value[m[g]:m[g+1]])) < 3 || inCode(t.value, m[0]) {
				continue
			}
			o.report(mcpsf.TextComment, t.field, shown(t.value, m[g], m[g+1]), "")
			return
		}
	}
}

// inCode says whether a position is inside backticks: an example, which is
// shown.
func inCode(s string, at int) bool {
	return strings.Count(s[:at], "`")%2 == 1 || strings.Count(s[:at], "```")%2 == 1
}
