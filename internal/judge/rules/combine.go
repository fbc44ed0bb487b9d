package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/gap"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// With returns the rules of both sets. Ids must be unique, because a finding
// names its rule by id. A conflict is returned as a [BrokenError].
func (s *Set) With(own *Set) (*Set, error) {
	var problems []error
	for _, r := range own.rules {
		i := s.index(r.ID)
		if i < 0 {
			continue
		}
		other := "another"
		if s.rules[i].Builtin {
			other = "a built-in"
		}
		problems = append(problems, fmt.Errorf("%s:1: there is %s rule %q; give yours another id, and its file the same name", r.File, other, r.ID))
	}
	if len(problems) > 0 {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "rules with the id of others", Err: &BrokenError{problems}}
	}
	both := &Set{rules: slices.Concat(s.rules, own.rules), leftOut: slices.Concat(s.leftOut, own.leftOut)}
	both.sort()
	for _, r := range own.rules {
		problems = append(problems, both.checkCovers(r, true)...)
	}
	if len(problems) > 0 {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "rules that cover others", Err: &BrokenError{problems}}
	}
	return both, nil
}

// Only returns the rules that a list selects by id or by a pattern with * and ?.
// A leading "-" removes rules. A list that starts with a removal starts from all
// rules.
func (s *Set) Only(names []string) (*Set, error) {
	chosen := make([]bool, len(s.rules))
	for n, name := range names {
		pattern, without := strings.CutPrefix(strings.TrimSpace(name), "-")
		if n == 0 && without {
			for i := range chosen {
				chosen[i] = true
			}
		}
		found := false
		for i, r := range s.rules {
			match, err := path.Match(pattern, r.ID)
			if err != nil {
				return nil, unknown("%q is no pattern; it is an id, with * for any characters", name)
			}
			if match {
				found, chosen[i] = true, !without
			}
		}
		if !found {
			return nil, unknown("there is no detector %q; did you mean %s? mcpsf detectors lists them", pattern, s.nearest(pattern))
		}
	}
	out := &Set{leftOut: slices.Clone(s.leftOut)}
	for i, r := range s.rules {
		if chosen[i] {
			out.rules = append(out.rules, r)
		} else {
			out.leftOut = append(out.leftOut, r.ID)
		}
	}
	if len(out.rules) == 0 {
		return nil, unknown("%q leaves no detector at all", strings.Join(names, ","))
	}
	slices.Sort(out.leftOut)
	return out, nil
}

func unknown(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

func (s *Set) sort() {
	slices.SortFunc(s.rules, func(a, b *rulefile.Compiled) int { return strings.Compare(a.ID, b.ID) })
}

func (s *Set) index(id string) int {
	return slices.IndexFunc(s.rules, func(r *rulefile.Compiled) bool { return r.ID == id })
}

// nearest returns the id with the smallest edit distance to the name.
func (s *Set) nearest(name string) string {
	best, least := "", 0
	for _, r := range s.rules {
		if d := distance(quote.Cut(name, quote.MaxQuoted), r.ID); best == "" || d < least {
			best, least = r.ID, d
		}
	}
	return best
}

// distance counts the letters to insert, remove or replace.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := before
			if a[i] != b[j] {
				replace++
			}
			before = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// IsNote tells whether a gap is a note of a judgement: judging again removes the
// old ones.
func IsNote(g mcpsf.Gap) bool {
	return slices.Contains([]mcpsf.GapCode{gap.RulesLeftOut, gap.RuleEventsLeft, gap.FactsNotJudged, gap.RuleMemory}, g.Code)
}

// some joins the first entries of a list and says how many more there are.
func some(list []string) string {
	// no gap: bounds rules, findings and messages; the first ones of a rule are reported
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
