package schema

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
)

// Values are what the inputs are made of: things that exist in the sandbox or
// mean no harm, so that a good server succeeds with them. An empty field
// means its default.
type Values struct {
	// Dir is a directory, File an existing file in it, NewFile one that may
	// be written.
	Dir, File, NewFile string
	// RepoDir is a directory with a repository in it, Database a file with a
	// database.
	RepoDir, Database string
	URL, Host, Email  string
	Repo, Branch      string
	Query, SQL        string
	Command, Code     string
	Text, Name, ID    string
}

// Pick chooses a value by the name of a property or argument and, if that
// says nothing, by its description.
func (v Values) Pick(name, description string) string {
	v = v.withDefaults()
	names := words(name)
	said := words(description)
	if s, ok := v.byName(names, said); ok {
		return s
	}
	if s, ok := v.byName(said, nil); ok && describesPlace(said) {
		return s
	}
	return v.Text
}

// place reports whether what has that name has to exist somewhere.
func (v Values) place(name, description string) bool {
	picked := v.Pick(name, description)
	return slices.Contains([]string{v.Dir, v.File, v.NewFile, v.RepoDir, v.Database, v.URL, v.Host, v.Email, v.Repo, v.Command}, picked)
}

func (v Values) withDefaults() Values {
	d := Values{
		Dir: mcpsf.WorkDir, File: mcpsf.WorkDir + "/README.md", NewFile: mcpsf.WorkDir + "/output.txt",
		URL: "https://www.example.com/", Host: "www.example.com", Email: "alex@example.com",
		Repo: "example/project", Branch: "main",
		Query: "hello", SQL: "SELECT 1", Command: "echo hello", Code: "1 + 1",
		Text: "The quick brown fox jumps over the lazy dog.", Name: "example", ID: "1",
	}
	for _, f := range []struct{ own, fallback *string }{
		{&v.Dir, &d.Dir}, {&v.File, &d.File}, {&v.NewFile, &d.NewFile},
		{&v.URL, &d.URL}, {&v.Host, &d.Host}, {&v.Email, &d.Email},
		{&v.Repo, &d.Repo}, {&v.Branch, &d.Branch},
		{&v.Query, &d.Query}, {&v.SQL, &d.SQL}, {&v.Command, &d.Command}, {&v.Code, &d.Code},
		{&v.Text, &d.Text}, {&v.Name, &d.Name}, {&v.ID, &d.ID},
	} {
		if *f.own == "" {
			*f.own = *f.fallback
		}
	}
	if v.RepoDir == "" {
		v.RepoDir = v.Dir
	}
	if v.Database == "" {
		v.Database = v.File
	}
	return v
}

// byName looks the words up. Which row comes first matters: a repo_path is a
// path, an output_file is not yet there.
func (v Values) byName(names, said []string) (string, bool) {
	path := v.File
	switch {
	case has(names, "repo", "repository"):
		path = v.RepoDir
	case has(names, "db", "database", "sqlite"):
		path = v.Database
	case has(said, "directory", "directories", "folder", "folders") || has(names, "project"):
		path = v.Dir
	}
	for _, row := range []struct {
		value string
		words []string
	}{
		{v.Dir, []string{"dir", "directory", "folder", "cwd", "workdir", "root", "workspace"}},
		{v.NewFile, []string{"destination", "dest", "output", "outfile", "target"}},
		{path, []string{"path", "filepath", "paths", "pathname"}},
		{v.File, []string{"file", "filename", "files"}},
		{v.URL, []string{"url", "uri", "link", "href", "endpoint", "website", "webpage", "urls"}},
		{v.Email, []string{"email", "mail", "recipient", "to", "cc"}},
		{v.Host, []string{"host", "hostname", "domain", "server"}},
		{v.Repo, []string{"repo", "repository", "project"}},
		{v.Branch, []string{"branch", "ref", "revision"}},
		{v.SQL, []string{"sql", "statement"}},
		{v.Query, []string{"query", "q", "search", "keyword", "keywords", "term", "terms", "pattern", "regex"}},
		{v.Command, []string{"command", "cmd", "shell"}},
		{v.Code, []string{"code", "expression", "formula", "script"}},
		{"2024-05-17", []string{"date", "day", "since", "until", "start", "end"}},
		{"UTC", []string{"timezone", "tz"}},
		{"09:30", []string{"time"}},
		{"Berlin", []string{"city", "location", "place", "address"}},
		{"en", []string{"lang", "language", "locale"}},
		{v.ID, []string{"id", "ids", "number", "index"}},
		{v.Name, []string{"name", "title", "user", "username", "label", "tag", "tags", "key", "category"}},
		{v.Text, []string{"text", "content", "contents", "message", "body", "note", "prompt", "input", "description"}},
	} {
		if has(names, row.words...) {
			return row.value, true
		}
	}
	return "", false
}

// describesPlace keeps descriptions from deciding by an incidental word: only
// what has to exist somewhere is chosen by them.
func describesPlace(said []string) bool {
	return has(said, "path", "file", "directory", "folder", "url", "uri", "email", "hostname", "domain", "repository")
}

func has(list []string, wanted ...string) bool {
	for _, w := range list {
		if slices.Contains(wanted, w) {
			return true
		}
	}
	return false
}

// maxWords bounds how much of a name or description is looked at.
const maxWords = 512

// words splits userName, user_name and "user name" into lower-case words.
func words(s string) []string {
	if len(s) > maxWords {
		s = s[:maxWords]
	}
	var b strings.Builder
	lower := false
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && lower:
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}
