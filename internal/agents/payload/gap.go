package payload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

const (
	// maxLine bounds what is told in one line, maxName the name of a tool in it.
	maxLine, maxName = 160, 60
	// maxLost bounds how many lines there are.
	maxLost = 100
)

// gaps counts the payloads and answers that were lost, by reason.
type gaps struct {
	list  []gap
	index map[gap]int
	count []int
	// payloads is how many of these there were, for all reasons.
	payloads int
}

// gap is why something was lost: payloads of a tool, or a whole answer.
type gap struct {
	tool, why string
	payloads  bool
}

// payload notes that one was left out.
func (t *gaps) payload(tool, why string) {
	t.payloads++
	t.put(gap{tool, why, true})
}

// add says something of a tool, or of all if it has no name.
func (t *gaps) add(tool, why string) { t.put(gap{tool, why, false}) }

func (t *gaps) put(l gap) {
	if t.index == nil {
		t.index = map[gap]int{}
	}
	i, known := t.index[l]
	if !known {
		i = len(t.list)
		t.index[l], t.list, t.count = i, append(t.list, l), append(t.count, 0)
	}
	t.count[i]++
}

// lines are what a report says.
func (t *gaps) lines() []string {
	var all []string
	for i, l := range t.list {
		if i == maxLost {
			return append(all, fmt.Sprintf("and %d more of that kind", len(t.list)-maxLost))
		}
		text := l.why
		switch {
		case l.payloads && t.count[i] == 1:
			text = "1 payload left out: " + text
		case l.payloads:
			text = fmt.Sprintf("%d payloads left out: %s", t.count[i], text)
		}
		if l.tool != "" {
			text = strconv.Quote(safetext.Line(l.tool, maxName)) + ": " + text
		}
		all = append(all, text)
	}
	return all
}

// clip cuts a text at the border of a character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
