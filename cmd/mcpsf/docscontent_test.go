package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxPictures bounds the size of all pictures together, because every clone of
// the repository downloads them.
const maxPictures = 500 << 10

var docLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every link within the repository leads to a file, and to a heading if it
// names one. That covers the pictures.
func TestDocsLinks(t *testing.T) {
	headings := map[string][]string{}
	for _, p := range docPages(t) {
		for _, m := range docLink.FindAllStringSubmatch(p.text, -1) {
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			at := p.name
			if file != "" {
				at = path.Join(path.Dir(p.name), file)
			}
			if _, err := os.Stat(filepath.Join(repository, at)); err != nil {
				t.Errorf("%s: %s: %v", p.name, m[1], err)
				continue
			}
			if heading == "" {
				continue
			}
			if headings[at] == nil {
				headings[at] = anchors(t, at)
			}
			if !slices.Contains(headings[at], heading) {
				t.Errorf("%s: %s has no heading for #%s", p.name, at, heading)
			}
		}
	}
}

// anchors are the names that GitHub gives to the headings of a page.
func anchors(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	dropped := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		name := dropped.ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, strings.ReplaceAll(name, " ", "-"))
	}
	return all
}

// Every picture is shown somewhere, and together they stay small.
func TestDocsPictures(t *testing.T) {
	shown := map[string]bool{}
	for _, p := range docPages(t) {
		for _, m := range docLink.FindAllStringSubmatch(p.text, -1) {
			shown[path.Join(path.Dir(p.name), m[1])] = true
		}
	}
	entries, err := os.ReadDir(filepath.Join(repository, "docs", "images"))
	if err != nil {
		t.Fatal(err)
	}
	var total int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
		if name := path.Join("docs/images", e.Name()); !shown[name] {
			t.Errorf("no page shows %s", name)
		}
	}
	if total > maxPictures {
		t.Errorf("the pictures have %d bytes together, at most %d", total, maxPictures)
	}
}

// The index lists every page.
func TestDocsIndex(t *testing.T) {
	listed := map[string]bool{"docs/README.md": true}
	lines := 0
	for _, p := range docPages(t) {
		switch p.name {
		case "docs/README.md":
			for _, m := range docLink.FindAllStringSubmatch(p.text, -1) {
				listed[path.Join("docs", m[1])] = true
			}
		case "README.md":
			lines = strings.Count(p.text, "\n")
		}
	}
	for _, p := range docPages(t) {
		if strings.HasPrefix(p.name, "docs/") && !listed[p.name] {
			t.Errorf("docs/README.md does not list %s", p.name)
		}
	}
	if lines == 0 || lines > 150 {
		t.Errorf("README.md has %d lines, at most 150", lines)
	}
}

// Every folder and file of the code that a page names exists.
func TestDocsPaths(t *testing.T) {
	named := regexp.MustCompile("`((?:internal|cmd|bench|corpus|examples|schema|deploy)/[\\w./-]*\\w)`")
	for _, p := range docPages(t) {
		if p.name == "CHANGELOG.md" {
			continue // it also mentions removed paths
		}
		for _, m := range named.FindAllStringSubmatch(p.text, -1) {
			if strings.Contains(m[1], "NAME") || strings.HasSuffix(m[1], "/made-executable.yaml") {
				continue // the reader is to write this file
			}
			if _, err := os.Stat(filepath.Join(repository, m[1])); err != nil {
				t.Errorf("%s: there is no %s", p.name, m[1])
			}
		}
	}
}
