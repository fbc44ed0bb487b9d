package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// found is what a scanner found: for each package the names of each advisory
// about it.
type found map[pack][][]string

func (f found) has(p pack, id string) bool {
	for _, names := range f[p] {
		if slices.Contains(names, id) {
			return true
		}
	}
	return false
}

// add adds a package, and an advisory about it if there are names.
func (f found) add(p pack, names ...string) {
	p = p.plain()
	list, there := f[p]
	switch {
	case len(names) > 0:
		f[p] = append(list, names)
	case !there:
		f[p] = nil
	}
}

func (f found) advisories() int {
	n := 0
	for _, list := range f {
		n += len(list)
	}
	return n
}

// scanOurs scans a directory with mcpsf.
func (s *settings) scanOurs(ctx context.Context, dir string) (usage, error) {
	out := filepath.Join(s.work, "mcpsf")
	if err := os.RemoveAll(out); err != nil {
		return usage{}, err
	}
	// 3 is an inconclusive scan, as for a directory without a server.
	return s.once(ctx, []int{0, 1, 3}, []string{"MCPSF_CACHE=" + s.databases}, s.mcpsf, "scan", dir, "--no-install", "-q", "-o", out, "--format", "json")
}

func (s *settings) readOurs() (found, *mcpsf.Report, error) {
	data, err := os.ReadFile(filepath.Join(s.work, "mcpsf", "report.json"))
	if err != nil {
		return nil, nil, err
	}
	r := &mcpsf.Report{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, nil, err
	}
	if r.Inspection == nil || r.Inspection.Lookup.Missing != "" {
		return nil, nil, fmt.Errorf("nothing was looked up: %+v", r.Inspection)
	}
	f := found{}
	named := map[string]pack{}
	for i := range r.Inspection.Packages {
		p := &r.Inspection.Packages[i]
		named[p.PURL] = pack{p.Ecosystem, p.Name, p.Version}
		f.add(named[p.PURL])
	}
	for i := range r.Inspection.Advisories {
		a := &r.Inspection.Advisories[i]
		f.add(named[a.Package], append([]string{a.ID}, a.Aliases...)...)
	}
	return f, r, nil
}

// scanTheirs scans a directory with OSV-Scanner, with all options that find
// installed packages.
func (s *settings) scanTheirs(ctx context.Context, dir string) (usage, error) {
	out := filepath.Join(s.work, "theirs.json")
	if err := os.RemoveAll(out); err != nil {
		return usage{}, err
	}
	return s.once(ctx, []int{0, 1}, nil, s.peer, "scan", "source", "--recursive", "--no-ignore", "--offline",
		"--local-db-path", filepath.Dir(s.exports), "--experimental-plugins", peerPlugins,
		"--all-packages", "--all-vulns", "--verbosity", "error", "--format", "json", "--output-file", out, dir)
}

// peerPlugins are its presets for projects and for installed packages.
const peerPlugins = "lockfile,sbom,directory,artifact,javascript/packagejson"

// readTheirs reads OSV-Scanner's output: what it found, and the files in which
// it found each package.
func (s *settings) readTheirs() (found, map[pack][]string, error) {
	data, err := os.ReadFile(filepath.Join(s.work, "theirs.json"))
	if err != nil {
		return nil, nil, err
	}
	var doc struct {
		Results []struct {
			Source   struct{ Path string }
			Packages []struct {
				Package         pack
				Vulnerabilities []struct {
					ID      string
					Aliases []string
				}
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, nil, err
	}
	f, told := found{}, map[pack][]string{}
	for _, r := range doc.Results {
		for _, p := range r.Packages {
			own := p.Package.plain()
			told[own] = append(told[own], r.Source.Path)
			f.add(own)
			for _, v := range p.Vulnerabilities {
				// The same package is listed for each file that mentions it.
				if !f.has(own, v.ID) {
					f.add(own, v.ID)
				}
			}
		}
	}
	return f, told, nil
}

// plain returns the package under the name that its ecosystem compares.
func (p pack) plain() pack {
	switch p.Ecosystem {
	case "PyPI":
		p.Name = plain(p.Name)
	case "Go":
		p.Version = strings.TrimPrefix(p.Version, "v") // only one of the two scanners keeps it
	case "rpm", "generic":
		p.Ecosystem = "" // OSV has no ecosystem for these
	}
	return p
}

// short writes a package for a line of a list.
func short(p pack) string { return strings.TrimSuffix(p.Name+"@"+p.Version, "@") }
