package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxNesting bounds texts in texts: a URL in a header in JSON.
// no gap: hides the user's own secrets; it finds nothing about the server
const maxNesting = 6

// Values removes the secrets from a configuration. Its results can be shown to
// the server and to every reader of the report.
type Values struct {
	Seed uint64
	// Replaced holds the names of replaced values, tokens the replacements;
	// both in order, without duplicates.
	Replaced, tokens []string
}

// Value returns the text of a variable or an argument without its secrets.
func (d *Values) Value(name, value string) string {
	if len(value) > document.MaxWord {
		value = strings.ToValidUTF8(value[:document.MaxWord], "")
	}
	out := d.text(name, value, 0)
	if out != value || len(d.TokensIn(out)) > 0 {
		d.note(name)
	}
	return out
}

// TokensIn returns the tokens in a text that are too long to be there by
// chance.
func (d *Values) TokensIn(text string) []string {
	const least = 8
	var in []string
	for _, token := range d.tokens {
		if len(token) >= least && strings.Contains(text, token) {
			in = append(in, token)
		}
	}
	return in
}

// Invent returns a replacement for a value that the configuration only refers
// to.
func (d *Values) Invent(name string) string {
	return d.mint(name, exampleFor(name))
}

func (d *Values) note(name string) {
	if name = safetext.Line(name, 100); !slices.Contains(d.Replaced, name) {
		d.Replaced = append(d.Replaced, name)
	}
}

func (d *Values) mint(name, secret string) string {
	out := mint(d.Seed, name, secret)
	if out != "" && !slices.Contains(d.tokens, out) {
		d.tokens = append(d.tokens, out)
	}
	return out
}

// text replaces the secret parts of a structured value.
func (d *Values) text(name, value string, depth int) string {
	switch {
	case isKeyword(value):
		return value
	case depth > maxNesting:
		return d.mint(name, value)
	case isStructured(value):
		return d.json(name, value, depth)
	case strings.Contains(value, "-----BEGIN "):
		return d.pem(name, value)
	case isAddress(name, value):
		return d.address(name, value, depth)
	}
	if m := headerForm.FindStringSubmatch(value); m != nil && isHeader(name, m[1], m[2], m[3]) {
		return m[1] + m[2] + d.text(m[1], m[3], depth+1)
	}
	if m := schemeForm.FindStringSubmatch(value); m != nil {
		return m[1] + d.credential(name, m[1], m[2])
	}
	if parts := assignments(name, value); parts != nil {
		return d.assigned(name, parts, depth)
	}
	if at := strings.LastIndexByte(value, '@'); emailForm.MatchString(value) {
		return d.mint(name, value[:at]) + "@example.com"
	}
	if user, password, ok := strings.Cut(value, ":"); ok && isLogin(name) {
		return user + ":" + d.mint(name, password)
	}
	if isPlain(name, value) {
		return value
	}
	return d.mint(name, value)
}

var (
	headerForm = lazyregexp.New(`^([A-Za-z][A-Za-z-]{1,40})(:\s*)(\S.*)$`)
	schemeForm = lazyregexp.New(`^((?i:bearer|basic|token|apikey|bot)\s+)(\S+)$`)
	emailForm  = lazyregexp.New(`^[\w.+-]{1,64}@[\w-]+(\.[\w-]+)+$`)
)

// isHeader distinguishes a header from other texts with a colon.
func isHeader(name, key, colon, value string) bool {
	if trust(name) != nameNeutral && !mayHoldMany(name) {
		return false // the key would be a part of the secret
	}
	return len(colon) > 1 || trust(key) != nameNeutral || schemeForm.MatchString(value)
}

// credential handles what follows the name of an authentication scheme. Basic
// contains the user's name, and can be decoded.
func (d *Values) credential(name, scheme, value string) string {
	data, err := base64.StdEncoding.DecodeString(value)
	user, password, ok := strings.Cut(string(data), ":")
	if !strings.EqualFold(strings.TrimSpace(scheme), "basic") || err != nil || !ok || usererr.BadName(string(data)) != "" {
		return d.mint(name, value)
	}
	if !isPlain("user", user) || reveals(user, password) {
		user = d.mint(name+" user", user)
	}
	out := base64.StdEncoding.EncodeToString([]byte(user + ":" + d.mint(name, password)))
	d.tokens = append(d.tokens, out)
	return out
}

// isStructured reports whether value is an object or an array in JSON.
func isStructured(value string) bool {
	value = strings.TrimSpace(value)
	return value != "" && (value[0] == '{' || value[0] == '[') && json.Valid([]byte(value))
}

// json replaces the strings and long numbers in a JSON text and leaves
// everything else as written.
func (d *Values) json(name, value string, depth int) string {
	dec := json.NewDecoder(strings.NewReader(value))
	dec.UseNumber()
	var b strings.Builder
	var keys jsonKeys
	last := 0
	for {
		start := int(dec.InputOffset())
		token, err := dec.Token()
		if err != nil {
			break
		}
		end := int(dec.InputOffset())
		isKey, key := keys.next(token)
		var out string
		switch t := token.(type) {
		case string:
			if isKey {
				continue
			}
			out = d.text(join(name, key), t, depth+1)
			if out == t {
				continue
			}
		case json.Number:
			if out = d.number(join(name, key), t.String()); out == t.String() {
				continue
			}
		default:
			continue
		}
		text, err := json.Marshal(out)
		if err != nil {
			return d.mint(name, value)
		}
		if _, isNumber := token.(json.Number); isNumber {
			text = []byte(out)
		}
		// Between the last token and this one are blanks, commas and colons.
		start += strings.IndexFunc(value[start:], func(r rune) bool { return !strings.ContainsRune(" \t\r\n,:", r) })
		b.WriteString(value[last:start])
		b.Write(text)
		last = end
	}
	return b.String() + value[last:]
}

// number replaces a number by a number.
func (d *Values) number(name, n string) string {
	if isPlain(name, n) {
		return n
	}
	return strings.Map(func(r rune) rune {
		if r == '0' {
			return '1' // no number begins with zero
		}
		return r
	}, d.mint(name, n))
}

func join(name, key string) string {
	if key == "" {
		return name
	}
	return name + "." + key
}

// jsonKeys distinguishes keys from values in a stream of tokens.
type jsonKeys struct {
	open []byte // '{' and '['
	// key is the last key, atKey whether another may come next.
	key   string
	atKey bool
}

func (k *jsonKeys) next(token json.Token) (isKey bool, key string) {
	if delim, ok := token.(json.Delim); ok {
		switch delim {
		case '{', '[':
			k.open = append(k.open, byte(delim))
		default:
			k.open = k.open[:len(k.open)-1]
		}
		k.atKey = len(k.open) > 0 && k.open[len(k.open)-1] == '{'
		return false, ""
	}
	inObject := len(k.open) > 0 && k.open[len(k.open)-1] == '{'
	if inObject && k.atKey {
		k.key, _ = token.(string)
		k.atKey = false
		return true, ""
	}
	k.atKey = inObject
	return false, k.key
}

// pem keeps the lines that say what it is.
func (d *Values) pem(name, value string) string {
	var b strings.Builder
	last := 0
	body := func(part string) string {
		if strings.TrimSpace(part) == "" {
			return part
		}
		return d.mint(fmt.Sprintf("%s at %d", name, last), part)
	}
	for _, at := range pemFrame.FindAllStringIndex(value, -1) {
		b.WriteString(body(value[last:at[0]]) + value[at[0]:at[1]])
		last = at[1]
	}
	return b.String() + body(value[last:])
}

// pemFrame matches what is not secret in a key: its frame, and line breaks as
// they stand in variables.
var pemFrame = lazyregexp.New(`-----(BEGIN|END) [A-Z0-9 ]{1,40}-----|\\n|\\r`)
