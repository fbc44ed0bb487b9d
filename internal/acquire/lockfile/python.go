package lockfile

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// poetry reads a poetry.lock. A folder of the project is in the requirements of the
// project itself.
func (b *builder) poetry(doc *document.Value) error {
	if version := doc.Get("metadata", "lock-version").Word(); !strings.HasPrefix(version, "1.") && !strings.HasPrefix(version, "2.") {
		return errOther
	}
	for e := range doc.Get("package").Items() {
		name, groups := e.Get("name").Text(), e.Get("groups").Texts()
		p := pin{
			name: name, version: e.Get("version").Text(), marker: e.Get("markers").Text(),
			dev: e.Get("category").Text() == "dev" || len(groups) > 0 && !slices.Contains(groups, "main"),
		}
		if p.marker == "" {
			p.marker = e.Get("markers", "main").Text()
		}
		switch source := e.Get("source"); source.Get("type").Text() {
		case "", "legacy":
			b.project(p)
			if !p.dev && !e.Get("optional").True() {
				b.require(name, nil, p.marker)
			}
		case "directory":
			if inside(source.Get("url").Text()) == "" {
				b.from(name, projectName.MatchString(name))
			}
		default:
			b.from(name, projectName.MatchString(name))
		}
	}
	return nil
}

// pdm reads a pdm.lock.
func (b *builder) pdm(doc *document.Value) error {
	if !strings.HasPrefix(doc.Get("metadata", "lock_version").Word(), "4.") {
		return errOther
	}
	for e := range doc.Get("package").Items() {
		name, groups := e.Get("name").Text(), e.Get("groups").Texts()
		switch folder := e.Get("path").Text(); {
		case folder != "" && inside(folder) != "":
		case folder != "" || e.Get("git") != nil || e.Get("url") != nil:
			b.from(name, projectName.MatchString(name))
		default:
			b.project(pin{
				name: name, version: e.Get("version").Text(), marker: e.Get("marker").Text(),
				dev: len(groups) > 0 && !slices.Contains(groups, "default"),
			})
		}
	}
	return nil
}

// pylock reads a pylock.toml (PEP 751). It lists all that is installed, so it can
// stand alone.
func (b *builder) pylock(doc *document.Value) error {
	if !strings.HasPrefix(doc.Get("lock-version").Word(), "1.") {
		return errOther
	}
	for e := range doc.Get("packages").Items() {
		name, version := e.Get("name").Text(), e.Get("version").Text()
		switch {
		case e.Get("directory") != nil && inside(e.Get("directory", "path").Text()) != "":
		case e.Get("directory") != nil, e.Get("vcs") != nil, e.Get("archive") != nil, version == "":
			b.from(name, projectName.MatchString(name))
		default:
			b.project(pin{name: name, version: version, marker: e.Get("marker").Text()})
			b.require(name, nil, e.Get("marker").Text())
		}
	}
	return nil
}

// pipfile reads a Pipfile.lock, which can stand alone as well.
func (b *builder) pipfile(doc *document.Value) error {
	if doc.Get("_meta", "pipfile-spec") == nil {
		return errOther
	}
	for _, group := range []string{"default", "develop"} {
		for name, e := range doc.Get(group).Fields() {
			version, exact := strings.CutPrefix(e.Get("version").Text(), "==")
			switch folder := e.Get("path").Text(); {
			case folder != "" && inside(folder) != "":
			case !exact || folder != "" || e.Get("git") != nil || e.Get("file") != nil:
				b.from(name, projectName.MatchString(name))
			default:
				b.project(pin{name: name, version: version, marker: e.Get("markers").Text(), dev: group == "develop"})
				if group == "default" {
					b.require(name, nil, e.Get("markers").Text())
				}
			}
		}
	}
	return nil
}

// requirements reads the exact versions of a list of requirements. Other lines,
// options and other files among them, are pip's affair.
func (b *builder) requirements(data string) {
	data = strings.ReplaceAll(strings.ReplaceAll(data, "\r\n", "\n"), "\\\n", " ")
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, " #")
		line, _, _ = strings.Cut(line, " --")
		text, marker, _ := strings.Cut(line, ";")
		name, version, ok := strings.Cut(text, "==")
		name, _, _ = strings.Cut(name, "[")
		name, version = strings.TrimSpace(name), strings.TrimPrefix(strings.TrimSpace(version), "=")
		plain, _, _ := strings.Cut(version, "+")
		if ok && projectName.MatchString(name) && projectVersion.MatchString(plain) {
			b.project(pin{name: name, version: version, marker: marker})
		}
	}
}
