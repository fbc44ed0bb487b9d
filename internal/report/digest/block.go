package digest

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// Block is findings that differ in what they are about only, such as the path
// of a file: the page tells them together. It is never empty.
type Block []mcpsf.Finding

// Blocks gathers findings; a block stands where its first finding stood.
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

// Told is the first message as it is, and of every other one what differs: the
// reader gets a whole sentence and what else it holds for. Messages with little
// in common are told as they are.
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

// Evidence is that of all findings, in order, each event once.
func (b Block) Evidence() []int64 {
	var all []int64
	for _, f := range b {
		all = append(all, f.Evidence...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Calls names the calls the findings were made in, each once.
func (b Block) Calls() []string {
	var all []string
	for _, f := range b {
		if f.Call != "" && !slices.Contains(all, f.Call) {
			all = append(all, f.Call)
		}
	}
	return all
}

// Occurrences is how often the findings were seen in all.
func (b Block) Occurrences() int {
	n := 0
	for _, f := range b {
		n += max(f.Occurrences, 1)
	}
	return n
}
