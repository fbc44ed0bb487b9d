package arch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// privateWords are words that this project once had of its own for things that have
// a common name, with that name. Only words that no ordinary sentence about this
// project needs are listed. The terms we use are in docs/glossary.md.
func privateWords() map[string]string {
	return map[string]string{
		"bait":      "decoy",
		"deed":      "action",
		"dialect":   "protocol, format or engine",
		"disguise":  "redact",
		"doubts":    "retries",
		"follower":  "obedient agent",
		"guise":     "environment",
		"hurry":     "virtual clock",
		"knock":     "HTTP probe",
		"lane":      "parallel run",
		"leap":      "jump",
		"netsink":   "fake network",
		"oracle":    "execution proof",
		"seal":      "encrypt",
		"speech":    "prompt scan",
		"standin":   "stub program",
		"stir":      "activity",
		"strolled":  "enumeration",
		"upset":     "disruption",
		"wholefile": "atomicfile",
	}
}

// allowedWords are the places that need such a word all the same, as "file word",
// with the reason. An entry that nothing needs any more fails.
func allowedWords() map[string]string {
	const titles = "titles must not contain it"
	const database = "the name of a database or of what a database understands"
	return map[string]string{
		"internal/acquire/source/redact/address.go oracle":                             database,
		"internal/drive/schema/schema_test.go dialect":                                 database,
		"internal/drive/schema/schema_test.go oracle":                                  database,
		"internal/drive/schema/tasks_test.go dialect":                                  "JSON Schema calls its versions so",
		"internal/judge/rules/builtin/spyware-user-surveillance-announced.yaml speech": "what a microphone records",
		"internal/judge/rules/builtin/spyware-user-surveillance.yaml speech":           "what a microphone records",
		"internal/judge/rules/title_test.go bait":                                      titles,
		"internal/judge/rules/title_test.go guise":                                     titles,
		"internal/judge/rules/title_test.go strolled":                                  titles,
		"internal/judge/rules/title_test.go upset":                                     titles,
		"internal/network/fakenet/execproof/tracker.go oracle":                         "changing the text changes the numbers of every run",
		"internal/sandbox/decoys/decoys_test.go bait":                                  "decoys must not contain it",
		"internal/sandbox/decoys/mint.go lane":                                         "part of an invented company name",
		"internal/service/secretbox/secretbox.go seal":                                 "changing the purpose of the key makes stored values unreadable",
		"opinion.go doubts": "a value of the report's format",
	}
}

// foreignNames are names in other people's packages.
var foreignNames = regexp.MustCompile(`\.Seal\(|\bgoose\.Dialect\b`)

func TestPrivateWords(t *testing.T) {
	report(t, checkWords(t, os.DirFS("../.."), privateWords(), allowedWords()))
}

func TestCheckWords(t *testing.T) {
	words := map[string]string{"bait": "decoy", "seal": "encrypt"}
	for _, tt := range []struct{ name, file, text, want string }{
		{"plain", "a/x.go", "the decoys are sealed, baited", ""},
		{"comment", "a/x.go", "x\n// takes the Bait.\n", `a/x.go:2: "bait": say decoy`},
		{"page", "a/x.html", "<p>bait</p>", "say decoy"},
		{"file name", "a/seal.go", "", `a/seal.go: "seal": say encrypt`},
		{"name of a library", "a/x.go", "aead.Seal(nil)", ""},
		{"recorded", "a/testdata/x.md", "bait", ""},
		{"corpus", "corpus/x/case.yaml", "bait", ""},
		{"history", "CHANGELOG.md", "bait", ""},
		{"no text", "a/x.bin", "bait", ""},
		{"allowed", "a/ok.go", "bait and bait", ""},
		{"allowed for another word", "a/ok.go", "bait, seal", "say encrypt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{"a/ok.go": {Data: []byte("bait")}}
			files[tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
			expect(t, checkWords(t, files, words, map[string]string{"a/ok.go bait": "a reason"}), tt.want)
		})
	}
	expect(t, checkWords(t, fstest.MapFS{}, words, map[string]string{"a/ok.go bait": "a reason"}), "without need")
}

// checkWords finds private words in the names and lines of source files and
// documents. Test data, the corpus and the examples hold other people's words.
func checkWords(t *testing.T, root fs.FS, words, allowed map[string]string) []string {
	t.Helper()
	pattern := regexp.MustCompile(`(?i)\b(` + strings.Join(slices.Sorted(maps.Keys(words)), "|") + `)\b`)
	used := make(map[string]bool)
	var problems []string
	find := func(name, at, text string) {
		for _, found := range pattern.FindAllString(foreignNames.ReplaceAllString(text, ""), -1) {
			word := strings.ToLower(found)
			if allowed[name+" "+word] != "" {
				used[name+" "+word] = true
				continue
			}
			problems = append(problems, fmt.Sprintf("%s: %q: say %s", at, word, words[word]))
		}
	}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && leftOut(name):
			return fs.SkipDir
		case d.IsDir() || !hasWords(name):
			return nil
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		find(name, name, strings.NewReplacer("_", " ", "-", " ").Replace(name))
		for i, line := range strings.Split(string(data), "\n") {
			find(name, fmt.Sprintf("%s:%d", name, i+1), line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range slices.Sorted(maps.Keys(allowed)) {
		if !used[entry] {
			problems = append(problems, entry+": allowed without need")
		}
	}
	return problems
}

func leftOut(folder string) bool {
	base := path.Base(folder)
	return folder == "corpus" || folder == "examples" || base == "testdata" || base == "node_modules" ||
		folder != "." && strings.HasPrefix(base, ".")
}

// hasWords tells which files are read: all that people read, but for the history and
// for this list.
func hasWords(name string) bool {
	if name == "CHANGELOG.md" || name == "internal/arch/privatewords_test.go" {
		return false
	}
	return slices.Contains([]string{".go", ".yaml", ".yml", ".md", ".html", ".js"}, path.Ext(name))
}
