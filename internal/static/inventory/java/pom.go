package java

import (
	"path"
	"strings"
)

// Bounds of a pom.xml.
// gap: source-not-read
const (
	maxParents = 8
	maxText    = 300
	maxRounds  = 8
)

// pom holds the relevant parts of a pom.xml.
type pom struct {
	file                     string
	group, artifact, version string
	parent                   string // the file it inherits from, if that is in the tree
	licences                 []string
	properties               map[string]string
	managed                  map[string]dependency // by name
	dependencies             []dependency
}

// dependency is one dependency in a pom.xml, unresolved.
type dependency struct {
	group, artifact, version, scope string
	optional                        bool
}

func readPOM(file string, data []byte) (*pom, error) {
	doc, err := parseXML(data)
	project := doc.get("project")
	p := &pom{
		file: file, group: project.value("groupId"), artifact: project.value("artifactId"), version: project.value("version"),
		properties: make(map[string]string), managed: make(map[string]dependency),
	}
	if p.group == "" {
		p.group = project.value("parent", "groupId")
	}
	if p.version == "" {
		p.version = project.value("parent", "version")
	}
	if parent := project.get("parent"); parent != nil {
		p.properties["project.parent.version"] = parent.value("version")
		relative := parent.value("relativePath")
		if parent.get("relativePath") == nil {
			relative = "../pom.xml"
		}
		if relative != "" && !path.IsAbs(relative) {
			if !strings.HasSuffix(relative, ".xml") {
				relative += "/pom.xml"
			}
			p.parent = path.Join(path.Dir(file), relative)
		}
	}
	for _, e := range project.all("properties") {
		p.properties[e.name] = strings.TrimSpace(e.text.String())
	}
	for _, e := range project.all("licenses") {
		p.licences = append(p.licences, e.value("name"))
	}
	for _, e := range project.all("dependencyManagement", "dependencies") {
		d := readDependency(e)
		p.managed[d.group+":"+d.artifact] = d
	}
	for _, e := range project.all("dependencies") {
		p.dependencies = append(p.dependencies, readDependency(e))
	}
	return p, err
}

func readDependency(e *element) dependency {
	return dependency{
		group: e.value("groupId"), artifact: e.value("artifactId"), version: e.value("version"), scope: e.value("scope"),
		optional: e.value("optional") == "true",
	}
}

// family is a pom.xml and those it inherits from, nearest first.
type family []*pom

// expand replaces ${names} by their values. It gives up if that does not end or
// grows too long: the result then still contains a "$".
func (f family) expand(s string) string {
	for range maxRounds {
		start := strings.Index(s, "${")
		if start < 0 || len(s) > maxText {
			return s
		}
		end := strings.IndexByte(s[start:], '}')
		if end < 0 {
			return s
		}
		value, ok := f.property(s[start+2 : start+end])
		if !ok {
			return s
		}
		s = s[:start] + value + s[start+end+1:]
	}
	return s
}

func (f family) property(name string) (string, bool) {
	for _, p := range f {
		if v, ok := p.properties[name]; ok {
			return v, true
		}
	}
	switch strings.TrimPrefix(strings.TrimPrefix(name, "project."), "pom.") {
	case "version":
		return f[0].version, f[0].version != ""
	case "groupId":
		return f[0].group, f[0].group != ""
	case "artifactId":
		return f[0].artifact, f[0].artifact != ""
	}
	return "", false
}

// resolve fills in what a dependency inherits.
func (f family) resolve(d dependency) dependency {
	d.group, d.artifact = f.expand(d.group), f.expand(d.artifact)
	for _, p := range f {
		if m, ok := p.managed[d.group+":"+d.artifact]; ok {
			if d.version == "" {
				d.version = m.version
			}
			if d.scope == "" {
				d.scope = m.scope
			}
		}
	}
	d.version = f.expand(d.version)
	return d
}

// exact returns the version in a text, "" for a range or an unresolved one.
func exact(version string) string {
	if one, ok := strings.CutPrefix(version, "["); ok {
		if one, ok = strings.CutSuffix(one, "]"); ok && !strings.Contains(one, ",") {
			return one
		}
	}
	if strings.ContainsAny(version, "[](),${} ") {
		return ""
	}
	return version
}
