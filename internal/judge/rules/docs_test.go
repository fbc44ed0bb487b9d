package rules

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcpsf/mcpsf/internal/judge/rules/message"
)

func howTo(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/adding-a-rule.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// The examples of the how-to page are working rules, one of each form.
func TestHowToExamplesWork(t *testing.T) {
	_, rest, _ := strings.Cut(howTo(t), "```yaml\n")
	files := fstest.MapFS{}
	for block := range strings.SplitSeq(rest, "```yaml\n") {
		example, _, ok := strings.Cut(block, "```")
		id, _, _ := strings.Cut(strings.TrimPrefix(example, "id: "), "\n")
		if !ok {
			t.Fatal("an example has no end")
		}
		files[id+".yaml"] = &fstest.MapFile{Data: []byte(example)}
	}
	if len(files) != 5 {
		t.Errorf("%d examples", len(files))
	}
	set, err := Load(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Test(); err != nil {
		t.Error(err)
	}
}

// The page names everything that a message can say.
func TestHowToNamesEveryWord(t *testing.T) {
	page := howTo(t)
	for _, w := range message.Words() {
		if !strings.Contains(page, "`."+w.Name+"`") {
			t.Errorf("docs/adding-a-rule.md does not name .%s", w.Name)
		}
	}
}

// The page of threats names every rule, no rule that is not there, and examples
// that are.
func TestThreatsPage(t *testing.T) {
	data, err := os.ReadFile("../../../docs/threats.md")
	if err != nil {
		t.Fatal(err)
	}
	set, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(string(data), -1) {
		named[m[1]] = true
	}
	for _, r := range set.rules {
		if !named[r.ID] {
			t.Errorf("no threat names the rule %s", r.ID)
		}
		delete(named, r.ID)
	}
	for id := range named {
		t.Errorf("there is no rule %s", id)
	}
	examples := regexp.MustCompile(`(?m)\| ([a-z0-9][a-z0-9 -]*) \|$`)
	for _, m := range examples.FindAllStringSubmatch(string(data), -1) {
		for name := range strings.FieldsSeq(m[1]) {
			_, err := os.Stat("../../../corpus/" + name + "/case.yaml")
			if strings.Contains(name, "-") && err != nil {
				t.Errorf("example: %v", err)
			}
		}
	}
}
