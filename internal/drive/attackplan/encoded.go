package attackplan

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// encoding is an argument that says that another one is encoded.
type encoding struct {
	pointer string // of the argument, "" for none
	value   any
	name    string
	encode  func(string) string
	// form is the language of the payloads that the argument lets in, "" for all; flag
	// then says that they are encoded, "" for none.
	form, flag string
	// branch is set if the argument does not encode anything: the payload stays.
	branch bool
}

// maxEncoded is how many payloads of a class are sent encoded as well.
// no gap: bounds which attacks are planned; attacks show weaknesses, and the profile bounds them
const maxEncoded = 3

// encodings returns how the value at a place can be sent: as it is, and encoded if
// another argument switches that on (is_base64, encoding: hex).
func encodings(p schema.Place, all []schema.Place) []encoding {
	out := []encoding{{}}
	if !decodable(p.Kind) || p.Type != "string" && p.Type != "" {
		return append(out, branches(p, all)...)
	}
	for _, other := range all {
		if other.Pointer == p.Pointer {
			continue
		}
		if e, ok := switched(other); ok {
			out = append(out, e)
		}
	}
	return append(append(out, formats(p, all)...), branches(p, all)...) // the first are the likeliest
}

// decodable reports whether values of a kind are sent encoded: contents are, and
// places and names are not.
func decodable(k meaning.Kind) bool {
	switch k {
	case meaning.KindText, meaning.KindData, meaning.KindCode, meaning.KindTemplate, meaning.KindMarkup, meaning.KindJSON, meaning.KindXML, meaning.KindSQL,
		meaning.KindQuery, meaning.KindCommand, meaning.KindUnknown:
		return true
	}
	return false
}

// switched returns the encoding that an argument switches on.
func switched(p schema.Place) (encoding, bool) {
	words := meaning.Words(p.Name)
	joined := strings.Join(words, "")
	if p.Type == "boolean" {
		switch {
		case strings.Contains(joined, "base64") || slices.Contains(words, "b64"), slices.Contains(words, "encoded") && !slices.Contains(words, "url"):
			return encoding{pointer: p.Pointer, value: true, name: "Base64", encode: inBase64}, true
		case slices.Contains(words, "hex"):
			return encoding{pointer: p.Pointer, value: true, name: "hex", encode: inHex}, true
		}
	}
	for _, raw := range p.Enum {
		var word string
		if json.Unmarshal(raw, &word) != nil {
			continue
		}
		switch strings.ToLower(word) {
		case "base64", "b64":
			return encoding{pointer: p.Pointer, value: word, name: "Base64", encode: inBase64}, true
		case "hex":
			return encoding{pointer: p.Pointer, value: word, name: "hex", encode: inHex}, true
		}
	}
	return encoding{}, false
}

// past reports whether the i-th payload of a class is not sent that way any more.
func (e *encoding) past(i int) bool {
	return e.branch && i >= maxSwitched || e.form == "" && i >= maxEncoded
}

func inBase64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func inHex(s string) string { return hex.EncodeToString([]byte(s)) }

// apply returns the payload in the encoding, and the input with the argument that
// switches it on. It returns false if the payload cannot be encoded.
func (e *encoding) apply(base schema.Input, y attack.Payload) (schema.Input, attack.Payload, bool) {
	if e.form != "" {
		return e.inForm(base, y)
	}
	if e.branch {
		in, ok := e.inBranch(base)
		y.Why += ", with " + e.name
		return in, y, ok
	}
	if e.encode == nil {
		return base, y, true
	}
	text, ok := y.Value.(string)
	if !ok {
		return base, y, false
	}
	in, err := base.With(e.pointer, e.value)
	if err != nil {
		return base, y, false
	}
	y.Value, y.Why, y.Plain = e.encode(text), y.Why+", in "+e.name, false
	return in, y, true
}
