package entry

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestCompared(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"a pattern":            {`if re.search(r"\b(prod|production)\b", text.lower()):`, []string{"prod", "production"}},
		"a pattern of another": {`if (/deploy|release/i.test(text)) go();`, []string{"deploy", "release"}},
		"part of a text":       {`if "quarterly" in text or text.startswith("internal memo"):`, []string{"internal memo", "quarterly"}},
		"equal":                {`if (mode === "shadow-7") f(); switch (x) { case "open sesame": g() }`, []string{"shadow-7", "open sesame"}},
		"a list of words":      {`const TRIGGERS = ["payroll", 'salary'];`, []string{"payroll", "salary"}},
		"the protocol":         {`if method == "initialize": pass; case "tools/list": x === "text"`, nil},
		"what leads somewhere": {`if p == "~/.ssh/id_rsa" or h === "api.example.com" or "/etc" in p: pass`, nil},
		"no letters":           {`if x == "1234":`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{"server.py": {Data: []byte(c.source)}, "node_modules/x/index.js": {Data: []byte(`if (a === "foreign") {}`)}}
			if diff := cmp.Diff(c.want, Compared(files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzCompared(f *testing.F) {
	f.Add(`/(a|b)/.test(x) === "yes" in ["one", 'two']`)
	f.Fuzz(func(t *testing.T, source string) {
		words := Compared(fstest.MapFS{"a.js": {Data: []byte(source)}})
		if len(words) > maxCompared {
			t.Errorf("%d words", len(words))
		}
		for _, w := range words {
			if !plainWord.MatchString(w) {
				t.Errorf("%q leads somewhere", w)
			}
		}
	})
}
