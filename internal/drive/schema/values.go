package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// Values are the values that inputs are made of: files and hosts that exist in
// the sandbox, and harmless texts, so that an ordinary server succeeds. An
// empty field means its default.
type Values struct {
	// Dir is a directory, File an existing file in it, NewFile a file that may
	// be written.
	Dir, File, NewFile string
	// RepoDir is a directory with a git repository, Database a database file.
	RepoDir, Database string
	URL, Host, Email  string
	Repo, Branch      string
	Query, SQL        string
	Command, Code     string
	Text, Name, ID    string
	// Samples are other files and folders that tools can be pointed at.
	Samples Samples

	// tool is the name of the tool that the values are for.
	tool string
	said toolText
}

// For returns the values for a tool of that name: a tool that lists directories
// gets a directory, one that writes files gets a writable file.
func (v Values) For(tool string) Values {
	v.tool = tool
	return v
}

// ForTool is [Values.For], with the examples in the tool's description.
func (v Values) ForTool(tool *mcpsf.Tool) Values {
	v.tool, v.said = tool.Name, readTool(tool.Description)
	return v
}

// Pick chooses a value by the name of a property or argument or, if the name
// has no known meaning, by its description.
func (v Values) Pick(name, description string) string {
	v = v.withDefaults()
	_, value := v.meaning(newLexicon(v), name, description)
	return value
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

// meaning returns the kind of a property and a value for it. An unknown
// property gets a name: that is a valid identifier and also valid text.
func (v Values) meaning(l *lexicon, name, description string) (Kind, string) {
	s, ok := l.find(name, description)
	names, said := Words(name), Words(description)
	if address := v.connection(names, said); address != "" {
		return KindURL, address // "string" and "database" alone mean something else
	}
	if ok && s.kind == KindDir && v.namesWhatItMakes(names) {
		return KindName, v.Name // the description says where the thing is
	}
	if v.ofCluster(s, ok, names, said) {
		return KindData, manifest
	}
	if !ok || s.kind == KindText && s.weak {
		if written, mentioned := l.language(said); mentioned {
			return written.kind, written.value
		}
	}
	switch {
	case (!ok || s.kind == KindQuery || s.weak) && selects(names, said):
		return KindQuery, v.element(names)
	case !ok && len(names)+len(said) == 0:
		return KindUnknown, v.Text
	case !ok:
		return KindUnknown, v.Name
	case s.kind == KindID && s.value == v.ID && v.notation(names, said) != "":
		return KindID, v.notation(names, said)
	case s.kind == KindURL && s.value == v.URL && !asksForHost(names) && v.page(names, said) != "":
		return KindURL, v.page(names, said)
	case s.kind == KindPath && s.value == v.File:
		kind, value := v.path(names, said)
		return kind, v.ofKind(value, names, description)
	case s.kind == KindPath && s.value == v.NewFile:
		return s.kind, v.ofKind(s.value, names, description)
	case s.value == v.Repo && has(said, "path", "directory", "local", "folder"):
		return KindDir, v.RepoDir
	case s.value == v.Repo && has(said, "url"):
		return KindURL, v.URL
	case s.kind == KindHost && s.value == v.Host && v.databaseHost(names, said):
		return KindHost, v.Samples.databaseHost()
	case s.kind == KindDir && has(names, "repo", "repository", "git"):
		return KindDir, v.RepoDir
	case s.kind == KindDir && s.value == v.Dir:
		return KindDir, v.folder(names, said)
	case s.kind == KindSQL, s.kind == KindQuery && s.value == v.Query && has(said, "sql", "select", "insert"):
		return KindSQL, v.statement(said)
	case s.kind == KindQuery && s.value == v.Query && has(said, "graphql"):
		return KindQuery, "{ __typename }"
	case s.kind == KindCode && s.value == v.Code && has(said[:min(len(said), maxMention)], "cron", "crontab"):
		return KindText, "0 9 * * 1"
	case s.kind == KindCode && s.value == v.Code && has(said[:min(len(said), maxMention)], "function", "lambda", "callback"):
		return KindCode, "() => 1"
	case s.value == humanLanguage && v.aboutCode(said):
		return s.kind, "python"
	case s.kind == KindRegexp && has(said, "glob", "globs", "wildcard", "wildcards"):
		return KindGlob, "*.md"
	case s.kind == KindDate && s.value == "2024-05-17" && has(names, "end", "until", "due"):
		return KindDate, "2024-05-24"
	}
	return s.kind, s.value
}

// asksForHost reports whether the address of a parameter is one where a service is, or
// where something is sent to, and not that of a page.
func asksForHost(names []string) bool {
	return has(names, "base", "api", "endpoint", "server", "host", "callback", "webhook", "redirect", "origin", "instance", "proxy", "site", "homepage")
}

// manifest is an object of Kubernetes, in JSON and so in YAML.
const manifest = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"example","namespace":"default"},"data":{"mode":"production"}}`

// ofCluster reports whether a parameter wants the description of an object of Kubernetes.
func (v Values) ofCluster(s sense, known bool, names, said []string) bool {
	written := has(names, "manifest", "yaml", "resource", "spec", "definition") && (has(said, "yaml", "json", "manifest") || has(names, "manifest", "yaml"))
	if !written || known && s.kind.guarded() || has(names, "path", "file", "url", "name", "type", "kind") {
		return false
	}
	about := func(words []string) bool { return has(words, "kubernetes", "k8s", "kube", "kubectl") }
	return about(names) || about(said) || about(Words(v.tool)) || about(Words(v.Samples.Server))
}

// path decides which of the planted files or directories a path argument names.
func (v Values) path(names, said []string) (Kind, string) {
	opening := said[:min(len(said), 8)]
	switch {
	case has(names, "repo", "repository", "git"):
		return KindDir, v.RepoDir
	case has(names, "db", "database", "sqlite") || has(opening, "sqlite", "database"):
		return KindPath, v.Database
	case has(names, "output", "out", "dest", "destination", "save", "export", "download"),
		has(said, "save", "saved", "write", "written", "output"):
		return KindPath, v.NewFile
	case has(names, "file", "files", "filename", "filepath"):
		return KindPath, v.File
	case has(said, "directory", "directories", "folder", "folders") && !has(opening, "file", "files"),
		has(names, "project", "root", "workspace", "base"):
		return KindDir, v.folder(names, said)
	}
	switch tool := Words(v.tool); {
	case has(tool, "directory", "directories", "dir", "folder", "tree", "list", "search", "find", "glob", "index") && !has(opening, "file"):
		return KindDir, v.folder(names, said)
	case has(tool, "write", "create", "save", "export", "append", "put"):
		return KindPath, v.NewFile
	}
	return KindPath, v.File
}

// namesWhatItMakes reports whether a parameter is the name of what the tool creates.
func (v Values) namesWhatItMakes(names []string) bool {
	tool := Words(v.tool)
	return len(names) == 1 && has(names, "name", "title", "label") && len(tool) > 0 && !has(tool, "folder", "directory", "dir") &&
		has(tool[:1], "create", "make", "add", "new", "build", "register", "open", "start", "put", "define", "save", "insert", "begin")
}

func has(list []string, wanted ...string) bool {
	for _, w := range list {
		if slices.Contains(wanted, w) {
			return true
		}
	}
	return false
}

// maxWords bounds how much of a name or description is read.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxWords = 512

// Words splits userName, user_name, userID and "user name" into lower-case
// words. It reads only the beginning of a long text.
func Words(s string) []string {
	if len(s) > maxWords {
		s = s[:maxWords]
	}
	var b strings.Builder
	lower := false
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && (lower || opensWord(s[i:])):
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// opensWord reports whether an upper-case letter begins a new word: a
// lower-case letter follows, as in URLPath, and not just a plural s, as in
// URLs.
func opensWord(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	next, m := utf8.DecodeRuneInString(s[n:])
	after, _ := utf8.DecodeRuneInString(s[n+m:])
	return unicode.IsLower(next) && unicode.IsLower(after)
}
