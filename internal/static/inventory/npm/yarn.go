package npm

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// yarnLock is a lock file of yarn: the resolved version of each required range.
type yarnLock struct {
	ranges map[string]*place   // by "name@range"
	names  map[string][]*place // by name, in the order of the file
	own    map[string]bool     // names of workspace members
	all    []*place
}

// yarnLock reads a yarn.lock of any version.
func (r *Reader) yarnLock(file string, data []byte) lock {
	l := &yarnLock{ranges: make(map[string]*place), names: make(map[string][]*place), own: make(map[string]bool)}
	if bytes.HasPrefix(data, []byte("__metadata:")) || bytes.Contains(data, []byte("\n__metadata:")) {
		r.berry(l, file, data)
	} else {
		r.classic(l, file, string(data))
	}
	for _, p := range l.all {
		for _, a := range p.asks {
			found, _ := l.find("", a)
			p.part.Need(false, found...)
		}
	}
	return l
}

// put adds a package under its ranges.
func (l *yarnLock) put(p *place, ranges []string) {
	l.all = append(l.all, p)
	for _, r := range ranges {
		name, spec := descriptor(r)
		l.ranges[strings.Clone(rangeKey(name, spec))] = p
		if known := l.names[name]; len(known) < part.MaxVersions && !slices.Contains(known, p) {
			l.names[strings.Clone(name)] = append(known, p)
		}
	}
}

// rangeKey returns the same key for the ways in which versions of yarn write a
// range.
func rangeKey(name, spec string) string { return name + "@" + strings.TrimPrefix(spec, "npm:") }

func (l *yarnLock) find(_ string, a ask) ([]*part.Part, bool) {
	if p := l.ranges[rangeKey(a.name, a.spec)]; p != nil {
		return []*part.Part{p.part}, false
	}
	// A range that the project overrides is not in the file as required.
	var found []*part.Part
	for _, p := range l.names[a.name] {
		found = append(found, p.part)
	}
	return found, l.own[a.name]
}

// classic reads the format of yarn 1: entries without indentation, fields with
// two blanks, lists of packages with four.
func (r *Reader) classic(l *yarnLock, file, data string) {
	var e *classicEntry
	section := ""
	finish := func() {
		if e != nil {
			r.classicEntry(l, file, e)
		}
	}
	number, bad := 0, 0
	for line := range strings.Lines(data) {
		number++
		line = strings.TrimRight(line, "\r\n")
		text := strings.TrimLeft(line, " ")
		switch indent := len(line) - len(text); {
		case text == "" || text[0] == '#':
		case indent == 0 && strings.HasSuffix(text, ":"):
			finish()
			e, section = &classicEntry{ranges: words(strings.TrimSuffix(text, ":"))}, ""
		case e == nil:
			bad = number
		case indent == 2 && strings.HasSuffix(text, ":"):
			section = strings.TrimSuffix(text, ":")
		case indent == 2:
			section = ""
			e.field(words(text))
		case section == "dependencies" || section == "optionalDependencies":
			if w := words(text); len(w) == 2 {
				e.asks = append(e.asks, ask{name: strings.Clone(w[0]), spec: strings.Clone(w[1])})
			}
		}
	}
	finish()
	if bad > 0 {
		r.parts.Note(file, "line %d: it is not a lock file of yarn", bad)
	}
}

type classicEntry struct {
	ranges                       []string
	version, resolved, integrity string
	asks                         []ask
}

func (e *classicEntry) field(words []string) {
	if len(words) < 2 {
		return
	}
	switch words[0] {
	case "version":
		e.version = words[1]
	case "resolved":
		e.resolved = words[1]
	case "integrity":
		e.integrity = strings.Join(words[1:], " ")
	}
}

func (r *Reader) classicEntry(l *yarnLock, file string, e *classicEntry) {
	if len(e.ranges) == 0 {
		return
	}
	name, spec := descriptor(e.ranges[0])
	if alias, ok := strings.CutPrefix(spec, "npm:"); ok {
		name, _ = descriptor(alias)
	}
	url, hash, _ := strings.Cut(e.resolved, "#")
	digests := []string{e.integrity}
	if e.integrity == "" {
		digests = append(digests, "sha1:"+hash)
	}
	p := r.parts.Add(part.Part{
		ID:      part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: e.version},
		Digests: digests, From: source(url), File: file,
	})
	if p != nil {
		l.put(&place{part: p, asks: e.asks}, e.ranges)
	}
}

// words splits a line at blanks and commas, but not in quotes.
func words(s string) []string {
	// gap: source-not-read
	const most = 10_000
	var out []string
	for len(out) < most {
		s = strings.TrimLeft(s, " ,")
		if s == "" {
			break
		}
		if s[0] == '"' {
			if quoted, err := strconv.QuotedPrefix(s); err == nil {
				if w, err := strconv.Unquote(quoted); err == nil {
					out, s = append(out, w), s[len(quoted):]
					continue
				}
			}
		}
		n := strings.IndexAny(s, " ,")
		if n < 0 {
			n = len(s)
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

// berry reads the format of yarn 2 and later.
func (r *Reader) berry(l *yarnLock, file string, data []byte) {
	docs, err := document.YAML(data)
	if err != nil {
		r.parts.Note(file, "%v", err)
	}
	if len(docs) == 0 {
		return
	}
	for key, e := range docs[0].Fields() {
		if key == "__metadata" {
			switch version := e.Get("version").Word(); version {
			case "4", "5", "6", "7", "8", "9", "10":
			default:
				r.parts.Note(file, "lock file version %s is not known; what could be read of it was", part.Quote(version))
			}
			continue
		}
		name, resolution := descriptor(e.Get("resolution").Text())
		if name == "" {
			name, _ = descriptor(key)
		}
		if strings.HasPrefix(resolution, "workspace:") {
			l.own[strings.Clone(name)] = true
			continue
		}
		p := r.parts.Add(part.Part{
			ID:   part.ID{Ecosystem: mcpsf.EcosystemNPM, Name: name, Version: e.Get("version").Word()},
			From: berrySource(resolution), File: file,
		})
		if p != nil {
			l.put(&place{part: p, asks: berryAsks(e)}, strings.Split(key, ", "))
		}
	}
}

// berryAsks returns the dependencies of a package. The file does not have the
// ranges of peers.
func berryAsks(e *document.Value) []ask {
	var out []ask
	for name, spec := range e.Get("dependencies").Fields() {
		out = append(out, ask{name: strings.Clone(name), spec: strings.Clone(spec.Word())})
	}
	for name := range e.Get("peerDependencies").Fields() {
		out = append(out, ask{name: strings.Clone(name), soft: true})
	}
	return out
}

// berrySource returns the origin of a package. The original of a patched
// package is in the file as well.
func berrySource(resolution string) string {
	url, _, _ := strings.Cut(resolution, "::")
	if strings.HasPrefix(url, "npm:") || strings.HasPrefix(url, "patch:") {
		return ""
	}
	return source(url)
}
