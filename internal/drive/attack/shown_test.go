package attack

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestShown(t *testing.T) {
	const answer, echo = mcpsf.SignAnswer, mcpsf.SignEcho
	for _, c := range []struct {
		name, class, marker string
		sign                mcpsf.AttackSign
		text                string
		want                bool
	}{
		{"a string", "sql-injection", "12345678901", answer, `{"content":[{"text":"rows: 12345678901"}]}`, true},
		{"a number", "sql-injection", "12345678901", answer, `{"structuredContent":{"n":12345678901}}`, true},
		{"a name", "sql-injection", "12345678901", answer, `{"12345678901":1}`, true},
		{"not there", "sql-injection", "12345678901", answer, `{"content":[{"text":"1234567890 1"}]}`, false},
		{"in markup, escaped as JSON", classMarkup, "<x>", echo, `{"text":"\u003cp\u003e\u003cx\u003e\u003c/p\u003e"}`, true},
		{"made harmless", classMarkup, "<x>", echo, `{"text":"<p>&lt;x&gt;</p>"}`, false},
		{"a text", classMarkup, "<x>", echo, `{"text":"You said <x>, which is short."}`, false},
		{"a text and an angle", classMarkup, "<x>", echo, `{"text":"a < b > c: <x> </b"}`, false},
		{"before all markup", classMarkup, "<x>", echo, `{"text":"<x>: <p>found nothing</p>"}`, false},
		{"twice, once in markup", classMarkup, "<x>", echo, `{"text":"<x>: <p>found <x></p>"}`, true},
		{"markup of its own", classMarkup, "<p></p>", echo, `{"text":"<p></p> and <p></p> and <p></p>"}`, false},
		{"escape of the terminal", "unicode", "\x1b[2J", echo, `"\u001b[2J"`, true},
		{"a pair of surrogates", "unicode", "\U0001f600x", echo, `"\ud83d\ude00x"`, true},
		{"half a pair", "unicode", "x", echo, `"\ud83dx\u00"`, true},
		{"backslash at the end", "unicode", "x", echo, `"x\`, true},
		{"escaped backslash", "unicode", `\n`, echo, `"\\n"`, true},
		{"no JSON", "sql-injection", "123", answer, `oops 123`, true},
		{"half of it", "sql-injection", "123", answer, `{"text":"123`, true},
		{"other sign", "ssrf", "123", mcpsf.SignRequest, `"123"`, false},
		{"no marker", "secret-in-error", "", answer, `""`, false},
		{"line of its own", ClassLog, "INFO x", echo, "INFO x", true},
		{"line in a line", ClassLog, "INFO x", echo, "got a\\nINFO x", false},
		{"line written over", ClassLog, "INFO x", echo, "got a\rINFO x\r", true},
		{"second line", ClassLog, "INFO x", echo, "got a\nINFO x\n", true},
		{"inherited", classPollution, "mcx", answer, `{"content":[{"text":"theme: dark\nmcx: mcx"}]}`, true},
		{"kept", classPollution, "mcx", answer, `{"content":[{"text":"{\"__proto__\":{\"mcx\":\"mcx\"}}"}]}`, false},
	} {
		if got := Shown(&mcpsf.AttackDetail{Class: c.class, Sign: c.sign, Marker: c.marker}, []byte(c.text)); got != c.want {
			t.Errorf("%s: Shown = %v", c.name, got)
		}
	}
	if Shown(nil, nil) {
		t.Error("nothing is shown")
	}
}

func TestPairsHaveTwoSizes(t *testing.T) {
	w := world()
	for _, c := range All() {
		for _, p := range places() {
			if !c.Paired || c.ID == classPollution || c.Yield(p) == 0 {
				continue
			}
			p.MaxLength = 40_000 // some payloads are longer and left out
			sizes := map[string]int{}
			for i, y := range c.Payloads(w, p) {
				input, size, ok := Size(y.Marker)
				if !ok || size <= sizes[input] || i%2 == 1 && sizes[input] == 0 {
					t.Errorf("%s at a %s: %q is no pair", c.ID, p.Kind, y.Marker)
				}
				sizes[input] = size
			}
		}
	}
	if _, _, ok := Size("x/y"); ok {
		t.Error("a size that is no number")
	}
}

func FuzzShown(f *testing.F) {
	f.Add([]byte(`{"a":["b",1]}`), "b", "sql-injection")
	f.Add([]byte(strings.Repeat("[", 20000)), "x", classPollution)
	f.Add([]byte("a\r\nb"), "b", ClassLog)
	f.Fuzz(func(t *testing.T, answer []byte, marker, class string) {
		a := &mcpsf.AttackDetail{Class: class, Sign: mcpsf.SignAnswer, Marker: marker}
		if Shown(a, answer) && marker == "" {
			t.Error("nothing is shown")
		}
	})
}

func FuzzPlace(f *testing.F) {
	f.Add("path", `"a"`, `^[a-z]+$`, "zip {x}", 3)
	f.Add("url", `"http://[::1"`, `(`, "\xff{", 0)
	f.Fuzz(func(t *testing.T, kind, value, pattern, description string, length int) {
		w := world()
		p := Place{Kind: kind, Type: "string", Value: json.RawMessage(value), Pattern: pattern, Description: description, MaxLength: length}
		for _, c := range All() {
			if c.ID == "overlong-input" || c.ID == "amplification" || c.Yield(p) == 0 {
				continue
			}
			for _, y := range c.Payloads(w, p) {
				if _, err := json.Marshal(y.Value); err != nil {
					t.Errorf("%s: %v", c.ID, err)
				}
			}
		}
	})
}
