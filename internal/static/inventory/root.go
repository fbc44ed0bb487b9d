package inventory

import (
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
	"github.com/mcpsf/mcpsf/internal/static/inventory/python"
)

// findRoot finds the server's own package, and marks its parts: in an
// installation it is among its dependencies.
func findRoot(parts []*part.Part, opts *Options) mcpsf.Package {
	id := part.ID{Ecosystem: opts.Self.Ecosystem, Name: opts.Self.Name, Version: opts.Self.Version}
	if id.Ecosystem == mcpsf.EcosystemPyPI {
		id.Name = python.Normal(id.Name)
	}
	if id.Name == "" {
		id = declared(parts, opts.Dir)
	}
	if id.Name == "" {
		return mcpsf.Package{}
	}
	root := part.Part{ID: id}
	out := mcpsf.Package{Ecosystem: id.Ecosystem, Name: id.Name, Installed: true}
	for _, p := range parts {
		if p.Ecosystem != id.Ecosystem || p.Name != id.Name || p.Version != id.Version && !p.Own {
			continue
		}
		if root.Version == "" {
			root.Version = p.Version
		}
		p.Own = true
		out.Licences = append(out.Licences, p.Licences...)
		out.Digests = append(out.Digests, p.Digests...)
		out.Found = append(append(out.Found, p.File), p.Also...)
		out.Dirs = append(out.Dirs, p.Dirs...)
	}
	out.Version, out.PURL = root.Version, root.PURL()
	out.Licences, out.Digests, out.Found = set(out.Licences), atMost(set(out.Digests), maxDigests), found(out.Found)
	out.Dirs = atMost(set(out.Dirs), maxDirs)
	return out
}

// declared returns the package of a manifest in the server's directory. Of
// several, the usual way of publishing servers wins.
func declared(parts []*part.Part, dir string) part.ID {
	order := []string{mcpsf.EcosystemNPM, mcpsf.EcosystemPyPI, mcpsf.EcosystemGo, mcpsf.EcosystemRust, mcpsf.EcosystemMaven}
	dir = path.Join(".", dir)
	var best part.ID
	rank := len(order)
	for _, p := range parts {
		if !p.Own || p.Name == "" || !at(p.File, dir) || path.Base(p.File) == "Cargo.lock" { // Cargo.lock lists all workspace members
			continue
		}
		for i, ecosystem := range order[:rank] {
			if p.Ecosystem == ecosystem {
				best, rank = p.ID, i
			}
		}
	}
	return best
}

// at reports whether a file is in a directory, or in the metadata of a Python
// package there.
func at(file, dir string) bool {
	where := path.Dir(file)
	if info := path.Base(where); strings.HasSuffix(info, ".dist-info") || strings.HasSuffix(info, ".egg-info") {
		where = path.Dir(where)
	}
	return where == dir
}

// ownNeeds returns the packages that the server requires itself.
func ownNeeds(parts []*part.Part, of map[*part.Part]*group) []string {
	var out []string
	for _, p := range parts {
		if !p.Own {
			continue
		}
		for _, list := range [][]*part.Part{p.Needs, p.DevNeeds} {
			for _, need := range list {
				if g := of[need]; g != nil {
					out = append(out, g.purl)
				}
			}
		}
	}
	return set(out)
}
