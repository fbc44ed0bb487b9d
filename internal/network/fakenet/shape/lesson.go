package shape

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// lessonOf translates a wish; false if an answer cannot meet it.
func lessonOf(w *mcpsf.Wish) (*lesson, bool) {
	l := &lesson{kind: kindOf(strings.ToLower(w.Type)), got: kindOf(w.Got), value: w.Value, whole: w.Output}
	if w.Got == null {
		l.got = null
	}
	path := w.Path
	if w.Output {
		if path, l.written = outputPath(path, l.kind); l.written {
			return l, true
		}
	}
	if len(path) > maxPath {
		return nil, false
	}
	if n := len(path); n > 0 {
		if kind, is := methodKind(path[n-1]); is {
			if l.kind, path = kind, path[:n-1]; len(path) == 0 && kind != array {
				return nil, false
			}
		}
	}
	for _, name := range path {
		if _, is := methodKind(name); is || !permittedName(name) {
			return nil, false
		}
	}
	if w.Kind == mcpsf.WishMissing && len(path) == 1 && isIndex(path[0]) { // an entry of what was not there
		l.kind, path = array, nil
	}
	l.path = path
	return l, l.take(w)
}

// blanks are places for values in an address.
var blanks = lazyregexp.New(`^(?:/\{[A-Za-z]\w{0,15}\}){1,6}$`)

// take reads what the kind of the wish says; false if that is nothing.
func (l *lesson) take(w *mcpsf.Wish) bool {
	switch w.Kind {
	case mcpsf.WishMissing:
		l.missing = true
		l.accept(w.Accepted)
		return len(l.path) > 0 || l.kind != ""
	case mcpsf.WishType:
		if l.kind == number && isWhole(w.Type) {
			l.form = "whole"
		}
		return l.kind != ""
	case mcpsf.WishMore:
		l.more = l.kind == array
		return l.more
	case mcpsf.WishOneOf:
		l.accept(w.Accepted)
		return len(l.accepted) > 0 && len(l.path) > 0
	case mcpsf.WishFormat:
		l.kind, l.form = "", formOf(w.Type)
		if w.Type == mcpsf.FormatContains && len(w.Accepted) == 1 && blanks.MatchString(w.Accepted[0]) {
			l.form = "template " + w.Accepted[0]
		}
		if len(l.path) == 0 && l.form == "" {
			l.body = bodyOf(w)
		}
		return l.form != "" && (len(l.path) > 0 || l.value != "") || l.body != ""
	case mcpsf.WishUnexpected:
		l.absent = true
		return len(l.path) > 0
	case mcpsf.WishOneMember:
		for _, name := range w.Accepted {
			if permittedName(name) {
				l.path = append(append([]string{}, l.path...), name)
				return len(l.path) <= maxPath
			}
		}
	}
	return false
}

func isWhole(name string) bool {
	switch strings.ToLower(name) {
	case "integer", "int":
		return true
	}
	return false
}

func (l *lesson) accept(values []string) {
	for _, v := range values[:min(len(values), maxAccepted)] {
		if permittedValue(v) {
			l.accepted = append(l.accepted, v)
		}
	}
}

// formOf translates the name of a format.
func formOf(name string) string {
	switch strings.ToLower(name) {
	case "uuid", "guid":
		return "uuid"
	case "url", "uri", "link":
		return "url"
	case "email":
		return "email"
	case "date":
		return "day"
	case "datetime", "date-time", "date_time", "iso8601", "timestamp", "iso datetime":
		return "date"
	case "ip", "ipv4":
		return "ip"
	case "base64":
		return "base64"
	case "integer":
		return "whole"
	}
	return ""
}

// outputPath is where in an answer may be what a tool returns at a path. written is
// set if that is the text of the result: it may have been read anywhere.
func outputPath(path []string, kind string) (in []string, written bool) {
	for len(path) > 1 && path[0] == "structuredContent" {
		path = path[1:]
	}
	content := len(path) == 3 && path[0] == "content" && isIndex(path[1]) && path[2] == "text"
	if content || len(path) == 1 && path[0] == "result" { // what wraps a plain result
		return nil, kind == text
	}
	return path, false
}
