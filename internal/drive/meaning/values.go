package meaning

import (
	"slices"
	"strings"

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

	subject
	proven []Proof
}

// subject is the tool that values are for: its name and its description.
type subject struct{ tool, about string }

// maxAboutTool bounds how much of the description of a tool is read.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxAboutTool = 4 << 10

// For returns the values for a tool of that name: a tool that lists directories
// gets a directory, one that writes files gets a writable file.
func (v Values) For(tool string) Values {
	v.tool = tool
	return v
}

// ForTool is [Values.For], with the tool's description.
func (v Values) ForTool(tool *mcpsf.Tool) Values {
	v.tool, v.about = tool.Name, tool.Description[:min(len(tool.Description), maxAboutTool)]
	return v
}

// About returns the beginning of the description of the tool that the values are for.
func (v Values) About() string { return v.about }

// purpose returns the first sentence of the description: what the tool is for.
func (v Values) purpose() string {
	first, _, _ := strings.Cut(v.about, "\n")
	first, _, _ = strings.Cut(first, ". ")
	return first
}

// Pick chooses a value by the name of a property or argument or, if the name
// has no known meaning, by its description.
func (v Values) Pick(name, description string) string {
	_, value := NewLexicon(v).Meaning(name, description)
	return value
}

// WithDefaults returns the values with a default in every field that is empty.
func (v Values) WithDefaults() Values {
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

// Meaning returns the kind of a property and a value for it. An unknown
// property gets a name: that is a valid identifier and also valid text.
func (l *Lexicon) Meaning(name, description string) (Kind, string) {
	v := l.values
	s, ok := l.find(name, description)
	names, said := Words(name), Words(description)
	if kind, value, known := v.ofTopic(s, ok, names, said); known {
		return kind, value
	}
	if kind, value, known := v.content(s, ok, names, said); known {
		return kind, value
	}
	if !ok || s.kind == KindText && s.weak {
		if written, mentioned := l.language(said); mentioned {
			return written.kind, written.value
		}
		if written, mentioned := l.language(Words(v.tool)); mentioned && ok && holdsDocument(names) {
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
	case s.kind == KindURL && s.value == v.URL && !asksForHost(names) && v.download(names, said) != "":
		return KindURL, v.download(names, said)
	case s.kind == KindPath && s.value == v.File:
		kind, value := v.path(names, said)
		return kind, v.ofKind(value, names, description)
	case s.kind == KindPath && s.value == v.NewFile:
		return s.kind, v.ofKind(s.value, names, description)
	case s.value == v.Repo && HasWord(said, "path", "directory", "local", "folder"):
		return KindDir, v.RepoDir
	case s.value == v.Repo && HasWord(said, "url"):
		return KindURL, v.URL
	case s.kind == KindHost && s.value == v.Host && v.databaseHost(names, said):
		return KindHost, v.Samples.databaseHost()
	case s.kind == KindDir && HasWord(names, "repo", "repository", "git"):
		return KindDir, v.RepoDir
	case s.kind == KindDir && s.value == v.Dir:
		return KindDir, v.folder(names, said)
	}
	return v.written(s, names, said)
}

// ofTopic returns the kind and the value of what the tool or the server is about.
func (v Values) ofTopic(s sense, known bool, names, said []string) (Kind, string, bool) {
	if address := v.Connection(names, said); address != "" {
		return KindURL, address, true // "string" and "database" alone mean something else
	}
	switch {
	case known && s.kind == KindDir && v.namesWhatItMakes(names):
		return KindName, v.Name, true // the description says where the thing is
	case v.ofCluster(s, known, names, said):
		return KindData, manifest, true
	case !known && HasWord(names, "range", "ranges") && v.ofSheets(said):
		return KindText, "A1:C5", true
	case known && s.kind == KindQuery && s.value == v.Query && v.ofCypher(names, said):
		return KindQuery, v.cypher(said), true
	case known && s.kind == KindQuery && s.value == v.Query && v.ofSQL(names, said):
		return KindSQL, v.statement(said), true
	}
	return "", "", false
}

// written returns the kind and the value of what is written in a notation: a
// statement, a program, a pattern, a date.
func (v Values) written(s sense, names, said []string) (Kind, string) {
	opening := said[:min(len(said), maxMention)]
	switch {
	case s.kind == KindSQL, s.kind == KindQuery && s.value == v.Query && HasWord(said, "sql", "select", "insert"):
		return KindSQL, v.statement(said)
	case s.kind == KindQuery && s.value == v.Query && HasWord(said, "graphql"):
		return KindQuery, "{ __typename }"
	case s.kind == KindCode && s.value == v.Code && HasWord(opening, "cron", "crontab"):
		return KindText, "0 9 * * 1"
	case s.kind == KindCode && s.value == v.Code && isCodeOfThing(opening):
		return KindName, v.Name
	case s.kind == KindCode && s.value == v.Code && HasWord(opening, "function", "lambda", "callback"):
		return KindCode, "() => 1"
	case s.value == humanLanguage && v.aboutCode(said):
		return s.kind, "python"
	case s.kind == KindRegexp && HasWord(said, "glob", "globs", "wildcard", "wildcards"):
		return KindGlob, "*.md"
	case s.kind == KindDate && s.value == "2024-05-17" && HasWord(names, "end", "until", "due"):
		return KindDate, "2024-05-24"
	}
	return s.kind, s.value
}

// isCodeOfThing reports whether a description speaks of a code that stands for something,
// and not of a program: "Code of the depot", "the confirmation code", "Like ZRH-01".
func isCodeOfThing(said []string) bool {
	at := slices.Index(said, "code")
	if HasWord(said, "program", "script", "source", "function", "execute", "run", "evaluate", "python", "javascript", "typescript", "snippet", "expression", "statement", "sql", "shell") {
		return false
	}
	if at < 0 { // "Like ZRH-01"
		return slices.ContainsFunc(said, func(word string) bool { return strings.Trim(word, "0123456789") == "" })
	}
	return at+1 < len(said) && HasWord(said[at+1:at+2], "of", "for", "from", "sent", "that", "on") ||
		at > 0 && HasWord(said[at-1:at], "country", "currency", "language", "postal", "zip", "area", "access", "verification", "confirmation",
			"product", "station", "airport", "status", "error", "color", "exit", "promo", "discount", "coupon", "voucher", "tracking", "invite",
			"pairing", "device", "time", "stock", "location", "region", "state", "depot", "store", "branch", "booking", "reservation", "login")
}

// asksForHost reports whether the address of a parameter is one where a service is, or
// where something is sent to, and not that of a page.
func asksForHost(names []string) bool {
	return HasWord(names, "base", "api", "endpoint", "server", "host", "callback", "webhook", "redirect", "origin", "instance", "proxy", "site", "homepage")
}

// manifest is an object of Kubernetes, in JSON and so in YAML.
const manifest = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"example","namespace":"default"},"data":{"mode":"production"}}`

// ofCluster reports whether a parameter wants the description of an object of Kubernetes.
func (v Values) ofCluster(s sense, known bool, names, said []string) bool {
	written := HasWord(names, "manifest", "yaml", "resource", "spec", "definition") && (HasWord(said, "yaml", "json", "manifest") || HasWord(names, "manifest", "yaml"))
	if !written || known && s.kind.Guarded() || HasWord(names, "path", "file", "url", "name", "type", "kind") {
		return false
	}
	return HasWord(names, "kubernetes", "k8s", "kube", "kubectl") || v.isAbout(said, "kubernetes", "k8s", "kube", "kubectl")
}

// path decides which of the planted files or directories a path argument names.
func (v Values) path(names, said []string) (Kind, string) {
	opening := said[:min(len(said), 8)]
	switch {
	case HasWord(names, "repo", "repository", "git"):
		return KindDir, v.RepoDir
	case HasWord(names, "db", "database", "sqlite") || HasWord(opening, "sqlite", "database"):
		return KindPath, v.Database
	case HasWord(names, "output", "out", "dest", "destination", "save", "export", "download"),
		HasWord(said, "save", "saved", "write", "written", "output"):
		return KindPath, v.NewFile
	case HasWord(names, "file", "files", "filename", "filepath"):
		return KindPath, v.File
	case HasWord(said, "directory", "directories", "folder", "folders") && !HasWord(opening, "file", "files"),
		HasWord(names, "project", "root", "workspace", "base"):
		return KindDir, v.folder(names, said)
	}
	switch tool := Words(v.tool); {
	case HasWord(tool, "directory", "directories", "dir", "folder", "tree", "list", "search", "find", "glob", "index") && !HasWord(opening, "file"):
		return KindDir, v.folder(names, said)
	case HasWord(tool, "write", "create", "save", "export", "append", "put"):
		return KindPath, v.NewFile
	}
	return KindPath, v.File
}

// namesWhatItMakes reports whether a parameter is the name of what the tool creates.
func (v Values) namesWhatItMakes(names []string) bool {
	tool := Words(v.tool)
	return len(names) == 1 && HasWord(names, "name", "title", "label") && len(tool) > 0 && !HasWord(tool, "folder", "directory", "dir") &&
		HasWord(tool[:1], "create", "make", "add", "new", "build", "register", "open", "start", "put", "define", "save", "insert", "begin")
}
