package report

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// location says where a finding is shown. What a server does has no line in a
// file, but code scanning shows nothing without one: so it is the first line of
// what is started, or of the manifest, and the tool as the logical place. What
// was read does have its place, and of a file as a whole no line is claimed.
func (b *sarifBuilder) location(f *mcpsf.Finding) sarifLocation {
	at := sarifLocation{Physical: sarifPhysical{ArtifactLocation: b.file(cmp.Or(inPackage(f.File), sarifEntry(b.report)))}}
	switch {
	case f.File != "" && f.Line > 0:
		at.Physical.Region = &sarifRegion{StartLine: f.Line}
	case !static(f):
		at.Physical.Region = &sarifRegion{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}
	}
	if f.Tool == "" {
		return at
	}
	kind := "function"
	if mcpsf.IsNoTool(f.Tool) {
		kind = "resource"
	}
	tool := brief(f.Tool, sarifShort)
	at.Logical = []sarifLogical{{
		Name: tool, Kind: kind,
		FullyQualifiedName: brief(cmp.Or(b.report.Session.Name, b.report.Artifact.Name), sarifRuleID) + "/" + tool,
	}}
	return at
}

// file names a file of the package and lists it among the artifacts.
func (b *sarifBuilder) file(name string) sarifURI {
	uri := sarifRelative(path.Join(sarifRoot(b.report), name))
	i, ok := b.files[uri]
	if !ok {
		i = len(b.Artifacts)
		b.files[uri] = i
		parent := 0
		b.Artifacts = append(b.Artifacts, sarifArtifact{Location: sarifURI{URI: uri}, ParentIndex: &parent})
	}
	return sarifURI{URI: uri, Index: &i}
}

// sarifPackage is the artifact that everything else is a part of. Its digest is
// not that of a file, and does not bear the name of one.
func sarifPackage(r *mcpsf.Report) sarifArtifact {
	a := sarifArtifact{
		Location: sarifURI{URI: sarifRelative(cmp.Or(sarifRoot(r), ".")) + "/"},
		Length:   max(r.Artifact.Bytes, 0), Roles: []string{"analysisTarget", "directory"},
	}
	if algorithm, sum, ok := strings.Cut(r.Artifact.Digest, ":"); ok {
		a.Hashes = map[string]string{"tree-" + brief(algorithm, maxName): brief(sum, maxName)}
	}
	return a
}

// sarifRoot is where the package is, seen from the root of the repository. What
// was not there at all gets a place by its kind and name, where it cannot be
// taken for a file of the user's.
func sarifRoot(r *mcpsf.Report) string {
	a := r.Artifact
	if a.Kind != "local" && a.Kind != "archive" {
		return path.Join(cmp.Or(a.Kind, "package"), cmp.Or(a.Name, "unnamed"))
	}
	source := path.Clean(strings.ReplaceAll(safetext.Limit(r.Target.Source), `\`, "/"))
	if path.IsAbs(source) || source == "." || source == ".." || strings.HasPrefix(source, "../") {
		return ""
	}
	if path.Base(source) == sarifEntry(r) { // a single file was named
		return strings.TrimPrefix(path.Dir(source), ".")
	}
	return source
}

// sarifEntry is the file that is started, or else the one that says what is.
func sarifEntry(r *mcpsf.Report) string {
	a := r.Artifact
	for _, arg := range a.Command[min(1, len(a.Command)):] {
		arg = strings.TrimPrefix(arg, mcpsf.WorkDir+"/")
		if slices.Contains([]string{".js", ".mjs", ".cjs", ".ts", ".py"}, path.Ext(arg)) && !path.IsAbs(arg) && !strings.HasPrefix(arg, "-") {
			return path.Clean("/" + arg)[1:]
		}
	}
	switch {
	case a.Install != nil && a.Install.Requirements != "":
		return a.Install.Requirements
	case a.Runtime == mcpsf.RuntimeNode:
		return "package.json"
	case a.Runtime == mcpsf.RuntimePython:
		return "pyproject.toml"
	}
	return "server"
}

// sarifRelative is a path as a relative reference, which never leaves the root.
func sarifRelative(name string) string {
	name = strings.TrimPrefix(path.Clean("/"+safetext.Limit(name)), "/")
	return (&url.URL{Path: cmp.Or(name, ".")}).String()
}

// sarifCategory tells the analyses of several servers in one repository apart:
// up to the last slash it is the same in every run.
func sarifCategory(r *mcpsf.Report) string {
	name := strings.Trim(brief(path.Join("mcpsf", r.Artifact.Kind, cmp.Or(r.Artifact.Name, "server")), sarifRuleID), "/")
	return name + "/" + strings.ReplaceAll(brief(r.Run.ID, maxName), "/", "-")
}
