package lookalike

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// twins maps letters and digits that look alike to one of them.
func twins() *strings.Replacer {
	return strings.NewReplacer(
		"0", "o", "1", "l", "3", "e", "5", "s", "8", "b", "i", "l", "rn", "m", "vv", "w", "cl", "d", "q", "g",
		"а", "a", "с", "c", "е", "e", "о", "o", "р", "p", "х", "x", "у", "y", "ѕ", "s", "і", "l", "ј", "j", "ԁ", "d", "ԛ", "g", "ԝ", "w",
		"α", "a", "ο", "o", "ρ", "p", "ν", "v", "ι", "l", "κ", "k", "τ", "t", "ı", "l", "ɡ", "g", "ɑ", "a",
	)
}

// shape returns the visual form of a name: without accents, lookalike letters
// replaced.
func (f *Finder) shape(name string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return f.twins.Replace(plain)
}
