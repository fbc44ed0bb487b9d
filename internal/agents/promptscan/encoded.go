package promptscan

import (
	"encoding/base64"
	"encoding/hex"
	"html"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// runs are where something may be encoded.
var (
	base64Run  = lazyregexp.New(`[A-Za-z0-9+/_-]{24,}={0,2}`)
	hexRun     = lazyregexp.New(`(?:[0-9a-fA-F]{2}[ :]?){16,}`)
	percentRun = lazyregexp.New(`(?:%[0-9a-fA-F]{2}[\w.~-]*){4,}`)
	entityRun  = lazyregexp.New(`(?:&#x?[0-9a-fA-F]{2,6};[\w ]?){4,}`)
)

// encodedText decodes base64, hex and the like, one level deep. It is reported
// only if the result reads as an instruction.
func (o *scanner) encodedText(t *text) {
	for _, d := range decodings(t.value) {
		before := len(o.found)
		o.judge(t.field, d.plain, t.parameter, tokens(d.plain), true)
		for i := before; i < len(o.found); i++ {
			o.found[i].Excerpt = d.how + ": " + o.found[i].Excerpt
		}
	}
	for i := range o.found {
		d := o.found[i]
		if d.What == mcpsf.TextHidden && d.Field == t.field && len(d.Target) > 8 {
			o.judge(t.field, d.Target, t.parameter, tokens(d.Target), true)
		}
	}
}

type decoding struct{ how, plain string }

func decodings(s string) []decoding {
	var out []decoding
	add := func(how string, b []byte) {
		if isText(b) {
			out = append(out, decoding{how, string(b)})
		}
	}
	for _, run := range base64Run.FindAllString(s, -1) {
		run = strings.TrimRight(run, "=")
		enc := base64.RawStdEncoding
		if strings.ContainsAny(run, "-_") {
			enc = base64.RawURLEncoding
		}
		b, _ := enc.DecodeString(run)
		add("base64", b)
	}
	for _, run := range hexRun.FindAllString(s, -1) {
		run = strings.NewReplacer(" ", "", ":", "").Replace(run)
		b, _ := hex.DecodeString(run[:len(run)&^1])
		add("hex", b)
	}
	for _, run := range percentRun.FindAllString(s, -1) {
		if p, err := url.PathUnescape(run); err == nil {
			add("percent", []byte(p))
		}
	}
	if entityRun.MatchString(s) {
		add("entities", []byte(html.UnescapeString(s)))
	}
	return out
}

// isText reports whether bytes are text in words.
func isText(b []byte) bool {
	if len(b) < 12 || !utf8.Valid(b) {
		return false
	}
	letters, blanks, n := 0, 0, 0
	for _, r := range string(b) {
		n++
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsSpace(r):
			blanks++
		case !unicode.IsPrint(r):
			return false
		}
	}
	return letters*10 >= n*6 && (blanks > 1 || letters > 8 && n < len(b)*2/3)
}
