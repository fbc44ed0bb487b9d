package session

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// maxMentioned is how many tools are called first because a refusal names them, and
// leastMentioned how long such a name is.
// gap: tools-failed
const maxMentioned, leastMentioned = 3, 5

// mentioned adds a wish for the tools that a refusal names word for word, in whatever
// sentence: "No snapshot found. Use take_snapshot to capture one."
func mentioned(tools []mcpsf.Tool, refused *mcpsf.Tool, why string, wishes []mcpsf.Wish) []mcpsf.Wish {
	spoken := strings.FieldsFunc(why, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	var names []string
	for i := range tools {
		name := tools[i].Name
		known := slices.ContainsFunc(wishes, func(w mcpsf.Wish) bool { return isPrerequisite(&w) && slices.Contains(w.Accepted, name) })
		if !known && len(names) < maxMentioned && name != refused.Name && isUnmistakable(name) && slices.Contains(spoken, name) && !sequence.TakesAway(name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return wishes
	}
	return append([]mcpsf.Wish{{Kind: mcpsf.WishFirst, Accepted: names}}, wishes...)
}

// isUnmistakable reports whether a word can only be a name: take_snapshot, listItems.
func isUnmistakable(name string) bool {
	return len(name) >= leastMentioned && (strings.ContainsAny(name, "_-") || strings.ContainsFunc(name[1:], unicode.IsUpper))
}
