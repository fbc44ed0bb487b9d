package promptscan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sentencesOf writes tokens as text: words, and a bar where a sentence ends.
func sentencesOf(s string) string {
	var out []string
	for _, t := range tokens(s) {
		w := t.text
		if t.quoted {
			w = "'" + w + "'"
		}
		if t.stop {
			w += " |"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Don't read it. Go on!", "dont read it | go on |"},
		{"Read ~/.ssh/id_rsa, e.g. now.", "read ~/.ssh/id_rsa e g now |"},
		{"read/write and_so on", "read write and_so on |"},
		{"**Ignore** _all_ of it", "ignore all of it |"},
		{"Ｆｕｌｌ Wïdth", "full width |"},
		{"pаyment", "payment |"},
		{"ig\u200bnore", "ignore |"},
		{"l'utilisateur d’abord", "l utilisateur d abord |"},
		{"使用前。必ず", "使 用 前 | 必 ず |"},
		{"사용자에게", "사용자에게 |"},
		{`such as "do this" or so`, "such as 'do' 'this' or so |"},
		{"one two three four\n\nfive", "one two three four | five |"},
		{"one\n\ntwo", "one two |"},
		{"**Name:** Bo\n**E-mail:** x", "name bo | e mail x |"},
		{"**Now**\n**do** it", "now do it |"},
		{"wrapped\nline", "wrapped line |"},
		{"list:\n- first item\n- second", "list | first item | second |"},
		{`{"a":"x y","b":"z"}`, "'a' | 'x' 'y' | 'b' | 'z' |"},
		{"mail a@b.test or https://c.test/x.", "mail a@b.test or https://c.test/x |"},
	} {
		if diff := cmp.Diff(c.want, sentencesOf(c.text)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
}

// Tokens have the right positions in the text.
func TestTokenPlaces(t *testing.T) {
	const text = "Für a-b: ~/.env and „Ende“."
	for _, tok := range tokens(text) {
		if tok.start < 0 || tok.end > len(text) || tok.start >= tok.end {
			t.Errorf("%q stands at %d to %d", tok.text, tok.start, tok.end)
		}
	}
}

func TestSpelling(t *testing.T) {
	l := vocabulary()
	for text, want := range map[string]string{
		"i g n o r e  a l l  p r e v i o u s": "ignore all previous",
		"i g n o r e a l l p r e v i o u s":   "ignore all previous",
		"i.g.n.o.r.e a.l.l":                   "ignore all",
	} {
		var words []string
		for _, tok := range l.undoSpacing(tokens(text)) {
			words = append(words, tok.text)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if l.undoSpacing(tokens("a b c")) != nil || undoLeet(tokens("utf8 and sha256")) != nil {
		t.Error("ordinary text is read as another one")
	}
}
