package analysis

import (
	"fmt"
	"math"
	"path"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

func shown(r rune) bool { return unicode.IsPrint(r) }

func escaped(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }

var (
	testPath    = lazyregexp.New(`(?i)(^|/)(tests?|__tests__|spec|specs|fixtures?|__fixtures__|mocks?|__mocks__|examples?|samples?|testdata|docs?|e2e|benchmarks?|stories)(/|$)|[._-](test|spec|mock|fixture|stories)\.[a-z]+$|(^|/)(test_\w+|\w+_test|conftest)\.py$`)
	messageCall = lazyregexp.New(`(?i)(^|\.)(log|info|warn|warning|error|debug|trace|print|println|describe|help|option|argument|add_argument|command|usage|message|Error|Exception|write|echo|secho|bold|dim|red|green|yellow|rprint|expect|it|test)$`)
)

// beside reports whether a file is a test, an example or documentation.
func beside(p string) bool { return testPath.MatchString(p) }

// isMessage reports whether a text is a message for people rather than data for
// the program.
func isMessage(t *ir.Text) bool {
	into := strings.TrimSuffix(t.Into, "()")
	return into == "docstring" || messageCall.MatchString(into) || t.Name == "description" || t.Name == "help" || t.Name == "title" || t.Name == "message" || t.Name == "examples" || t.Name == "placeholder"
}

// entropy is the information in a text per character.
func entropy(s string) float64 {
	var n [256]int
	for i := range len(s) {
		n[s[i]]++
	}
	h := 0.0
	for _, c := range n {
		if c > 0 {
			p := float64(c) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// printable reports whether bytes are readable text.
func printable(s string) bool {
	if s == "" {
		return false
	}
	bad := 0
	for _, r := range s {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			bad++
		}
	}
	return bad*50 <= len(s)
}

func base(p string) string { return path.Base(p) }
