package rules

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf/internal/judge/rules/rulefile"
)

// maxTitle is the maximum length of a title.
const maxTitle = 70

func TestTitlesAreShort(t *testing.T) {
	seen := map[string]string{}
	for _, r := range builtinSet(t).Rules() {
		if n := utf8.RuneCountInString(r.Title); n > maxTitle {
			t.Errorf("%s: the title has %d characters, at most %d are read in a list", r.ID, n, maxTitle)
		}
		if strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: a title is no sentence", r.ID)
		}
		if other := seen[r.Title]; other != "" {
			t.Errorf("%s and %s have the same title", other, r.ID)
		}
		seen[r.Title] = r.ID
	}
}

// The title of a rule about an attack contains the common name of the weakness.
func TestTitlesOfAttacksNameTheWeakness(t *testing.T) {
	data, err := os.ReadFile("testdata/cwe.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var names map[string][]string
	if err := yaml.Unmarshal(data, &names); err != nil {
		t.Fatal(err)
	}
	attack := regexp.MustCompile(`(?m)^(when:|  ).*([^!]provesAttack\(\)|Attack not in \[)`)
	found := 0
	for _, r := range builtinSet(t).rules {
		text, err := os.ReadFile("builtin/" + r.File)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(text), "\ntests:")
		if !attack.MatchString(head) {
			continue
		}
		found++
		var known []string
		for _, id := range r.Maps.CWE {
			known = append(known, names[id]...)
		}
		title := strings.ToLower(r.Title)
		if !slices.ContainsFunc(known, func(name string) bool { return strings.Contains(title, strings.ToLower(name)) }) {
			t.Errorf("%s: the title %q has none of %q, which its CWE ids are known by", r.ID, r.Title, known)
		}
	}
	if found < 25 {
		t.Errorf("only %d rules about attacks were found", found)
	}
}

// Words that only this project uses, or that are too vague.
func TestRulesHaveNoPrivateWords(t *testing.T) {
	private := regexp.MustCompile(`(?i)\b(gravest|bait\w*|strangers?|deeds?|upset|guise|strolled|whoever has a say)\b`)
	for _, r := range builtinSet(t).rules {
		text, err := os.ReadFile("builtin/" + r.File)
		if err != nil {
			t.Fatal(err)
		}
		head, tests, _ := strings.Cut(string(text), "\ntests:")
		names := strings.Join(regexp.MustCompile(`(?m)^  - name: .*$`).FindAllString(tests, -1), "\n")
		for _, word := range private.FindAllString(head+names, -1) {
			t.Errorf("%s says %q", r.ID, word)
		}
		if strings.Contains(r.Remediation, "{{") || strings.Contains(r.Remediation, "<no value>") || strings.Contains(r.Remediation, "  ") {
			t.Errorf("%s: the remediation in general is %q", r.ID, r.Remediation)
		}
	}
}

// An empty field leaves no gap in a message or a remediation, in any test of a
// rule. With -v the test prints them all.
func TestMessagesHaveNoHoles(t *testing.T) {
	hole := regexp.MustCompile(`  | [,;.:)]( |$)|\( |\(\)|<no value>|^[ ,;:]|: [.;]|\{\{`)
	for _, r := range builtinSet(t).rules {
		r, err := r.Tested()
		if err != nil {
			t.Fatal(err)
		}
		alone := &Set{rules: []*rulefile.Compiled{r}}
		for _, test := range r.Tests {
			if !test.Hit {
				continue
			}
			judged, err := alone.Evaluate(test.Events, test.Facts, test.Scope)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range judged.Findings {
				t.Logf("%s\n    M %s\n    R %s", f.ID, f.Message, f.Remediation)
				for _, text := range append(strings.Split(f.Remediation, "\n"), f.Message) {
					if found := hole.FindString(quoted.ReplaceAllString(text, "x")); found != "" {
						t.Errorf("%s, test %q: a hole (%q) in: %s", r.ID, test.Name, found, text)
					}
				}
			}
		}
	}
}

// quoted matches text of the server, which may have gaps.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
