package refusal

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// clauses splits a text into the parts that say one thing each.
func clauses(text string) []clause {
	var out []clause
	text, _, _ = strings.Cut(text, "\n\nFailed validating") // the schema and the instance follow
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines) && len(out) < maxClauses; i++ {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		if c, ok := twoLines(lines[i], next); ok {
			out = append(out, c)
			i++
			continue
		}
		if strings.HasPrefix(lines[i], "    For further information") {
			continue
		}
		for _, s := range sentences(strings.TrimSpace(lines[i])) {
			if s != "" && len(out) < maxClauses {
				out = append(out, beside(strings.ToValidUTF8(s[:min(len(s), maxClause)], "")))
			}
		}
	}
	return out
}

var (
	pydanticPath = lazyregexp.New(`^[\w$-]+(?:(?:\.| -> )[\w$<>()\[\], =-]+)*$`)
	pydanticTail = lazyregexp.New(`\s*[\[(]type=.*$`)
	inputValue   = lazyregexp.New(`input_type=NoneType`)
	// unionTag is the alternative of a union that pydantic adds to a path.
	unionTag = lazyregexp.New(`^(?:int|str|float|bool|none|list|dict|tuple|set|url|constrained-\w+|(?:list|dict|tuple|set|nullable|union|function-\w+|literal|lax-or-strict|json-or-python|model|tagged-union|is-instance)\[.*|function-\w+.*)$`)
)

// twoLines reads a path and a message on lines of their own, in the orders of
// pydantic and of zod.
func twoLines(line, next string) (clause, bool) {
	if path, ok := strings.CutPrefix(strings.TrimSpace(next), "→ at "); ok {
		return clause{path: splitPath(path), text: strings.TrimPrefix(strings.TrimSpace(line), "✖ ")}, true
	}
	if !strings.HasPrefix(next, "  ") || !pydanticPath.MatchString(line) {
		return clause{}, false
	}
	path := splitPath(strings.ReplaceAll(line, " -> ", "."))
	for len(path) > 1 && unionTag.MatchString(path[len(path)-1]) {
		path = path[:len(path)-1]
	}
	text := pydanticTail.ReplaceAllString(strings.TrimSpace(next), "")
	if inputValue.MatchString(next) {
		text += ", received None"
	}
	return clause{path: path, text: text}, true
}

// sentences splits a line at full stops, semicolons and the commas of ajv.
func sentences(line string) []string {
	var out []string
	start := 0
	documents := 0
	for i := 0; i < len(line); i++ {
		end := i
		switch {
		case (line[i] == '{' || line[i] == '[') && documents < maxTries:
			documents++ // what stands in it ends no sentence
			_, length := valueAt(line[i:])
			i += max(0, length-1)
			continue
		case line[i] == ';' && strings.HasPrefix(line[i+1:], " "):
		case (line[i] == '.' || line[i] == '!' || line[i] == '?') && opens(line[i+1:]) && !abbreviated(line[:i]):
		case line[i] == ',' && strings.HasPrefix(line[i+1:], " data") && ajvPath.MatchString(line[i+2:]):
		default:
			continue
		}
		out = append(out, strings.TrimSpace(line[start:end]))
		start = i + 1
	}
	out = append(out, strings.TrimRight(strings.TrimSpace(line[start:]), ". "))
	return out
}

// opens reports whether a new sentence begins.
func opens(rest string) bool {
	if rest == "" || rest[0] != ' ' || strings.HasPrefix(rest, " Received ") {
		return false
	}
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " "))
	return unicode.IsUpper(r) || strings.ContainsRune("\"'`“(❌", r)
}

func abbreviated(text string) bool {
	return strings.HasSuffix(text, "e.g") || strings.HasSuffix(text, "i.e") || strings.HasSuffix(text, "etc") || strings.HasSuffix(text, " vs")
}

var (
	ajvPath     = lazyregexp.New(`^(?:data|body|params|arguments|args|input|instance|root|querystring)((?:[/.][\w$\[\]~-]+)*) (?:must|should)\b`)
	barePath    = lazyregexp.New(`^#?((?:/[\w$~-]+)+):? (?:must|should)\b`)
	prefixPath  = lazyregexp.New(`(?:^|[\s-])(?:at )?(?:'((?:/[^'\s]*)?)'|\$((?:[.\[][\w\]$-]+)*)|(?:validating )?/properties((?:/[\w$~-]+)*)): `)
	ofMachine   = lazyregexp.New(`^/(?:home|root|tmp|var|etc|opt|srv|usr|mnt|Users)/`) // a file, and no place in the input
	kotlinxPath = lazyregexp.New(` at path:? \$((?:[.\[][\w\]$-]+)*)$`)
)

// beside finds the path that a library writes before or behind its message.
func beside(text string) clause {
	if m := atPath.FindStringSubmatch(text); m != nil {
		return clause{path: splitPath(m[1] + m[2] + m[3]), text: strings.TrimSpace(strings.TrimSuffix(text, m[0]))}
	}
	for _, way := range []*lazyregexp.Regexp{ajvPath, barePath} {
		if m := way.FindStringSubmatchIndex(text); m != nil {
			return clause{path: splitPath(text[m[2]:m[3]]), text: text[m[3]:]}
		}
	}
	if all := prefixPath.FindAllStringSubmatchIndex(text, maxDepth); all != nil {
		m := all[len(all)-1]
		path := ""
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				path += text[m[i]:m[i+1]]
			}
		}
		if !ofMachine.MatchString(path) {
			return clause{path: splitPath(strings.ReplaceAll(path, "/properties/", "/")), text: text[m[1]:]}
		}
	}
	if m := kotlinxPath.FindStringSubmatchIndex(text); m != nil {
		return clause{path: splitPath(text[m[2]:m[3]]), text: text[:m[0]]}
	}
	return clause{text: text}
}

// splitPath reads a path in any notation: /a/0/b, a.b[0], ['a']['b'] or $.a.
func splitPath(text string) []string {
	text = strings.Trim(strings.TrimSpace(text), "$#\"'`")
	var out []string
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("/.[]'\"", r) }) {
		if len(out) < maxDepth {
			out = append(out, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
		}
	}
	for len(out) > 1 && (out[0] == "arguments" || out[0] == "params" || out[0] == "args") {
		out = out[1:]
	}
	return out
}

// unwrap returns the message inside a JSON object or text, as many servers write it,
// else the text itself.
func unwrap(text string) string {
	trimmed := strings.TrimSpace(text)
	var inner string
	if strings.HasPrefix(trimmed, `"`) && json.Unmarshal([]byte(trimmed), &inner) == nil {
		return inner
	}
	var whole map[string]any
	if !strings.HasPrefix(trimmed, "{") || json.Unmarshal([]byte(trimmed), &whole) != nil {
		return text
	}
	found := messages(whole, 0)
	if len(found) == 0 {
		return text
	}
	return strings.Join(found, "\n")
}

// messages returns the texts of the members in which servers put an error.
func messages(node any, depth int) []string {
	var out []string
	switch v := node.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v[:min(len(v), maxWishes)] {
			out = append(out, messages(e, depth)...)
		}
	case map[string]any:
		for _, key := range []string{"error", "message", "detail", "details", "reason", "errors", "hint", "suggestion", "text", "msg", "results"} {
			if inner, ok := v[key]; ok && depth < 4 {
				out = append(out, messages(inner, depth+1)...)
			}
		}
	}
	return out
}
