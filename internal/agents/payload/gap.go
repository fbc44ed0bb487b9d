package payload

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds the text of a note
const (
	// maxLine bounds a line of the report, maxName the name of a tool in it.
	maxLine, maxName = 160, 60
	// maxLost bounds how many lines there are.
	maxLost = 100
)

// gaps counts the payloads and answers that were lost, by reason.
type gaps struct {
	list  []gap
	index map[gap]int
	count []int
	// payloads is how many were lost, for all reasons.
	payloads int
}

// gap is why something was lost: payloads of a tool, or a whole answer.
type gap struct {
	tool, why string
	payloads  bool
}

// payload records that one was left out.
func (t *gaps) payload(tool, why string) {
	t.payloads++
	t.put(gap{tool, why, true})
}

// add records a loss for a tool, or for all if the name is "".
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

// lines are the lines of a report.
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

// clip cuts a text between two characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "")
}
