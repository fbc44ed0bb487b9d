package npm

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// modules is where packages are installed.
const modules = "node_modules"

// manifest holds the relevant parts of a package.json.
type manifest struct {
	name, version string
	licences      []string
	asks          []ask
	// workspace is set if other directories of the tree belong to it.
	workspace bool
	// private is set if it is not meant to be published.
	private bool
}

// ask is one dependency of a package.
type ask struct {
	name, spec string
	// soft is set if it is optional.
	soft bool
	dev  bool
}

func readManifest(doc *document.Value) manifest {
	return manifest{
		name: doc.Get("name").Text(), version: doc.Get("version").Text(),
		licences: licences(doc), asks: asks(doc), workspace: doc.Get("workspaces") != nil,
		private: doc.Get("private").True(),
	}
}

// asks reads the four dependency lists of a manifest or a lock file entry.
func asks(doc *document.Value) []ask {
	var out []ask
	for _, section := range []string{"dependencies", "optionalDependencies", "peerDependencies", "devDependencies"} {
		for name, spec := range doc.Get(section).Fields() {
			if name != "" {
				out = append(out, ask{
					name: strings.Clone(name), spec: strings.Clone(spec.Text()),
					soft: section == "optionalDependencies" || section == "peerDependencies", dev: section == "devDependencies",
				})
			}
		}
	}
	return out
}

// licences reads all historical forms: a name, an object with one, a list of
// these.
func licences(doc *document.Value) []string {
	var out []string
	for _, key := range []string{"license", "licence", "licenses"} {
		v := doc.Get(key)
		out = append(out, v.Text(), v.Get("type").Text(), v.Get("name").Text())
		for item := range v.Items() {
			out = append(out, item.Text(), item.Get("type").Text(), item.Get("name").Text())
		}
	}
	return out
}

// installedName returns the name of a folder in node_modules, and false for a
// directory elsewhere.
func installedName(dir string) (string, bool) {
	at := strings.LastIndex("/"+dir, "/"+modules+"/")
	if at < 0 {
		return "", false
	}
	name := packageName(dir[at+len(modules)+1:])
	return name, name != ""
}

// packageName returns a valid name of a package's folder, else "".
func packageName(folder string) string {
	scope, name, scoped := strings.Cut(folder, "/")
	switch {
	case scoped && (!strings.HasPrefix(scope, "@") || strings.Contains(name, "/") || name == ""),
		!scoped && strings.HasPrefix(scope, "@"), strings.HasPrefix(scope, "."):
		return ""
	}
	return folder
}

// source returns the origin of a package, "" for a registry or this tree. It
// leaves out possible secrets.
func source(url string) string {
	url, _, _ = strings.Cut(url, "?")
	scheme, rest, ok := strings.Cut(url, "://")
	switch {
	case strings.HasPrefix(url, "github:"):
		return "git+https://github.com/" + strings.TrimPrefix(url, "github:")
	case !ok:
		return ""
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if !strings.HasPrefix(scheme, "git") && (strings.Contains(path, "/-/") || !strings.HasPrefix(scheme, "http")) {
		return "" // a file of a registry
	}
	return scheme + "://" + host + "/" + path
}
