package packagefiles

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxDeclared bounds the hosts that a package can mention.
// no gap: reads what excuses contact; reading less excuses less
const maxDeclared = 256

// hostname matches what looks like a host name.
var hostname = lazyregexp.New(`(?i)\b(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,18}\b`)

// DeclaredHosts returns the hosts that a package mentions in its documentation
// and metadata, where a user can read them before it is run.
func DeclaredHosts(a *mcpsf.Artifact) []string {
	var hosts []string
	for _, text := range documentation(a) {
		for _, name := range hostname.FindAllString(text, 16*maxDeclared) {
			name = strings.ToLower(name)
			if isHost(name) && !slices.Contains(hosts, name) && len(hosts) < maxDeclared {
				hosts = append(hosts, name)
			}
		}
		for _, m := range localPort.FindAllStringSubmatch(text, maxDeclared) {
			if name := "localhost:" + m[1]; !slices.Contains(hosts, name) && len(hosts) < maxDeclared {
				hosts = append(hosts, name)
			}
		}
	}
	return hosts
}

// localPort is a port on the user's own machine.
var localPort = lazyregexp.New(`\b(?:localhost|127\.0\.0\.1):(\d{2,5})\b`)

// documentation returns the texts about a package that a user can read before it
// is run.
func documentation(a *mcpsf.Artifact) []string {
	texts := []string{a.Description}
	if a.Dir == "" {
		return texts
	}
	root, err := os.OpenRoot(a.Dir)
	if err != nil {
		return texts
	}
	defer root.Close()
	texts = append(texts, string(Readme(root)))
	for _, name := range []string{"package.json", "pyproject.toml", "server.json", "manifest.json", "PKG-INFO"} {
		texts = append(texts, string(Read(root, name)))
	}
	return texts
}

// isHost tells host names from names of files and modules: the ending is a
// public top-level domain.
func isHost(name string) bool {
	suffix, managed := publicsuffix.PublicSuffix(name)
	if top := name[strings.LastIndexByte(name, '.')+1:]; top == "example" || top == "test" {
		return true
	}
	if !managed && !strings.Contains(suffix, ".") || suffix == name {
		return false
	}
	switch suffix {
	case "md", "py", "sh", "rs", "so", "zip": // also file extensions
		return strings.Count(name, ".") > 1
	}
	return true
}
