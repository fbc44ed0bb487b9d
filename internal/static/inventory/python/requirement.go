package python

import (
	"strings"
)

// requirement is one required package.
type requirement struct {
	name   string // normalised
	spec   string // as written
	extras []string
	url    string
	// only are the extras of the requiring package that need it; nil if it is
	// always needed.
	only []string
	// marked is set if it is needed only on some platforms.
	marked bool
}

// parse parses a PEP 508 requirement, and returns false if it has no name.
func parse(s string) (requirement, bool) {
	s = strings.TrimSpace(s)
	end := nameEnd(s)
	if end == 0 {
		return requirement{}, false
	}
	r := requirement{name: normal(s[:end])}
	rest := strings.TrimSpace(s[end:])
	if strings.HasPrefix(rest, "[") {
		list, after, _ := strings.Cut(rest[1:], "]")
		rest = strings.TrimSpace(after)
		for e := range strings.SplitSeq(list, ",") {
			if e = normal(strings.TrimSpace(e)); e != "" {
				r.extras = append(r.extras, e)
			}
		}
	}
	var marker string
	if at, ok := strings.CutPrefix(rest, "@"); ok {
		r.url, marker, _ = strings.Cut(strings.TrimSpace(at), " ;")
		r.url = strings.TrimSpace(r.url)
	} else {
		rest, marker, _ = strings.Cut(rest, ";")
		r.spec = strings.TrimSpace(strings.Trim(strings.TrimSpace(rest), "()"))
	}
	r.only, r.marked = extrasOf(marker), strings.TrimSpace(marker) != ""
	return r, true
}

// nameEnd returns the end of the name at the beginning of a text.
func nameEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && (i == 0 || c != '.' && c != '_' && c != '-') {
			return i
		}
	}
	return len(s)
}

// extrasOf returns the extras in a marker: extra == 'x'. The rest of the marker
// is about the platform and ignored.
func extrasOf(marker string) []string {
	var out []string
	for {
		_, after, ok := strings.Cut(marker, "extra")
		if !ok {
			return out
		}
		marker = after
		after = strings.TrimLeft(after, " ")
		value, ok := strings.CutPrefix(after, "==")
		if value = strings.TrimLeft(value, " "); !ok || value == "" || value[0] != '"' && value[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(value[1:], value[0]); end >= 0 {
			out = append(out, normal(value[1:1+end]))
		}
	}
}

// exact returns the version of a range that allows only one, else "".
func exact(spec string) string {
	v, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimSpace(spec), "="), "==")
	if !ok {
		v, ok = strings.CutPrefix(strings.TrimSpace(spec), "==")
	}
	if v = strings.TrimSpace(v); !ok || strings.ContainsAny(v, ",*<>=!~ ") {
		return ""
	}
	return v
}

// Normal returns a name as the index compares it: in lower case, with one dash
// for each run of dashes, underscores and dots.
func Normal(name string) string { return normal(name) }

func normal(name string) string {
	var b strings.Builder
	dash := false
	for _, c := range []byte(name) {
		switch {
		case c == '-' || c == '_' || c == '.':
			dash = true
			continue
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		b.WriteByte(c)
	}
	return b.String()
}

// spare reports whether the name of a group, an extra or a file indicates
// development requirements.
func spare(name string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') }) {
		switch word {
		case "dev", "develop", "development", "test", "tests", "testing", "lint", "linting", "style", "format", "typing", "types", "mypy",
			"doc", "docs", "documentation", "ci", "build", "release", "bench", "benchmark", "example", "examples", "coverage":
			return true
		}
	}
	return false
}
