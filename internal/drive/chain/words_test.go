package chain

import (
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	w, err := readWords(wordsFile)
	if err != nil {
		t.Fatal(err)
	}
	if w.verbs["create"] != makesThings || w.verbs["quit"] != closesThings || w.heads["no"] != "number" || !w.prepositions["on"] ||
		!w.generic["been"] || !w.calledLikeThing["job"] {
		t.Errorf("%+v", w)
	}
	for name, change := range map[string][2]string{
		"twice":   {"[key, slug", "[key, key"},
		"unknown": {"generic:", "genuine:"},
		"empty":   {"[key, slug, handle]", "[]"},
	} {
		if _, err := readWords([]byte(strings.Replace(string(wordsFile), change[0], change[1], 1))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
