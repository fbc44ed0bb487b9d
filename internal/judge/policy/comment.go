package policy

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/wording"
)

const (
	// commentWidth leaves room for the sign of a comment on 80 columns.
	commentWidth = 76
	// maxLeftOut bounds what a comment lists.
	maxLeftOut = 60
)

// comments are the lines that say what the settings rest on and what was left
// out. The caveats stand first; how is what only one format has to say.
func (n *Needs) comments(how ...string) []string {
	var out []string
	out = append(out, n.Caveats...)
	out = append(out, fmt.Sprintf("Made by mcpsf from what %s was seen to use. What was never tried was not seen: read this before you rely on it.", n.Artifact))
	out = append(out, how...)
	out = append(out, n.legend()...)
	out = append(out, n.byCaller()...)
	if n.Installed > 0 {
		out = append(out, "What the installation used is not in here: install first, then run with these settings.")
	}
	out = append(out, n.leftOut()...)
	return wrapped(out)
}

// legend tells what the placeholders stand for.
func (n *Needs) legend() []string {
	meaning := []struct{ sign, means string }{
		{home, "your home directory"},
		{pack, "the folder that the server is installed in"},
		{workspace, "the files that you let its tools work on"},
	}
	var list []string
	for _, m := range meaning {
		used := slices.ContainsFunc(n.Uses, func(u Use) bool { return strings.HasPrefix(u.Name, m.sign) })
		if used {
			list = append(list, fmt.Sprintf("%s stands for %s.", m.sign, m.means))
		}
	}
	return list
}

// byCaller names the tools that go where their caller says. Where that may be
// is not for us to decide.
func (n *Needs) byCaller() []string {
	var list []string
	for _, k := range []struct {
		kind mcpsf.AccessKind
		what string
	}{
		{mcpsf.AccessHost, "hosts"},
		{mcpsf.AccessProgram, "programs"},
	} {
		var tools []string
		for _, u := range n.Uses {
			if u.Kind == k.kind && u.Name == passed {
				tools = append(tools, toolName(u.Tool))
			}
		}
		if tools = slices.Compact(tools); len(tools) > 0 {
			list = append(list, fmt.Sprintf("Not granted: the %s that the caller names to %s. Add those that it may name.", k.what, strings.Join(tools, ", ")))
		}
	}
	return list
}

// leftOut lists what was used and is not granted.
func (n *Needs) leftOut() []string {
	var list []string
	for _, u := range n.Uses {
		if u.Refused == "" {
			continue
		}
		line := fmt.Sprintf("Left out: %s %s (%s): %s", u.Kind, shown(u.Name), toolName(u.Tool), safetext.Clean(u.Refused))
		if u.By != mcpsf.ByNobody && u.Reason != "" {
			line += fmt.Sprintf(", though %s", safetext.Clean(u.Reason))
		}
		list = append(list, line+".")
	}
	if more := len(list) - maxLeftOut; more > 0 {
		list = append(list[:maxLeftOut], fmt.Sprintf("Left out: %d more; --for table has them.", more))
	}
	return list
}

func toolName(tool string) string {
	if tool == "" {
		return "without a call"
	}
	return shown(tool)
}

// shown is a name for people: on one line, and not longer than two.
func shown(name string) string { return ansi.Truncate(safetext.Clean(name), 2*commentWidth, "...") }

// wrapped breaks sentences into lines; what belongs to one is indented.
func wrapped(list []string) []string {
	var lines []string
	for _, s := range list {
		for i, line := range wording.Fold(safetext.Clean(s), commentWidth-2) {
			if i > 0 {
				line = "  " + line
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// writeComments writes them with the sign that begins one.
func writeComments(buf *bytes.Buffer, sign string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(buf, "%s %s\n", sign, line)
	}
}

// writeJSON writes v for people.
func writeJSON(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
