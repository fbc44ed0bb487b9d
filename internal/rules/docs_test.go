package rules

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func howTo(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/adding-a-rule.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// The example of the how-to page is a rule that works.
func TestHowToExampleWorks(t *testing.T) {
	_, rest, _ := strings.Cut(howTo(t), "```yaml\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	set, err := Load(fstest.MapFS{"made-executable.yaml": {Data: []byte(example)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Test(); err != nil {
		t.Error(err)
	}
}

// The page names every word of the language.
func TestHowToNamesEveryWord(t *testing.T) {
	page := howTo(t)
	var words []string
	for f := range reflect.TypeFor[fields]().Fields() {
		if f.IsExported() {
			words = append(words, "`"+f.Name+"`")
		}
	}
	for f := range reflect.TypeFor[questions]().Fields() {
		words = append(words, "`"+f.Tag.Get("expr")+"(")
	}
	for f := range reflect.TypeFor[hit]().Fields() {
		words = append(words, "`."+f.Name+"`")
	}
	for _, w := range words {
		if !strings.Contains(page, w) {
			t.Errorf("docs/adding-a-rule.md does not name %s", w)
		}
	}
}
