package samples

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func projects(t *testing.T) []Project {
	t.Helper()
	list, err := Projects()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Every project has its marks, and its folder belongs to it alone.
func TestProjects(t *testing.T) {
	paths := make(map[string]bool)
	for _, f := range all(t) {
		for at := f.Path; at != "/"; at = path.Dir(at) {
			paths[at] = true
		}
	}
	names, dirs := make(map[string]bool), make(map[string]bool)
	for _, p := range projects(t) {
		if names[p.Name] || dirs[p.Dir] {
			t.Errorf("project %s in %s is there twice", p.Name, p.Dir)
		}
		names[p.Name], dirs[p.Dir] = true, true
		if !paths[p.Main] || !strings.HasPrefix(p.Main, p.Dir+"/") {
			t.Errorf("project %s has no %s", p.Name, p.Main)
		}
		for _, mark := range p.Marks {
			if !paths[path.Join(p.Dir, mark)] {
				t.Errorf("project %s has no %s", p.Name, mark)
			}
		}
		checkProjectWords(t, p)
	}
	for name := range strings.FieldsSeq(`python go rust gradle maven android nx nextjs angular react vue nuxt svelte django fastapi
		flutter swift xcode dotnet unity godot unreal obsidian logseq latex jupyter terraform ansible helm kubernetes compose dbt
		storybook electron tauri arduino platformio kicad blender openapi docusaurus mkdocs hugo jekyll photos`) {
		if !names[name] {
			t.Errorf("no project %s", name)
		}
	}
}

func checkProjectWords(t *testing.T, p Project) {
	t.Helper()
	sorted := slices.Sorted(slices.Values(p.Words))
	if len(slices.Compact(sorted)) != len(p.Words) {
		t.Errorf("project %s repeats a word", p.Name)
	}
	for _, word := range p.Words {
		if word == "" || word != strings.ToLower(strings.TrimSpace(word)) {
			t.Errorf("project %s has the word %q", p.Name, word)
		}
	}
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct{ name, comment, want string }{
		{"complete", "dir: a\nmain: b\nwords: c, d\nmarks: b\n", ""},
		{"unknown", "dir: a\nmain: b\nwords: c\nmarks: b\nsize: 3\n", "unknown key"},
		{"missing", "dir: a\nmain: b\n", "are missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, err := describe(archive{name: "x", comment: tt.comment})
			if tt.want == "" && (err != nil || p.Main != "/home/dev/a/b" || len(p.Words) != 2) {
				t.Errorf("got %+v, %v", p, err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParse(t *testing.T) {
	a := parse([]byte("about\n-- a.txt --\none\n-- not a name\n-- \n-- b/c --\n"))
	if a.comment != "about\n" || len(a.files) != 2 {
		t.Fatalf("got %+v", a)
	}
	if f := a.files[0]; f.name != "a.txt" || string(f.content) != "one\n-- not a name\n-- \n" {
		t.Errorf("got %s %q", f.name, f.content)
	}
	if f := a.files[1]; f.name != "b/c" || len(f.content) != 0 {
		t.Errorf("got %s %q", f.name, f.content)
	}
}

// The links of the vault lead somewhere, so that backlinks and graphs have
// something to show.
func TestVaultLinks(t *testing.T) {
	notes := make(map[string]bool)
	var texts []string
	for _, f := range all(t) {
		if strings.HasPrefix(f.Path, "/home/dev/Documents/vault/") && path.Ext(f.Path) == ".md" {
			notes[strings.TrimSuffix(path.Base(f.Path), ".md")] = true
			texts = append(texts, string(f.Content))
		}
	}
	links := regexp.MustCompile(`\[\[([^\]|#]+)`).FindAllStringSubmatch(strings.Join(texts, "\n"), -1)
	if len(links) < 8 {
		t.Errorf("only %d links", len(links))
	}
	for _, m := range links {
		if !notes[m[1]] {
			t.Errorf("a link to %q leads nowhere", m[1])
		}
	}
}
