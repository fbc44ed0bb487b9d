package lockfile

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	npmName      = lazyregexp.New(`^(?:@[A-Za-z0-9_~-][A-Za-z0-9._~-]*/[A-Za-z0-9_~-]|[A-Za-z0-9_~-])[A-Za-z0-9._~-]*$`)
	npmVersion   = lazyregexp.New(`^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,15}(?:[-+][0-9A-Za-z.+-]{1,128})?$`)
	npmIntegrity = lazyregexp.New(`^sha512-[A-Za-z0-9+/=]{1,100}$`)
)

// npm adds a locked version of an npm package.
func (b *builder) npm(p pin) {
	if len(p.name) > 214 || !npmName.MatchString(p.name) || !npmVersion.MatchString(p.version) {
		b.fail(errName)
		return
	}
	if !npmIntegrity.MatchString(p.integrity) {
		p.integrity = "" // of an older kind, which the registry may not state
	}
	b.add(p)
}

// versions returns the locked versions by name, each with its digest.
func (b *builder) versions() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, p := range b.pins {
		if all[p.name] == nil {
			all[p.name] = map[string]string{}
		}
		all[p.name][p.version] = p.integrity
	}
	return all
}

const modules = "node_modules/"

// packageLock reads a lock file of npm, of any version.
func (b *builder) packageLock(doc *document.Value) error {
	switch packages := doc.Get("packages"); {
	case packages.IsObject():
		for where, e := range packages.Fields() {
			i := strings.LastIndex(where, modules)
			if i < 0 || e.Get("link").True() || e.Get("extraneous").True() {
				continue // the project itself, a member of its workspace, or a remnant
			}
			name := e.Get("name").Text()
			if name == "" {
				name = where[i+len(modules):]
			}
			b.resolved(name, e.Get("version").Text(), e.Get("resolved").Text(), e.Get("integrity").Text())
		}
	case doc.Get("dependencies").IsObject():
		b.oldLock(doc.Get("dependencies"))
	case doc.Get("lockfileVersion") == nil:
		return errOther
	}
	return nil
}

// oldLock reads the entries of npm 6 and earlier, which are nested.
func (b *builder) oldLock(entries *document.Value) {
	for name, e := range entries.Fields() {
		version := e.Get("version").Text()
		if alias, ok := strings.CutPrefix(version, "npm:"); ok {
			name, version = descriptor(alias)
		}
		b.resolved(name, version, e.Get("resolved").Text(), e.Get("integrity").Text())
		b.oldLock(e.Get("dependencies"))
	}
}

// resolved adds an entry of npm or yarn, which name the file of each package. A
// version that is an address, and a package of a Git repository, come from
// elsewhere; a folder of the project is installed as its manifest says.
func (b *builder) resolved(name, version, file, integrity string) {
	switch {
	case strings.HasPrefix(version, "file:") || strings.HasPrefix(file, "file:"):
	case strings.HasPrefix(file, "git"), strings.ContainsAny(version, ":/"):
		b.from(name, npmName.MatchString(name))
	default:
		b.npm(pin{name: name, version: version, integrity: integrity})
	}
}

// descriptor splits "name@range", where the name may begin with an "@".
func descriptor(s string) (name, spec string) {
	if s == "" {
		return "", ""
	}
	i := strings.IndexByte(s[1:], '@')
	if i < 0 {
		return s, ""
	}
	return s[:i+1], s[i+2:]
}

// pnpm reads a pnpm-lock.yaml of any version.
func (b *builder) pnpm(data []byte) error {
	docs, err := document.YAML(data)
	if err != nil {
		return err
	}
	known := false
	for _, doc := range docs {
		major, _, _ := strings.Cut(doc.Get("lockfileVersion").Word(), ".")
		switch major {
		case "5", "6", "7", "9":
		default:
			continue
		}
		known = true
		for key, e := range doc.Get("packages").Fields() {
			b.pnpmEntry(key, major == "5", e)
		}
	}
	if !known {
		return errOther
	}
	return nil
}

func (b *builder) pnpmEntry(key string, old bool, e *document.Value) {
	name, version := pnpmKey(key, old)
	own := e.Get("name").Word() // only of what has another key than its name and version
	resolution := e.Get("resolution")
	switch {
	case resolution.Get("type").Word() == "directory", strings.HasPrefix(version, "file:"), strings.HasPrefix(version, "link:"), strings.HasPrefix(key, "file:"):
	case own != "":
		b.from(own, npmName.MatchString(own))
	case resolution.Get("repo") != nil, strings.ContainsAny(version, ":/"):
		b.from(name, npmName.MatchString(name))
	default:
		b.npm(pin{name: name, version: version, integrity: resolution.Get("integrity").Word()})
	}
}

// pnpmKey splits a key. Files up to version 5 have "/name/1.0.0_peers", later ones
// "/name@1.0.0(peers)".
func pnpmKey(key string, old bool) (name, version string) {
	key = strings.TrimPrefix(key, "/")
	if !old {
		key, _, _ = strings.Cut(key, "(")
		return descriptor(key)
	}
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return key, ""
	}
	version, _, _ = strings.Cut(key[i+1:], "_")
	return key[:i], version
}
