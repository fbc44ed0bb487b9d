package pypi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// specifiers are clauses such as ">=1,<2" that must all hold.
type specifiers []clause

// clause is one condition, such as ">=1".
type clause struct {
	op, text string
	version  version
	// prefix is set for "==1.2.*": only the given numbers count.
	prefix bool
}

// parseSpecifiers parses a list of clauses; "" is the empty list.
func parseSpecifiers(text string) (specifiers, error) {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 32
	var s specifiers
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue // pip also ignores an extra comma
		}
		c, err := parseClause(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		if s = append(s, c); len(s) > most {
			return nil, errors.New("it has too many clauses")
		}
	}
	return s, nil
}

func parseClause(text string) (clause, error) {
	var c clause
	for _, op := range []string{"===", "==", "!=", "~=", "<=", ">=", "<", ">"} {
		if rest, ok := strings.CutPrefix(text, op); ok {
			c.op, c.text = op, strings.TrimSpace(rest)
			break
		}
	}
	bad := fmt.Errorf("%s is no version specifier", usererr.Quote(text))
	if c.op == "" || c.text == "" {
		return c, bad
	}
	number, prefix := strings.CutSuffix(c.text, ".*")
	v, ok := parseVersion(number)
	c.version, c.prefix = v, prefix
	switch {
	case c.op == "===" && !prefix && !strings.ContainsFunc(c.text, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return c, nil // any text will do
	case !ok:
		return c, bad
	case prefix && (c.op != "==" && c.op != "!=" || v.isPre() || v.post >= 0 || v.local != nil):
		return c, bad
	case c.op == "~=" && len(v.release) < 2:
		return c, bad
	case v.local != nil && c.op != "==" && c.op != "!=":
		return c, bad
	}
	return c, nil
}

// match reports whether v meets all clauses. The caller decides whether
// pre-releases count.
func (s specifiers) match(v version) bool {
	return !slices.ContainsFunc(s, func(c clause) bool { return !c.match(v) })
}

func (c clause) match(v version) bool {
	switch c.op {
	case "===":
		return strings.EqualFold(c.text, v.String())
	case "==":
		return c.equal(v)
	case "!=":
		return !c.equal(v)
	case "<=":
		return v.public().compare(c.version) <= 0
	case ">=":
		return v.public().compare(c.version) >= 0
	case "~=":
		return v.public().compare(c.version) >= 0 && c.samePrefix(v, len(c.version.release)-1)
	}
	sameBase := v.base().compare(c.version.base()) == 0
	if c.op == "<" {
		// 2.0rc1 is before 2.0, but <2.0 must not match it.
		return v.compare(c.version) < 0 && !(sameBase && v.isPre() && !c.version.isPre())
	}
	// 1.0.post1 is after 1.0, but >1.0 must not match it.
	return v.compare(c.version) > 0 && !(sameBase && (v.local != nil || v.post >= 0 && c.version.post < 0))
}

func (c clause) equal(v version) bool {
	if c.prefix {
		return c.samePrefix(v, len(c.version.release))
	}
	if c.version.local == nil {
		v = v.public()
	}
	return v.compare(c.version) == 0
}

// samePrefix compares the epoch and the first n numbers.
func (c clause) samePrefix(v version, n int) bool {
	for i := range n {
		if v.part(i) != c.version.part(i) {
			return false
		}
	}
	return v.epoch == c.version.epoch
}

// exact returns the only version that the clauses allow, "" if there are
// several.
func (s specifiers) exact() string {
	for _, c := range s {
		if (c.op == "==" || c.op == "===") && !c.prefix {
			return c.text
		}
	}
	return ""
}

// wantsPre reports whether a clause names a pre-release.
func (s specifiers) wantsPre() bool {
	return slices.ContainsFunc(s, func(c clause) bool {
		return c.op != "!=" && c.op != "<" && c.version.isPre()
	})
}

// String writes the clauses in a canonical form for keys.
func (s specifiers) String() string {
	var parts []string
	for _, c := range s {
		parts = append(parts, c.op+strings.ToLower(c.text))
	}
	slices.Sort(parts)
	return strings.Join(slices.Compact(parts), ",")
}
