package digest

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Block is a set of findings that differ only in their subject, such as the path
// of a file. A report shows them together. It is never empty.
type Block []mcpsf.Finding

// Blocks groups findings; a block is at the position of its first finding.
func Blocks(findings []mcpsf.Finding) []Block {
	type key struct {
		id, title, tool string
		severity        mcpsf.Severity
		grade           mcpsf.Grade
	}
	var all []Block
	index := make(map[key]int)
	for _, f := range findings {
		k := key{f.ID, f.Title, f.Tool, f.Severity, f.Grade}
		i, ok := index[k]
		if !ok {
			i = len(all)
			index[k] = i
			all = append(all, nil)
		}
		all[i] = append(all[i], f)
	}
	return all
}

// Told returns the first message whole, and of every other one only what
// differs. The reader gets a whole sentence and what else it applies to.
// Messages with little in common are returned whole.
func (b Block) Told() (message string, others []string) {
	var messages [][]string
	seen := make(map[string]bool)
	for _, f := range b {
		if m := safetext.Limit(f.Message); !seen[m] {
			seen[m] = true
			messages = append(messages, strings.Fields(m))
		}
	}
	before, after := wording.Shared(messages)
	for _, m := range messages[1:] {
		if own := m[before : len(m)-after]; 2*len(own) <= len(m) {
			m = own
		}
		others = append(others, strings.Join(m, " "))
	}
	return b[0].Message, others
}

// Evidence returns the events of all findings, in order, each once.
func (b Block) Evidence() []int64 {
	var all []int64
	for _, f := range b {
		all = append(all, f.Evidence...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Calls returns the calls of the findings, each once.
func (b Block) Calls() []string {
	var all []string
	for _, f := range b {
		if f.Call != "" && !slices.Contains(all, f.Call) {
			all = append(all, f.Call)
		}
	}
	return all
}

// Occurrences returns how often the findings occurred in total.
func (b Block) Occurrences() int {
	n := 0
	for _, f := range b {
		n += max(f.Occurrences, 1)
	}
	return n
}
