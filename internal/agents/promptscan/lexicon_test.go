package promptscan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The grammar uses every class of the lexicon, and the words are written as the
// tokenizer splits them, because a phrase that cannot match is useless.
func TestLexicon(t *testing.T) {
	var code strings.Builder
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(f, "_test.go") {
			code.Write(data)
		}
	}
	for line := range strings.Lines(lexiconText) {
		name, phrases, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if !strings.Contains(code.String(), `"`+name+`"`) {
			t.Errorf("nobody asks for the class %s", name)
		}
		for p := range strings.SplitSeq(phrases, "|") {
			checkPhrase(t, name, strings.TrimSpace(p))
		}
	}
}

func checkPhrase(t *testing.T, name, phrase string) {
	t.Helper()
	plain := strings.NewReplacer("*", "", " ~", "", "~ ", "").Replace(phrase)
	var parts, words []string
	for f := range strings.FieldsSeq(plain) {
		parts = append(parts, pieces(f)...)
	}
	for _, tok := range tokens(plain) {
		words = append(words, tok.text)
	}
	if strings.Join(parts, " ") != strings.Join(words, " ") {
		t.Errorf("%s: %q is read as %q", name, phrase, words)
	}
}
