package flows

import (
	"fmt"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Wanted is a server in an agent's configuration.
type Wanted struct {
	// Name is its name in the configuration.
	Name string
	// Source is its source, as in [mcpsf.Target]; if unknown it is "" and
	// Problem says why.
	Source, Problem string
}

// Match finds the report of each server by source, or else by name. If there are
// several, it prefers the configured version, then a server that was started to
// one that was only read, then the latest.
func Match(wanted []Wanted, reports []*mcpsf.Report) []Named {
	var list []Named
	for _, w := range wanted {
		n := Named{Name: w.Name}
		best, how := pick(w, reports)
		switch {
		case best != nil:
			n.Report, n.Note = best, note(w, best, how)
		case w.Problem != "":
			n.Missing = "there is no report of it: " + w.Problem
		default:
			n.Missing = fmt.Sprintf("there is no report of %s; make one with: mcpsf assess %s", w.Source, w.Source)
		}
		list = append(list, n)
	}
	return list
}

// How well a report matches, best last.
const (
	noMatch = iota
	byName  // the name of the server or of its folder
	byPackage
	byVersion
)

// pick returns the best matching report, and how it matches.
func pick(w Wanted, reports []*mcpsf.Report) (best *mcpsf.Report, how int) {
	for _, r := range reports {
		fit := fits(w, r)
		switch {
		case fit == noMatch || fit < how:
		case fit > how || best == nil || tellsMore(r, best):
			best, how = r, fit
		}
	}
	return best, how
}

func fits(w Wanted, r *mcpsf.Report) int {
	want, version := packageOf(w.Source)
	have, _ := packageOf(r.Target.Source)
	own := r.Artifact.Kind + ":" + normal(r.Artifact.Kind, r.Artifact.Name)
	switch {
	case w.Source != "" && w.Source == r.Target.Source:
		return byVersion
	case want != "" && (want == have || want == own):
		if version == "" || version == r.Artifact.Version {
			return byVersion
		}
		return byPackage
	case w.Name != "" && r.Artifact.Name != "" && (w.Source == "" || isPath(w.Source) && isPath(r.Target.Source)) &&
		(r.Artifact.Name == w.Name || w.Source != "" && r.Artifact.Name == path.Base(path.Clean(w.Source))):
		return byName
	}
	return noMatch
}

// note says how the report differs from the configuration.
func note(w Wanted, r *mcpsf.Report, how int) string {
	switch how {
	case byName:
		return "Its report was found by its name only."
	case byPackage:
		_, version := packageOf(w.Source)
		return fmt.Sprintf("Its report is of version %s, and %s is configured.", r.Artifact.Version, version)
	}
	return ""
}

// packageOf returns the package of a source without its version: "npm:@a/b",
// "pypi:c". It is "" for paths.
func packageOf(source string) (name, version string) {
	if strings.HasPrefix(source, "@") && strings.Contains(source, "/") { // npm's own form
		source = "npm:" + source
	}
	kind, rest, _ := strings.Cut(source, ":")
	switch kind {
	case "npm":
		if i := strings.LastIndexByte(rest, '@'); i > 0 {
			rest, version = rest[:i], rest[i+1:]
		}
		if version == "latest" || strings.ContainsAny(version, "^~<>*|") {
			version = ""
		}
	case "pypi":
		end := strings.IndexAny(rest, "[<>=!~@; ")
		if end >= 0 {
			if _, exact, pinned := strings.Cut(rest[end:], "=="); pinned {
				version = strings.TrimSpace(exact)
			} else if rest[end] == '@' {
				version = rest[end+1:]
			}
			rest = rest[:end]
		}
	case "oci":
		rest, version = imageOf(rest)
	case "github":
		rest, _, _ = strings.Cut(rest, "@")
	default:
		return "", ""
	}
	if rest == "" {
		return "", ""
	}
	return kind + ":" + normal(kind, rest), version
}

// imageOf removes digest and tag from the name of an image.
func imageOf(name string) (image, tag string) {
	name, _, _ = strings.Cut(name, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		return name[:i], name[i+1:]
	}
	return name, ""
}

// normal returns a name as its registry compares it.
func normal(kind, name string) string {
	name = strings.ToLower(name)
	if kind == "pypi" {
		name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }), "-")
	}
	return name
}

// isPath tells whether a source is a file or a folder.
func isPath(source string) bool {
	name, _ := packageOf(source)
	return source != "" && name == "" && !strings.Contains(source, "://") && !strings.HasPrefix(source, "oci-archive:")
}
