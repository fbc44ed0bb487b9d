package python

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
)

// pyproject reads pyproject.toml as PEP 621, PEP 735, poetry, uv and pdm write
// it.
func (ps *projects) pyproject(file string, data []byte) {
	doc := readTOML(ps.parts, file, data)
	project, poetry := doc.Get("project"), doc.Get("tool", "poetry")
	if project == nil && poetry == nil && doc.Get("dependency-groups") == nil {
		return // only settings of tools
	}
	name, version := project.Get("name").Text(), project.Get("version").Text()
	if name == "" {
		name, version = poetry.Get("name").Text(), poetry.Get("version").Text()
	}
	licences := []string{project.Get("license").Text(), project.Get("license", "text").Text(), poetry.Get("license").Text()}
	p := ps.name(disk.Dir(file), file, name, version, licences)
	p.standard(file, doc)
	p.poetry(file, poetry)
	dynamic := strings.Join(project.Get("dynamic").Texts(), " ")
	p.told = p.told || poetry.Get("dependencies") != nil || project != nil && !strings.Contains(dynamic, "dependencies")
}

// standard reads the PEP 508 lists.
func (p *project) standard(file string, doc *document.Value) {
	for _, text := range doc.Get("project", "dependencies").Texts() {
		p.ask(text, ask{file: file})
	}
	for extra, list := range doc.Get("project", "optional-dependencies").Fields() {
		for _, text := range list.Texts() {
			p.ask(text, ask{file: file, soft: true, dev: spare(extra)})
		}
	}
	for _, groups := range []*document.Value{doc.Get("dependency-groups"), doc.Get("tool", "pdm", "dev-dependencies")} {
		for _, list := range groups.Fields() {
			for _, text := range list.Texts() {
				p.ask(text, ask{file: file, dev: true})
			}
		}
	}
	for _, text := range doc.Get("tool", "uv", "dev-dependencies").Texts() {
		p.ask(text, ask{file: file, dev: true})
	}
}

// poetry reads poetry's own tables.
func (p *project) poetry(file string, doc *document.Value) {
	p.poetryTable(file, doc.Get("dependencies"), false)
	p.poetryTable(file, doc.Get("dev-dependencies"), true)
	for group, v := range doc.Get("group").Fields() {
		p.poetryTable(file, v.Get("dependencies"), group != "main")
	}
}

func (p *project) poetryTable(file string, table *document.Value, dev bool) {
	for name, v := range table.Fields() {
		if normal(name) == "python" {
			continue
		}
		if v.IsList() { // several, for different platforms
			v = v.At(0)
		}
		spec, url := v.Text(), v.Get("git").Text()
		if url != "" {
			url = "git+" + url
		}
		if v.IsObject() {
			spec = v.Get("version").Text()
		}
		if v.Get("path").Text() != "" {
			continue // a directory of this tree
		}
		if url == "" {
			url = v.Get("url").Text()
		}
		p.asks = append(p.asks, ask{
			requirement: requirement{name: normal(name), spec: strings.Clone(spec), url: strings.Clone(url), extras: normals(v.Get("extras").Texts())},
			file:        file, dev: dev, soft: v.Get("optional").True(),
		})
	}
}

func normals(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, normal(n))
	}
	return out
}

// setupConfig reads setuptools' settings in setup.cfg.
func (ps *projects) setupConfig(file string, data []byte) {
	fields := ini(string(data))
	name, requires := fields["metadata.name"], fields["options.install_requires"]
	if name == "" && requires == "" {
		return
	}
	version := fields["metadata.version"]
	if strings.Contains(version, ":") {
		version = "" // read from the source code
	}
	p := ps.name(disk.Dir(file), file, name, version, []string{fields["metadata.license"]})
	p.told = true
	for text := range strings.Lines(requires) {
		p.ask(text, ask{file: file})
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if extra, ok := strings.CutPrefix(key, "options.extras_require."); ok {
			for text := range strings.Lines(fields[key]) {
				p.ask(text, ask{file: file, soft: true, dev: spare(extra)})
			}
		}
	}
}

// ini reads the values of an INI file, by section and key. Indented lines
// continue a value.
func ini(data string) map[string]string {
	// gap: source-not-read
	const most = 10_000
	out := make(map[string]string)
	section, key := "", ""
	var value strings.Builder
	finish := func() {
		if key != "" && len(out) < most {
			out[section+"."+key] = strings.TrimSpace(value.String())
		}
		key = ""
		value.Reset()
	}
	for raw := range strings.Lines(data) {
		text := strings.TrimSpace(raw)
		switch {
		case text == "" || text[0] == '#' || text[0] == ';':
		case raw[0] == ' ' || raw[0] == '\t':
			value.WriteString("\n" + text)
		case text[0] == '[' && strings.HasSuffix(text, "]"):
			finish()
			section = text[1 : len(text)-1]
		default:
			finish()
			k, v, _ := strings.Cut(text, "=")
			key = strings.TrimSpace(k)
			value.WriteString(strings.TrimSpace(v))
		}
	}
	finish()
	return out
}
