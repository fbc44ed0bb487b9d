package chain

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// maxLabels bounds the members of one result that are remembered by their whole name,
// beside those that identify something.
// no gap: a value that is not remembered is made up, and the tool is called all the same
const maxLabels = 32

// sameLabel is the score of a member whose whole name is that of a parameter.
const sameLabel = 11

// labelled remembers a text by the whole name of its member: a confirm_token is what
// another tool takes as its confirm_token.
func (l *learner) labelled(key, value string) {
	if l.labels < maxLabels && plain(value) {
		l.labels++
		l.facts = append(l.facts, fact{tool: l.tool, value: value, made: l.made, call: l.call, label: labelOf(key)})
	}
}

// scoreLabel rates how well a member fits by its whole name.
func scoreLabel(parameter string, f fact) int {
	if f.label != "" && f.label == labelOf(parameter) {
		return sameLabel
	}
	return 0
}

func labelOf(name string) string { return strings.Join(meaning.Words(name), "_") }
