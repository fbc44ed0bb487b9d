package wording

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fold breaks a clean text into lines of at most width cells: between words, and
// within one only where it is wider than a line.
func Fold(s string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(s) {
		for i, part := range strings.Split(ansi.Hardwrap(word, width, true), "\n") {
			last := &lines[len(lines)-1]
			switch {
			case *last == "":
				*last = part
			case i == 0 && ansi.StringWidth(*last)+1+ansi.StringWidth(part) <= width:
				*last += " " + part
			default:
				lines = append(lines, part)
			}
		}
	}
	return lines
}
