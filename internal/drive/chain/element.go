package chain

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// element is how the snapshot of a page names one of its elements:
// `uid=1_3 textbox "Message"`, `- button "Search" [ref=e14]`.
var element = lazyregexp.New(`(?m)^(.{0,300}?)\b(uid|ref)\s{0,2}[=:]\s{0,2}"?([A-Za-z]{0,3}[0-9][\w-]{0,31})\b(.{0,300})$`)

// elements remembers the elements in the snapshot of a page.
func (l *learner) elements(s string) {
	for _, m := range element.FindAllStringSubmatch(s, maxMatches) {
		l.add([]string{roleOf(m[1] + " " + m[4])}, m[2], m[3])
	}
}

// roleOf returns which kind of element a line of a snapshot describes.
func roleOf(line string) string {
	words := meaning.Words(line)
	if choosesFile.MatchString(line) {
		return "file"
	}
	for _, role := range []string{"textbox", "searchbox", "combobox", "checkbox", "button", "link"} {
		if slices.Contains(words, role) {
			return role
		}
	}
	return "element"
}

// choosesFile is how the button that chooses a file is shown.
var choosesFile = lazyregexp.New(`(?i)\bno files? chosen\b|\bchoose files?\b|\bbutton "(?:attachment|upload)`)

// scoreElement rates how well an element fits what a tool does with one, 0 for not at
// all.
func scoreElement(tool, parameter string, f fact) int {
	if name := meaning.Words(parameter); (f.head != "uid" && f.head != "ref") || len(name) == 0 || name[len(name)-1] != f.head {
		return 0
	}
	const fits, other, none = 12, 11, 10
	does := meaning.Words(tool)
	for _, pair := range []struct{ verbs, roles string }{
		{"fill type press write enter", "textbox searchbox"}, {"select choose", "combobox"}, {"check uncheck toggle", "checkbox"}, {"upload attach", "file"}, {"click tap hover drag", "button"},
	} {
		if !slices.ContainsFunc(strings.Fields(pair.verbs), func(verb string) bool { return slices.Contains(does, verb) }) {
			continue
		}
		if slices.Contains(strings.Fields(pair.roles), f.things[0]) {
			return fits
		}
	}
	if f.things[0] == "element" {
		return none
	}
	return other
}
