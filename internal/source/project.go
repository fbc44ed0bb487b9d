package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxManifest bounds the manifests that are read at all.
const maxManifest = 1 << 20

// project is a staged tree in which the entry point is looked for.
type project struct {
	tree *tree
	root *os.Root // the stage
	// source is the target as typed; dir and file are where it is.
	source, dir, file string

	node   packageJSON
	python pyproject
	server serverJSON
	bundle *bundle // nil if it is none
	// read says that the manifests were.
	read bool
	// installed is set for what was found after an installation.
	installed *installation
	// wheel is set if the tree is what an installer would unpack.
	wheel bool
	// missing holds half sentences about files a manifest names that are not
	// there: `package.json names "dist/index.js"`.
	missing []string
}

func (p *project) readManifests() {
	if p.file != "" || p.read {
		return
	}
	p.read = true
	p.node = parsePackageJSON(p.object("package.json"))
	p.server = parseServerJSON(p.object("server.json"))
	p.bundle = parseBundle(p.object("manifest.json"))
	if data := p.manifest("pyproject.toml"); data != nil {
		var err error
		if p.python, err = parsePyproject(data); err != nil {
			p.tree.notes.add("pyproject.toml was read only in part: %v", err)
		}
	}
	p.readWheel()
}

// identify takes name, version and description from the manifest of the
// runtime that was chosen, and falls back to the others.
func (p *project) identify(a *mcpsf.Artifact) {
	all := []about{p.node.about, p.python.about, p.server.about}
	if a.Runtime == mcpsf.RuntimePython {
		all[0], all[1] = all[1], all[0]
	}
	if p.bundle != nil {
		all = append([]about{p.bundle.about}, all...)
	}
	for _, m := range all {
		if m.name == "" {
			continue
		}
		a.Name, a.Version, a.Description = m.name, m.version, m.description
		return
	}
}

// about is what a manifest says of its package, safe to print.
type about struct {
	name, version, description string
}

func newAbout(name, version, description string) about {
	return about{name: clean(name, 214), version: clean(version, 64), description: clean(description, 1000)}
}

// manifest returns the contents of a file in the root of the tree, nil if
// there is none or it is no use.
func (p *project) manifest(name string) []byte {
	e := p.tree.file(name)
	if e == nil {
		return nil
	}
	if e.info.Size() > maxManifest {
		p.tree.notes.add("%s was not read: it is larger than %s", name, size(maxManifest))
		return nil
	}
	return bytes.TrimPrefix(p.head(e, maxManifest), []byte("\xef\xbb\xbf"))
}

// object reads a manifest in JSON.
func (p *project) object(name string) map[string]json.RawMessage {
	data := p.manifest(name)
	if data == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		p.tree.notes.add("%s was not read: it is not a JSON object", name)
	}
	return fields
}

// head returns the first n bytes of a staged file.
func (p *project) head(e *entry, n int64) []byte {
	f, err := p.root.Open(e.path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data := make([]byte, min(n, e.info.Size()))
	got, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	}
	return data[:got]
}

// text decodes a JSON string; anything else is "".
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// serverJSON is what the MCP registry's server.json tells: not how to start
// the server, but which of several languages it is written in.
type serverJSON struct {
	about
	runtime mcpsf.Runtime
}

func parseServerJSON(fields map[string]json.RawMessage) serverJSON {
	s := serverJSON{about: newAbout(text(fields["name"]), text(fields["version"]), text(fields["description"]))}
	var packages []map[string]json.RawMessage
	if json.Unmarshal(fields["packages"], &packages) != nil || len(packages) != 1 {
		return s
	}
	for _, key := range []string{"registryType", "registry_type", "registry_name"} {
		switch strings.ToLower(text(packages[0][key])) {
		case "npm":
			s.runtime = mcpsf.RuntimeNode
		case "pypi":
			s.runtime = mcpsf.RuntimePython
		}
	}
	return s
}
