package schema

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Patterns for values in a description: a quoted example, or a list of accepted
// values, of which the first is taken.
var (
	exampleIn = lazyregexp.New(`(?i)(?:\be\.g\.?|\bfor example|\bexamples?|\bsuch as|\blike)[,:]?\s*` +
		`(?:"([^"\n]{1,80})"|'([^'\n]{1,80})'|\x60([^\x60\n]{1,80})\x60|“([^”\n]{1,80})”)`)
	listIn = lazyregexp.New(`(?i)\b(?:one of|(?:valid|possible|supported|allowed|accepted) (?:values|types|options)|options|either)\b` +
		`[^.:('"\x60]{0,40}[:(]?\s*["'\x60]?([a-z0-9_-]{1,40})["'\x60]?\s*(?:,|\||/|\bor\b)`)
	quotedList = lazyregexp.New(`(?i)[:(]\s*["'\x60]([a-z0-9_-]{1,40})["'\x60]\s*(?:,|\||/|\bor\b)`)
	// asideValue is a value in brackets behind what it means, asideList a list of those.
	asideValue = lazyregexp.New(`(?i)\(["'\x60]([a-z0-9_-]{1,40})["'\x60]\)`)
	asideList  = lazyregexp.New(`(?i)\(["'\x60]([a-z0-9_-]{1,40})["'\x60]\)[^()\n]{1,80}\(["'\x60][a-z0-9_-]{1,40}["'\x60]\)`)
	// validAre is a list of examples of what a parameter is.
	validAre  = lazyregexp.New(`(?i)\bexamples? of (?:valid |possible |common |supported )?[\w -]{1,30}? (?:are|is|include)s?:? ["'\x60]?([A-Za-z0-9][\w./-]{0,60})["'\x60]?(?:,|\)|$| and | or )`)
	plainList = lazyregexp.New(`(?i)\(([a-z0-9_-]{2,40})(?:(?:, ?| ?\| ?)(?:or )?[a-z0-9_-]{1,40})+\)`)
)

// Bounds of the descriptions that are searched for examples: of a parameter, and of what
// stands in that of a tool behind the name of a parameter.
// no gap: bounds how a value is guessed; the tool is called with another one
const (
	maxAbout  = 1 << 10
	maxBehind = 240
	maxTold   = 8
)

// told returns the values that the description of a text or of a document gives, or
// that of the tool. It returns none where the generator has a better value.
func told(g *generator, p place) []offer {
	typ := g.kind(p.schema)
	if typ == "object" || typ == "array" {
		return fitting(g, p, toldDocuments(g, p))
	}
	if typ != "string" || p.schema["format"] != nil {
		return nil
	}
	lists := []*lazyregexp.Regexp{}
	switch kind, value := g.meaning(p); kind {
	case meaning.KindUnknown, meaning.KindText:
		if value != g.values.Text {
			lists = []*lazyregexp.Regexp{listIn, quotedList, asideList, plainList}
		}
	case meaning.KindJSON:
		return fitting(g, p, toldDocuments(g, p))
	case meaning.KindID, meaning.KindName, meaning.KindDate, meaning.KindNumber, meaning.KindQuery:
	default:
		return nil
	}
	g.steps -= len(p.about)/128 + len(g.tool.about)/512
	about := p.about[:min(len(p.about), maxAbout)]
	out := firstOf(about, exampleIn, validAre)
	out = append(out, refusal.Examples(about)...)
	out = append(out, firstOf(about, lists...)...)
	out = append(out, g.tool.examples(p.name, len(g.path) == 1)...)
	return fitting(g, p, out)
}

// toldDocuments returns the documents that descriptions give as examples.
func toldDocuments(g *generator, p place) []string {
	about := p.about[:min(len(p.about), maxAbout)]
	return documentsAmong(append(refusal.Examples(about), g.tool.examples(p.name, len(g.path) == 1)...))
}

// fitting returns the first text that the schema of a place accepts as its value.
func fitting(g *generator, p place, texts []string) []offer {
	for _, text := range texts {
		text = strings.ToValidUTF8(text, "")
		if pattern, ok := p.schema["pattern"].(string); ok {
			if e, err := g.expression(pattern); err != nil || !e.MatchString(text) {
				continue
			}
		}
		if value, ok := asType(text, g.kind(p.schema)); ok {
			return []offer{{value, mcpsf.OriginDescription}}
		}
	}
	return nil
}

// firstOf returns the value that the first fitting expression finds.
func firstOf(text string, ways ...*lazyregexp.Regexp) []string {
	for _, way := range ways {
		if match := way.FindStringSubmatch(text); match != nil {
			return []string{strings.Join(match[1:], "")}
		}
	}
	return nil
}

// toolText is the description of a tool, and the examples of whole calls in it.
type toolText struct {
	about string
	calls func() []map[string]any
}

func newToolText(about string) *toolText {
	return &toolText{about, sync.OnceValue(func() []map[string]any { return callsIn(about) })}
}

// callsIn returns the examples of whole calls in a description.
func callsIn(about string) []map[string]any {
	var out []map[string]any
	for _, whole := range documentsAmong(refusal.Examples(about)) {
		value, _ := asDocument(whole)
		if call, ok := value.(map[string]any); ok {
			out = append(out, call)
		}
	}
	return out
}

// examples returns those that the description gives for a parameter: behind its name,
// or in an example of a whole call.
func (t *toolText) examples(name string, top bool) []string {
	if t.about == "" || name == "" || !top {
		return nil
	}
	var out []string
	for _, call := range t.calls() {
		if inner, there := call[name]; there && !compound(inner) {
			out = append(out, textOf(inner))
		} else if raw, err := encode(inner); there && err == nil {
			out = append(out, string(raw))
		}
	}
	for line := range strings.Lines(t.about) {
		at := wordIn(line, name)
		if at < 0 || len(out) >= maxTold {
			continue
		}
		if given := assigned(line[at:], name); len(given) > 0 {
			out = append(given, out...)
			continue
		}
		behind := strings.ToValidUTF8(line[at:min(len(line), at+maxBehind)], "")
		out = append(out, slices.DeleteFunc(refusal.Examples(behind), isCall)...)
	}
	return out
}

// assigned returns what a line gives a parameter, as calls are written in programs:
// table="users", data={"name": "x"}. The line begins behind its name.
func assigned(line, name string) []string {
	var out []string
	for range maxTold {
		if value, ok := assignedFirst(line); ok {
			out = append(out, value)
		}
		at := wordIn(line, name)
		if at < 0 {
			break
		}
		line = line[at:]
	}
	return out
}

// assignedFirst returns the value at the beginning of a text: = "users".
func assignedFirst(text string) (string, bool) {
	text, ok := strings.CutPrefix(strings.TrimLeft(text[:min(len(text), maxBehind)], " "), "=")
	text = strings.TrimLeft(text, " ")
	if !ok || text == "" {
		return "", false
	}
	switch quote := text[:1]; quote {
	case `"`, "'", "`":
		value, _, closed := strings.Cut(text[1:], quote)
		return value, closed && value != ""
	case "{", "[":
		var value json.RawMessage
		err := json.NewDecoder(strings.NewReader(text)).Decode(&value)
		return string(value), err == nil
	}
	return "", false
}

// isCall reports whether an example is one of a whole call.
func isCall(text string) bool { return strings.HasPrefix(text, "{") }

func compound(v any) bool { return !scalar(v) }

// wordIn returns where a line goes on behind a name, -1 if it does not have it.
func wordIn(line, name string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], name)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(name)
		if (start == 0 || !wordByte(line[start-1])) && (end == len(line) || !wordByte(line[end])) {
			return end
		}
		from = end
	}
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// told returns the examples that descriptions give for a place, also for one where we
// have a value of ours.
func (m *mender) told(s *spot) []string {
	about := s.place.about[:min(len(s.place.about), maxAbout)]
	out := append(firstOf(about, exampleIn), refusal.Examples(about)...)
	if asideList.MatchString(about) {
		for _, match := range asideValue.FindAllStringSubmatch(about, maxTold) {
			out = append(out, match[1])
		}
	}
	return append(out, m.maker.tool.examples(s.place.name, len(s.path) == 1)...)
}
