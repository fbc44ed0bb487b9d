// Package usererr makes the messages that the user reads about a source.
//
// In: untrusted names, sizes and texts. Out: single lines that are safe to
// print: quoted, bounded, without terminal escapes. [Usage] makes the error for
// what the user can fix.
package usererr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// MaxShown bounds how many bytes of a name a message contains.
// no gap: bounds messages to the user
const MaxShown = 200

// Usage is an error that the user can fix, in one line.
func Usage(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

// Quote makes any name safe to print: one line, no terminal escapes, no
// invisible characters, bounded.
func Quote(name string) string {
	if len(name) > MaxShown {
		return strconv.Quote(name[:MaxShown]) + "..."
	}
	return strconv.Quote(name)
}

// ShellWord writes s so that it can be pasted into a shell, or quotes it as
// [Quote] does if it has characters that are unsafe for a terminal.
func ShellWord(s string) string {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("@%+=:,./-_", r))
	}
	printable := func(r rune) bool { return r != utf8.RuneError && strconv.IsPrint(r) }
	switch {
	case s != "" && len(s) <= MaxShown && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }):
		return s
	case len(s) <= MaxShown && !strings.ContainsFunc(s, func(r rune) bool { return !printable(r) }):
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	default:
		return Quote(s)
	}
}

// ShellLine writes a command so that it can be pasted into a shell.
func ShellLine(command []string) string {
	words := make([]string, len(command))
	for i, w := range command {
		words[i] = ShellWord(w)
	}
	return strings.Join(words, " ")
}

// Size writes a number of bytes in words.
func Size(n int64) string {
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

// Notes collects notes on what was left out, bounded so that a hostile tree
// cannot fill the report.
type Notes struct {
	list []string
	more int
}

// no gap: bounds messages to the user
const maxNotes = 20

// Add adds a note, or only counts it if there are many.
func (n *Notes) Add(format string, args ...any) {
	if len(n.list) == maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, fmt.Sprintf(format, args...))
}

// All returns the notes; the last one says how many more there are.
func (n *Notes) All() []string {
	if n.more == 0 {
		return n.list
	}
	return append(n.list, fmt.Sprintf("and %d more of this kind", n.more))
}
