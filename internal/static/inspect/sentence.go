package inspect

import (
	"encoding/json"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// firstBytes returns at most n bytes of r, as valid text.
func firstBytes(r io.Reader, n int) string {
	data := make([]byte, n)
	got, _ := io.ReadFull(r, data)
	return strings.ToValidUTF8(string(data[:got]), "")
}

// clipped shortens s to n bytes, at the start of a character.
func clipped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

var (
	// notProse matches images, comments and tags, which a reader does not see;
	// the text of a link is kept.
	notProse = lazyregexp.New(`(?s)<!--.*?-->|!\[[^\]\n]*\]\([^)\n]*\)|</?[A-Za-z][^>\n]*>`)
	linked   = lazyregexp.New(`\[([^\]\n]*)\]\([^)\n]*\)`)
	markup   = lazyregexp.New("(?m)^[ \t]*(#+|[-*+>]|[0-9]+\\.)[ \t]+|[*_]{2}|`|^[ \t]*[=~^-]{3,}[ \t]*$")
	sentEnd  = lazyregexp.New(`[.!?][)"']*\s+|\n[ \t]*\n`)
	listItem = lazyregexp.New(`\n[ \t]*(?:#+|[-*+>|]|[0-9]+\.)[ \t]+`)
)

// prose takes out of a README what is not said in sentences: code and markup.
func prose(text string) string {
	var out strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if t := strings.TrimSpace(line); strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			code = !code
			out.WriteString("\n\n")
			continue
		}
		if !code {
			out.WriteString(line)
		}
	}
	return linked.ReplaceAllString(notProse.ReplaceAllString(out.String(), " "), "$1")
}

// sentences returns the sentences, headings and items of a text, each in one
// line.
func sentences(text string) []string {
	text = listItem.ReplaceAllString("\n"+text, "\n\n$0")
	var all []string
	for _, block := range split(text) {
		s := strings.Join(strings.Fields(markup.ReplaceAllString(block, "")), " ")
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// split cuts a text after the marks that end sentences, and keeps the marks.
func split(text string) []string {
	var all []string
	for {
		at := sentEnd.FindStringIndex(text)
		if at == nil {
			return append(all, text)
		}
		all = append(all, text[:at[1]])
		text = text[at[1]:]
	}
}

// wordsOf returns the words of a sentence. Names of variables stay unchanged;
// all others are in lower case.
func wordsOf(sentence string) []string {
	words := strings.FieldsFunc(sentence, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' && r != '_'
	})
	for i, w := range words {
		if !variable.MatchString(w) {
			words[i] = strings.ToLower(strings.ReplaceAll(w, "’", "'"))
		}
	}
	return words
}

// variable matches names that only environment variables have.
var variable = lazyregexp.New(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// packageKeywords returns those of package.json.
func packageKeywords(manifest string) []string {
	var m struct {
		Keywords []string `json:"keywords"`
	}
	if json.Unmarshal([]byte(manifest), &m) != nil {
		return nil
	}
	return m.Keywords
}

var (
	tomlKeywords = lazyregexp.New(`(?m)^keywords\s*=\s*\[([^\]]*)\]`)
	tomlString   = lazyregexp.New(`"([^"\n]*)"|'([^'\n]*)'`)
)

// projectKeywords returns those of pyproject.toml.
func projectKeywords(manifest string) []string {
	list := tomlKeywords.FindStringSubmatch(manifest)
	if list == nil {
		return nil
	}
	var all []string
	for _, m := range tomlString.FindAllStringSubmatch(list[1], -1) {
		all = append(all, m[1]+m[2])
	}
	return all
}

// headerKeywords returns those in the header of METADATA.
func headerKeywords(header string) []string {
	for line := range strings.Lines(header) {
		if list, ok := strings.CutPrefix(line, "Keywords:"); ok {
			return strings.FieldsFunc(strings.TrimSpace(list), func(r rune) bool { return r == ',' })
		}
	}
	return nil
}
