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

// no gap: bounds comments in a policy
const (
	// commentWidth leaves room for the comment sign within 80 columns.
	commentWidth = 76
	// maxLeftOut bounds the list in a comment.
	maxLeftOut = 60
)

// comments returns the lines that say what the settings are based on and what
// was left out. Caveats come first; how are lines for one format only.
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

// legend explains the placeholders.
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

// byCaller names the tools that use paths or hosts that their caller chooses.
// Only the user can decide which to allow.
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

// shown makes a name safe to print: on one line, truncated to two lines' length.
func shown(name string) string { return ansi.Truncate(safetext.Clean(name), 2*commentWidth, "...") }

// wrapped breaks sentences into lines and indents continuations.
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

// writeComments writes lines with the comment sign.
func writeComments(buf *bytes.Buffer, sign string, lines []string) {
	for _, line := range lines {
		fmt.Fprintf(buf, "%s %s\n", sign, line)
	}
}

// writeJSON writes v indented.
func writeJSON(buf *bytes.Buffer, v any) error {
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
