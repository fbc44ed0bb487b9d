package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// maxShown bounds how much of a name goes into a message.
const maxShown = 200

// usage is a failure the user can fix, said in one line.
func usage(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

// quote makes any name safe to print: one line, no terminal escapes, no
// invisible characters, bounded.
func quote(name string) string {
	if len(name) > maxShown {
		return strconv.Quote(name[:maxShown]) + "..."
	}
	return strconv.Quote(name)
}

// shellWord writes s so that it can be pasted into a shell, or quoted as by
// [quote] where it has characters no terminal should be shown.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("@%+=:,./-_", r))
	}
	printable := func(r rune) bool { return r != utf8.RuneError && strconv.IsPrint(r) }
	switch {
	case s != "" && len(s) <= maxShown && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }):
		return s
	case len(s) <= maxShown && !strings.ContainsFunc(s, func(r rune) bool { return !printable(r) }):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	default:
		return quote(s)
	}
}

func shellLine(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// badName says what is wrong with a file name, "" if nothing is. Such names
// exist to forge lines in logs and reports or to drive the terminal.
func badName(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "is not valid UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }):
		return "has control characters or line breaks"
	}
	return ""
}

// clean cuts what a manifest says of itself to n bytes of valid text on one
// line.
func clean(s string, n int) string {
	s = s[:min(len(s), 4*n)]
	s = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// size says a number of bytes in words.
func size(n int64) string {
	const unit = 1024
	if n < unit {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	v, i := float64(n), -1
	for v >= unit && i < 4 {
		v /= unit
		i++
	}
	return strconv.FormatFloat(v, 'f', 1, 64) + " " + [...]string{"KiB", "MiB", "GiB", "TiB", "PiB"}[i]
}

// notes collects what was left out, without letting a hostile tree fill the
// report with it.
type notes struct {
	list []string
	more int
}

const maxNotes = 20

func (n *notes) add(format string, args ...any) {
	if len(n.list) == maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, fmt.Sprintf(format, args...))
}

func (n *notes) all() []string {
	if n.more == 0 {
		return n.list
	}
	return append(n.list, fmt.Sprintf("and %d more of this kind", n.more))
}
