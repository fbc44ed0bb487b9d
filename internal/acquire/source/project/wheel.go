package project

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// readWheel takes scripts and name from the only .dist-info directory of a
// wheel. A pyproject.toml beside it, which no wheel has, wins.
func (p *Project) readWheel() {
	info := ""
	for _, e := range p.Tree.Entries {
		if e.IsDir() && !strings.Contains(e.Path, "/") && path.Ext(e.Path) == ".dist-info" {
			if info != "" {
				return // a directory of installed packages, not one package
			}
			info = e.Path
		}
	}
	if info == "" {
		return
	}
	p.wheel = true
	if len(p.python.scripts) == 0 {
		p.python.scripts = parseEntryPoints(p.Manifest(path.Join(info, "entry_points.txt"))).scripts
	}
	if p.python.name == "" {
		p.python.about = parseMetadata(p.Manifest(path.Join(info, "METADATA")))
	}
	p.python.depends, p.python.needs = parseRequirements(p.Manifest(path.Join(info, "METADATA")))
}

// maxScripts bounds the entry points of one package.
// no gap: a larger package, manifest or list is refused with an error
const maxScripts = 256

// parseEntryPoints reads the programs of an entry_points.txt.
func parseEntryPoints(data []byte) pyproject {
	var p pyproject
	section := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		name, value, ok := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.TrimSpace(line[1 : len(line)-1])
		case ok && section == "console_scripts" && !strings.HasPrefix(line, "#") && len(p.scripts) < maxScripts:
			p.add("entry_points.txt", strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	return p
}

// parseMetadata reads the header of a METADATA file.
func parseMetadata(data []byte) about {
	fields := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		switch key = strings.ToLower(key); key {
		case "name", "version", "summary":
			if _, seen := fields[key]; !seen {
				fields[key] = strings.TrimSpace(value)
			}
		}
	}
	return newAbout(fields["name"], fields["version"], fields["summary"])
}

// parseRequirements reads from the header of a METADATA file whether the
// package needs others and which Python it needs. Requirements of extras do not
// count.
func parseRequirements(data []byte) (depends bool, needs string) {
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			break
		}
		key, value, _ := strings.Cut(line, ":")
		switch strings.ToLower(key) {
		case "requires-dist":
			_, marker, _ := strings.Cut(value, ";")
			depends = depends || !strings.Contains(marker, "extra")
		case "requires-python":
			needs = safetext.Line(strings.TrimSpace(value), 100)
		}
	}
	return depends, needs
}
