package report

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// block is findings that differ in what they are about only, such as the path
// of a file: the page tells them together. It is never empty.
type block []mcpsf.Finding

// blocks gathers findings; a block stands where its first finding stood.
func blocks(findings []mcpsf.Finding) []block {
	type key struct {
		id, title, tool string
		severity        mcpsf.Severity
		grade           mcpsf.Grade
	}
	var all []block
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

// subjects splits the messages into what they share and what each is about.
// gap stands for the difference. A block with one message has no subjects.
func (b block) subjects(gap string) (frame string, subjects []string) {
	var messages [][]string
	seen := make(map[string]bool)
	for _, f := range b {
		if m := safetext.Limit(f.Message); !seen[m] {
			seen[m] = true
			messages = append(messages, strings.Fields(m))
		}
	}
	if len(messages) == 1 {
		return b[0].Message, nil
	}
	before, after := wording.Shared(messages)
	for _, m := range messages {
		subjects = append(subjects, strings.Join(m[before:len(m)-after], " "))
	}
	if end := lastSign(subjects); end != "" {
		gap += end
		for i := range subjects {
			subjects[i] = strings.TrimSuffix(subjects[i], end)
		}
	}
	head, tail := messages[0][:before], messages[0][len(messages[0])-after:]
	if before+after == 0 {
		return "", subjects
	}
	return strings.Join(slices.Concat(head, []string{gap}, tail), " "), subjects
}

// lastSign is the punctuation that all of them end with.
func lastSign(subjects []string) string {
	for _, sign := range []string{",", ";", ":", "."} {
		if !slices.ContainsFunc(subjects, func(s string) bool { return !strings.HasSuffix(s, sign) }) {
			return sign
		}
	}
	return ""
}

// evidence is that of all findings, in order, each event once.
func (b block) evidence() []int64 {
	var all []int64
	for _, f := range b {
		all = append(all, f.Evidence...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// calls names the calls the findings were made in, each once.
func (b block) calls() []string {
	var all []string
	for _, f := range b {
		if f.Call != "" && !slices.Contains(all, f.Call) {
			all = append(all, f.Call)
		}
	}
	return all
}

func (b block) occurrences() int {
	n := 0
	for _, f := range b {
		n += max(f.Occurrences, 1)
	}
	return n
}
