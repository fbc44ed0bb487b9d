// Package project finds out how a server is started.
//
// In: a staged tree. Out: the command, the environment, the name and, if
// needed, the installation: from bundle manifests, package.json,
// pyproject.toml, wheels, the layout and file names. [Installed] reads the
// result of an installation.
package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// maxManifest is the largest manifest that is read.
// no gap: a larger package, manifest or list is refused with an error
const maxManifest = 1 << 20

// Project is a staged tree whose entry point is searched.
type Project struct {
	Tree *staging.Tree
	Root *os.Root // the stage
	// Source is the target as typed; Dir and File are its location.
	Source, Dir, File string
	// Unstarted is set if it will not be started.
	Unstarted bool

	node   packageJSON
	python pyproject
	server serverJSON
	bundle *bundle // nil if it is none
	// read says that the manifests were read.
	read bool
	// installed is set after an installation.
	installed *installation
	// wheel is set if the tree is an unpacked wheel.
	wheel bool
	// missing holds half sentences about missing files that a manifest names:
	// `package.json names "dist/index.js"`.
	missing []string
}

// ReadManifests reads the project's manifests, once.
func (p *Project) ReadManifests() {
	if p.File != "" || p.read {
		return
	}
	p.read = true
	p.node = parsePackageJSON(p.Object("package.json"))
	p.server = parseServerJSON(p.Object("server.json"))
	p.bundle = parseBundle(p.Object("manifest.json"))
	if data := p.Manifest("pyproject.toml"); data != nil {
		var err error
		if p.python, err = parsePyproject(data); err != nil {
			p.Tree.Notes.Add("pyproject.toml was read only in part: %v", err)
		}
	}
	p.readWheel()
}

// Engine is the version of Node.js that package.json requires.
func (p *Project) Engine() string { return p.node.engine }

// identify takes name, version and description from the manifest of the chosen
// runtime, and falls back to the others.
func (p *Project) identify(a *mcpsf.Artifact) {
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

// about is a manifest's description of its package, safe to print.
type about struct {
	name, version, description string
}

func newAbout(name, version, description string) about {
	return about{name: safetext.Line(name, 214), version: safetext.Line(version, 64), description: safetext.Line(description, 1000)}
}

// Manifest returns the content of a file in the root of the tree, nil if it is
// missing or unusable.
func (p *Project) Manifest(name string) []byte {
	e := p.Tree.File(name)
	if e == nil {
		return nil
	}
	if e.Info.Size() > maxManifest {
		p.Tree.Notes.Add("%s was not read: it is larger than %s", name, usererr.Size(maxManifest))
		return nil
	}
	return bytes.TrimPrefix(p.Head(e, maxManifest), []byte("\xef\xbb\xbf"))
}

// Object reads a manifest in JSON.
func (p *Project) Object(name string) map[string]json.RawMessage {
	data := p.Manifest(name)
	if data == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		p.Tree.Notes.Add("%s was not read: it is not a JSON object", name)
	}
	return fields
}

// Head returns the first n bytes of a staged file.
func (p *Project) Head(e *staging.Entry, n int64) []byte {
	f, err := p.Root.Open(e.Path)
	if err != nil {
		return nil
	}
	defer f.Close()
	data := make([]byte, min(n, e.Info.Size()))
	got, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	}
	return data[:got]
}

// serverJSON is the part of the MCP registry's server.json that is used: not
// how to start the server, but which of several languages it is written in.
type serverJSON struct {
	about
	runtime mcpsf.Runtime
}

func parseServerJSON(fields map[string]json.RawMessage) serverJSON {
	s := serverJSON{about: newAbout(document.Text(fields["name"]), document.Text(fields["version"]), document.Text(fields["description"]))}
	var packages []map[string]json.RawMessage
	if json.Unmarshal(fields["packages"], &packages) != nil || len(packages) != 1 {
		return s
	}
	for _, key := range []string{"registryType", "registry_type", "registry_name"} {
		switch strings.ToLower(document.Text(packages[0][key])) {
		case "npm":
			s.runtime = mcpsf.RuntimeNode
		case "pypi":
			s.runtime = mcpsf.RuntimePython
		}
	}
	return s
}
