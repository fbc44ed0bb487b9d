package entry

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	pathShape = lazyregexp.New(`^(?:~|\.{1,2})?[/\\]|^@?/|^[A-Za-z]:[\\/]|^~$|^(?:\$\{|\$|%)(?i:workspace|user_?home|home|pwd|cwd|project|userprofile|appdata|documents|desktop)|(?i:path[/\\ _-]?to[/\\ _-])`)
	extension = lazyregexp.New(`\.([A-Za-z][A-Za-z0-9]{0,6})$`)
)

// isPath reports whether a value is written as a path.
func isPath(value string) bool {
	return len(value) < 4096 && pathShape.MatchString(value) && !strings.ContainsAny(value, "\n;|")
}

// pathName reports whether the words name a file or directory.
func pathName(nameWords []string) bool {
	if anyOf(nameWords, "url", "uri", "endpoint", "route", "prefix") {
		return false
	}
	return anyOf(nameWords, "dir", "dirs", "directory", "directories", "folder", "folders", "path", "paths", "file", "files",
		"filename", "filepath", "vault", "repo", "repository", "root", "workdir", "cwd", "dbpath", "keyfile") ||
		variable(nameWords) == "GOOGLE_APPLICATION_CREDENTIALS"
}

// path fills something that is or should be a path.
func (f filler) path(option []string, value string) string {
	switch {
	case keepPath(option, value) || f.isPlace(value) || isPlain(value):
		return value
	case !isPath(value) && !blank.MatchString(value) && !strings.Contains(value, "/"):
		// A plain name in the working directory, unless the file must exist.
		if db := databaseFile(value); db == "" {
			return value
		}
	}
	return f.place(option, value)
}

// keepPath reports paths that mean the same everywhere, or are no files.
func keepPath(option []string, value string) bool {
	if value == "/" || value == "." || value == "/tmp" || anyOf(option, "endpoint", "route", "prefix", "base") {
		return true
	}
	for _, dir := range []string{"/dev/", "/usr/", "/bin/", "/etc/", "/proc/", mcpsf.Home + "/"} {
		if strings.HasPrefix(value, dir) && !blank.MatchString(value) {
			return true
		}
	}
	return false
}

// isPlace keeps a filled value unchanged when it is filled again.
func (f filler) isPlace(value string) bool {
	p := f.places
	return value != "" && (value == p.Dir || value == p.folder(words(path.Base(value))) || value == p.File || value == f.newFile(strings.TrimPrefix(path.Ext(value), ".")) || value == p.NewFile || value == p.Repo || value == p.Database)
}

// place chooses what a path points at, by the words of its option, its own
// words, and its extension.
func (f filler) place(option []string, value string) string {
	base := path.Base(strings.ReplaceAll(strings.TrimRight(value, `/\>})]`), `\`, "/"))
	nameWords := words(base)
	all := append(append([]string(nil), option...), nameWords...)
	ext := ""
	if m := extension.FindStringSubmatch(base); m != nil {
		ext = strings.ToLower(m[1])
	}
	switch {
	case ext == "" && (strings.HasSuffix(value, ".kube/config") || anyOf(option, "kubeconfig")):
		return mcpsf.Home + "/.kube/config" // the default location
	case ext != "" && strings.Contains(strings.ToLower(value), "duckdb"):
		return f.newFile(ext)
	case databaseFile(base) == "sqlite":
		return f.places.Database
	case ext == "git" || ext == "" && (anyOf(all, "repo", "repository", "git")):
		return f.places.Repo
	case ext != "" && readable(ext) && !anyOf(all, "output", "out", "log", "logs", "export", "save"):
		return f.places.File
	case ext != "":
		return f.newFile(ext)
	case anyOf(all, "dir", "dirs", "directory", "directories", "folder", "folders", "vault", "root", "desktop", "documents", "project", "workspace"):
		return f.places.folder(all)
	case anyOf(all, "sqlite", "database", "db", "dbpath"):
		return f.places.Database
	case anyOf(option, "file", "filename", "filepath", "keyfile", "credentials") || anyOf(nameWords, "file", "filename"):
		if anyOf(all, "input", "read", "text", "document") {
			return f.places.File
		}
		return f.places.NewFile
	}
	return f.places.folder(all)
}

// newFile gives the new file an extension.
func (f filler) newFile(ext string) string {
	return strings.TrimSuffix(f.places.NewFile, path.Ext(f.places.NewFile)) + "." + ext
}

// readable reports extensions whose content may be any text.
func readable(ext string) bool {
	switch ext {
	case "txt", "md", "csv", "html", "log", "rst", "tex", "org":
		return true
	}
	return false
}

// databaseFile is the kind of database that a file name suggests.
func databaseFile(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".db", ".sqlite", ".sqlite3", ".db3", ".s3db":
		return "sqlite"
	case ".duckdb", ".ddb":
		return "duckdb"
	}
	return ""
}
