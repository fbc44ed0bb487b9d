package gap

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Kind is one entry of the table.
type Kind struct {
	Code mcpsf.GapCode
	// Text says what was not seen. {limit} and {count} are replaced.
	Text string
	// Hides is true if a server can bring the gap about by itself, and what lies
	// behind it could be a theft.
	Hides bool
	// Why is the reason for Hides.
	Why string
}

// New returns a gap with the sentence of the table. limit is the bound that was
// reached, count how much was not seen; 0 is unknown.
func New(code mcpsf.GapCode, limit, count int64) mcpsf.Gap {
	k := kind(code)
	r := strings.NewReplacer("{limit}", strconv.FormatInt(limit, 10), "{count}", amount(count))
	return mcpsf.Gap{Code: code, Text: r.Replace(k.Text), Limit: limit, Count: count, Hides: k.Hides}
}

// Detailed returns a gap with a sentence of its own in place of the table's.
func Detailed(code mcpsf.GapCode, text string) mcpsf.Gap {
	return mcpsf.Gap{Code: code, Text: text, Hides: kind(code).Hides}
}

// All returns one gap for each sentence.
func All(code mcpsf.GapCode, texts []string) []mcpsf.Gap {
	var list []mcpsf.Gap
	for _, text := range texts {
		list = append(list, Detailed(code, text))
	}
	return list
}

// Fold returns the gaps with those of the same kind joined: sessions reach the
// same bound again and again. Of gaps with a count the largest stays.
func Fold(list []mcpsf.Gap) []mcpsf.Gap {
	var out []mcpsf.Gap
	for _, g := range list {
		i := slices.IndexFunc(out, func(o mcpsf.Gap) bool { return same(o, g) })
		switch {
		case i < 0:
			out = append(out, g)
		case g.Count > out[i].Count:
			out[i] = g
		}
	}
	return out
}

// Sorted returns the folded gaps, first those that a theft could hide in:
// reports show the first ones.
func Sorted(list []mcpsf.Gap) []mcpsf.Gap {
	out := Fold(list)
	slices.SortStableFunc(out, func(a, b mcpsf.Gap) int {
		switch {
		case a.Hides == b.Hides:
			return 0
		case a.Hides:
			return -1
		}
		return 1
	})
	return out
}

// same tells whether two gaps are about the same thing: the same sentence, or
// the table's sentence with other numbers.
func same(a, b mcpsf.Gap) bool {
	if a.Code != b.Code {
		return false
	}
	return a.Text == b.Text || a == New(a.Code, a.Limit, a.Count) && b == New(b.Code, b.Limit, b.Count)
}

// amount writes how many.
func amount(n int64) string {
	if n == 0 {
		return "some"
	}
	return strconv.FormatInt(n, 10)
}

// kind returns the entry of a code. One that is not in the table hides:
// forgetting is never an excuse.
func kind(code mcpsf.GapCode) Kind {
	for _, k := range Table() {
		if k.Code == code {
			return k
		}
	}
	return Kind{Code: code, Text: string(code), Hides: true}
}
