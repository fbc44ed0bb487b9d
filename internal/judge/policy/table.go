package policy

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// The columns of the table, which is 80 wide.
const (
	tableWidth = 80
	kindWidth  = 9
	nameWidth  = 34
)

// table lists by tool what was used and why it is or is not granted.
func table(buf *bytes.Buffer, n *Needs) error {
	for _, line := range wrapped(n.Caveats) {
		fmt.Fprintln(buf, line)
	}
	if len(n.Caveats) > 0 {
		buf.WriteByte('\n')
	}
	fmt.Fprintln(buf, ansi.Truncate("What "+n.Artifact+" was seen to use", tableWidth, "..."))
	for tool := range slices.Values(n.tools()) {
		buf.WriteByte('\n')
		fmt.Fprintln(buf, ansi.Truncate(heading(tool), tableWidth, "..."))
		usual := 0
		for _, u := range n.Uses {
			switch {
			case u.Tool != tool:
			case u.usual():
				usual++
			default:
				row(buf, u)
			}
		}
		if usual > 0 {
			fmt.Fprintf(buf, "  + %d more that every program uses: the system, its own files, plain variables\n", usual)
		}
	}
	if n.Installed > 0 {
		fmt.Fprintf(buf, "\nThe installation used %d more.\n", n.Installed)
	}
	buf.WriteString("\n+ granted, - left out, ? yours to decide\n")
	for _, line := range n.legend() {
		fmt.Fprintln(buf, line)
	}
	return nil
}

func heading(tool string) string {
	if tool == "" {
		return "Without a call"
	}
	return shown(tool)
}

func (n *Needs) tools() []string {
	var list []string
	for _, u := range n.Uses {
		list = append(list, u.Tool)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// usual tells whether a use needs no line of its own.
func (u Use) usual() bool {
	return u.Refused == "" && u.By == mcpsf.ByNature &&
		(u.Kind == mcpsf.AccessVariable || u.Kind == mcpsf.AccessRead && inImage(u.Name))
}

// row writes one use, on several lines if the name or the reason is long.
func row(buf *bytes.Buffer, u Use) {
	sign, why := "+", u.Reason
	if u.Refused != "" {
		sign, why = "-", u.Refused
	}
	name := shown(u.Name)
	if u.Name == passed {
		sign, name = "?", "what the caller names"
	}
	names := strings.Split(ansi.Hardwrap(name, nameWidth, true), "\n")
	reasons := wording.Fold(safetext.Clean(why), tableWidth-nameWidth-kindWidth-6)
	kind := string(u.Kind)
	for i := range max(len(names), len(reasons)) {
		line := fmt.Sprintf("  %s %-*s%s", sign, kindWidth, kind, padded(at(names, i), nameWidth)) + "  " + at(reasons, i)
		fmt.Fprintln(buf, strings.TrimRight(line, " "))
		sign, kind = " ", ""
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(width-ansi.StringWidth(s), 0))
}
