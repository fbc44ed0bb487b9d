package shape

import (
	"slices"
	"strings"
)

// choice is the value of those that a program compares with that is its turn: of
// the elements of a list each has another one. The first lets the program go on. It is
// false if the usual value is. The same request gets the same answer at any time: an
// attack is told by what it changes in an answer, and so is a flow of secrets.
func (f *filler) choice(n *node, at *place) (string, bool) {
	if len(n.accepted) == 0 {
		return "", false
	}
	if !n.turns {
		return preferred(n.accepted), true
	}
	all := inTurn(n)
	word := all[at.index%len(all)]
	return word, word != ""
}

// inTurn are the accepted values, the best one first, and those that end a program
// last. If it only has names for what is bad, the usual value comes first: "".
func inTurn(n *node) []string {
	first := preferred(n.accepted)
	all := []string{first}
	if isBad(first) && !n.required && n.kind == text {
		all = []string{"", first}
	}
	for _, bad := range []bool{false, true} {
		for _, word := range n.accepted {
			if isBad(word) == bad && !slices.Contains(all, word) {
				all = append(all, word)
			}
		}
	}
	return all
}

// preferred is the value of those that a program compares with which lets it go on.
func preferred(accepted []string) string {
	good, bad := "", ""
	for _, v := range accepted {
		switch {
		case table().good[strings.ToLower(v)]:
			return v
		case isBad(v):
			bad = v
		case good == "":
			good = v
		}
	}
	if good == "" {
		return bad
	}
	return good
}

func isBad(value string) bool {
	word := strings.ToLower(value)
	return table().bad[word] || strings.Contains(word, "error") || strings.Contains(word, "fail") || strings.Contains(word, "denied") || strings.Contains(word, "invalid")
}
