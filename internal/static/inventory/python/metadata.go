package python

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/disk"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// metadata holds the relevant parts of the METADATA or PKG-INFO of a package.
type metadata struct {
	name, version string
	licences      []string
	requires      []requirement
}

// metadata reads the metadata of an installed package or a source package.
func (r *Reader) metadata(file string, data []byte) {
	m := readMetadata(string(data))
	dir, base := disk.Dir(file), path.Base(file)
	info := path.Base(dir)
	if strings.HasSuffix(base, ".egg-info") {
		info = base
		dir = file
	}
	if base == "PKG-INFO" && !strings.HasSuffix(info, ".egg-info") && info != "EGG-INFO" {
		r.projects.source(dir, file, m) // an unpacked source package
		return
	}
	if m.name == "" {
		r.parts.Note(file, "it has no name of a package")
		return
	}
	if strings.HasSuffix(info, ".egg-info") && base == "PKG-INFO" {
		m.requires = append(m.requires, r.eggRequires(dir)...)
		if at, ok := r.projects.built(disk.Dir(dir)); ok {
			r.projects.source(at, file, m)
			return
		}
	}
	where := disk.Dir(dir)
	if info == "EGG-INFO" {
		where = disk.Dir(where)
	}
	p := r.parts.Add(part.Part{
		ID:       part.ID{Ecosystem: mcpsf.EcosystemPyPI, Name: normal(m.name), Version: m.version},
		Licences: m.licences, File: file, Installed: true,
	})
	if p != nil {
		d := &dist{part: p, requires: m.requires, site: where}
		r.sites.site(where)[p.Name] = d
		r.sites.record(d, dir)
	}
}

// readMetadata reads the headers; the description follows them.
func readMetadata(data string) metadata {
	// gap: source-not-read
	const most = 5_000
	var m metadata
	var expression, licence string
	var classifiers []string
	for raw := range strings.Lines(data) {
		raw = strings.TrimRight(raw, "\r\n")
		if raw == "" {
			break
		}
		key, value, ok := strings.Cut(raw, ":")
		if !ok || raw[0] == ' ' || raw[0] == '\t' {
			if licence != "" {
				licence = "\n" // its whole text
			}
			continue
		}
		value = strings.TrimSpace(value)
		switch strings.ToLower(key) {
		case "name":
			m.name = value
		case "version":
			m.version = value
		case "license-expression":
			expression = value
		case "license":
			licence = value
		case "classifier":
			if name, ok := strings.CutPrefix(value, "License :: "); ok {
				classifiers = append(classifiers, classified(name))
			}
		case "requires-dist":
			if req, ok := parse(value); ok && len(m.requires) < most {
				m.requires = append(m.requires, req)
			}
		}
	}
	m.licences = chosen(expression, licence, classifiers)
	return m
}

// chosen returns the most precise statement of the licence.
func chosen(expression, licence string, classifiers []string) []string {
	// gap: source-not-read
	const most = 100
	switch {
	case expression != "":
		return []string{expression}
	case licence != "" && licence != "\n" && len(licence) <= most && !strings.EqualFold(licence, "unknown"):
		return []string{licence}
	}
	return classifiers
}

// classified returns the SPDX name of a classifier if there is exactly one,
// else the last part of the classifier.
func classified(name string) string {
	words := name[strings.LastIndex(":"+name, ":"):]
	words = strings.TrimSpace(words)
	if id, ok := map[string]string{
		"MIT License": "MIT", "MIT No Attribution License (MIT-0)": "MIT-0", "ISC License (ISCL)": "ISC",
		"Apache Software License": "Apache-2.0", "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
		"Python Software Foundation License": "PSF-2.0", "The Unlicense (Unlicense)": "Unlicense",
		"GNU General Public License v2 (GPLv2)":                   "GPL-2.0-only",
		"GNU General Public License v2 or later (GPLv2+)":         "GPL-2.0-or-later",
		"GNU General Public License v3 (GPLv3)":                   "GPL-3.0-only",
		"GNU General Public License v3 or later (GPLv3+)":         "GPL-3.0-or-later",
		"GNU Lesser General Public License v3 (LGPLv3)":           "LGPL-3.0-only",
		"GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
		"GNU Affero General Public License v3":                    "AGPL-3.0-only",
		"GNU Affero General Public License v3 or later (AGPLv3+)": "AGPL-3.0-or-later",
		"CC0 1.0 Universal (CC0 1.0) Public Domain Dedication":    "CC0-1.0",
		"Boost Software License 1.0 (BSL-1.0)":                    "BSL-1.0",
		"Historical Permission Notice and Disclaimer (HPND)":      "HPND",
		"GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL-2.0-or-later",
		"European Union Public Licence 1.2 (EUPL 1.2)":            "EUPL-1.2",
		"zlib/libpng License":                                     "Zlib",
	}[words]; ok {
		return id
	}
	return words
}

// eggRequires reads requires.txt beside a PKG-INFO: requirements, then those of
// an extra below "[extra]" or "[extra:marker]".
func (r *Reader) eggRequires(dir string) []requirement {
	file := dir + "/requires.txt"
	if !r.disk.Has(file) {
		return nil
	}
	data, ok := r.disk.Read(file)
	if !ok {
		return nil
	}
	var out []requirement
	var only []string
	for _, l := range logical(string(data)) {
		if section, ok := strings.CutPrefix(l.text, "["); ok {
			extra, _, _ := strings.Cut(strings.TrimSuffix(section, "]"), ":")
			only = nil
			if extra != "" {
				only = []string{normal(extra)}
			}
			continue
		}
		if req, ok := parse(l.text); ok {
			req.only = only
			out = append(out, req)
		}
	}
	return out
}
