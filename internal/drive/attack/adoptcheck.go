package attack

import (
	"errors"
	"path"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Patterns of model-written payloads that can prove something. A tool that
// works as intended must not show the sign: a tool opens a path it is given and
// fetches a URL it is given.
var (
	shellSigns       = lazyregexp.New("[;|&$<>(){}%`\\r\\n]|[^\\x00-\\x7f]")
	sqlOpens         = lazyregexp.New(`(?i)\b(?:attach|load_file|readfile|pg_read_\w+|load_extension|outfile|copy)\b`)
	tagged           = lazyregexp.New(`<[!?A-Za-z]`)
	xpathCalls       = lazyregexp.New(`(?i)\b(?:doc|document|collection|unparsed-text|json-doc)\s*\(`)
	prototypes       = lazyregexp.New(`__proto__|prototype|__class__`)
	templateBrackets = lazyregexp.New(`\{\{|\{%|\$\{|#\{|<%|\[\[\s*\$|@\(|\{[=!]|#set\b|\[=`)
	selects          = lazyregexp.New(`(?i)\bselect\b`)
	serialForms      = lazyregexp.New(`!!|!ruby|py/|ND_FUNC|@type|\$type|__reduce__|\(S'|"|<`)
	otherScheme      = lazyregexp.New(`(?i)^\s*(?:[a-z][a-z0-9_+.-]*:)+`)
	codeOperator     = lazyregexp.New(`\$(?:where|function|accumulator)\b`)
)

// shapedLike wants a payload to match.
func shapedLike(shape *lazyregexp.Regexp, why string) func(Place, string) error {
	return func(_ Place, text string) error {
		if !shape.MatchString(text) {
			return errors.New(why)
		}
		return nil
	}
}

// optionOf is the word of a payload that holds a text, as a program gets it.
func optionOf(text, held string) string {
	for word := range strings.FieldsSeq(text) {
		if strings.Contains(word, held) {
			return word
		}
	}
	return ""
}

// isOption wants what is held to stand in an option, and nothing else that
// leads there.
func isOption(held string) func(Place, string) error {
	held = path.Base(held)
	return func(_ Place, text string) error {
		switch word := optionOf(text, held); {
		case strings.ContainsAny(text, "|&`\n") || strings.Contains(text, "$(") || strings.Contains(text, ";") && !strings.Contains(text, "-exec"):
			return errors.New("it is a command, and no option")
		case strings.Contains(text, "../"):
			return errors.New("it is a path, and no option")
		case strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@") || strings.HasPrefix(word, "ext::") || strings.Contains(text, " -exec "+word):
			return nil
		}
		return errors.New("it is no option")
	}
}

// inCall requires the program in quotes, inside a function call.
func inCall(program string) func(Place, string) error {
	return func(_ Place, text string) error {
		quoted := strings.Contains(text, "'"+program) || strings.Contains(text, `"`+program)
		if !quoted || !strings.Contains(text, "(") || strings.Contains(text, "$(") {
			return errors.New("it is no code that runs a program")
		}
		return nil
	}
}

// isSerial requires a serialization format that can run code, or encoded data.
func isSerial(program string) func(Place, string) error {
	return func(_ Place, text string) error {
		switch {
		case !strings.Contains(text, program): // the program's name was found in the decoded text
		case strings.Contains(text, "$("+program) || strings.Contains(text, "`"+program) || !serialForms.MatchString(text):
			return errors.New("it is no data that runs something")
		}
		return nil
	}
}

// notAsItIs refuses the path of the marker: a tool without limits opens it.
func notAsItIs(marker string) func(Place, string) error {
	return func(_ Place, text string) error {
		if strings.HasPrefix(path.Clean(strings.TrimSpace(text)), marker) {
			return errors.New("a tool without limits does that, too")
		}
		return nil
	}
}

// isFileAddress is for places that want an address.
func isFileAddress(p Place, text string) error {
	if p.Kind != "url" || !otherScheme.MatchString(text) {
		return errors.New("it is no address of a file where an address is expected")
	}
	return nil
}

// notPlainly refuses the address as everybody writes it.
func notPlainly(address string) func(Place, string) error {
	plainly := regexp.MustCompile(`(?i)^\s*(?:(?:https?:)?//)?` + regexp.QuoteMeta(address) + `(?::\d+)?(?:$|[/?]\S*$)`)
	return func(_ Place, text string) error {
		if plainly.MatchString(text) {
			return errors.New("a tool without limits does that, too")
		}
		return nil
	}
}

// asPart wants a host that stands where the server puts one together. Where an
// address may be given, a whole one is what the tool is for.
func asPart(host string) func(Place, string) error {
	return func(p Place, text string) error {
		before, _, _ := strings.Cut(strings.ToLower(text), host)
		whole := strings.TrimSpace(before) == "" || strings.Contains(before, "//") || strings.HasSuffix(before, `\`)
		if p.Kind == "url" || p.Kind == "host" || whole && p.free() {
			return errors.New("a tool without limits does that, too")
		}
		return nil
	}
}

// operates wants code where a whole filter is expected: to take one is what the
// tool is for.
func operates(p Place, text string) error {
	if p.structured() && !codeOperator.MatchString(text) {
		return errors.New("a tool that takes a filter does that, too")
	}
	return nil
}

// onLine wants a line end before the line.
func onLine(line string) func(Place, string) error {
	return func(_ Place, text string) error {
		before, _, _ := strings.Cut(text, line)
		if !strings.HasSuffix(before, "\n") && !strings.HasSuffix(before, "\r") && !strings.HasSuffix(before, "\u2028") {
			return errors.New("no line end stands before it")
		}
		return nil
	}
}
