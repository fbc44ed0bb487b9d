package sarif

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// location returns where a finding is shown. Behaviour has no line in a file,
// but code scanning shows nothing without one: so it is the first line of the
// started file, or of the manifest, and the tool as the logical location. A
// static finding has its own place; for a whole file no line is given.
func (b *builder) location(f *mcpsf.Finding) Location {
	at := Location{Physical: physical{ArtifactLocation: b.file(cmp.Or(digest.InPackage(f.File), entry(b.report)))}}
	switch {
	case f.File != "" && f.Line > 0:
		at.Physical.Region = &region{StartLine: f.Line}
	case !digest.Static(f):
		at.Physical.Region = &region{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}
	}
	if f.Tool == "" {
		return at
	}
	kind := "function"
	if mcpsf.IsNoTool(f.Tool) {
		kind = "resource"
	}
	tool := phrase.Brief(f.Tool, maxShort)
	at.Logical = []logical{{
		Name: tool, Kind: kind,
		FullyQualifiedName: phrase.Brief(cmp.Or(b.report.Session.Name, b.report.Artifact.Name), maxRuleID) + "/" + tool,
	}}
	return at
}

// file names a file of the package and adds it to the artifacts.
func (b *builder) file(name string) URI {
	uri := relative(path.Join(root(b.report), name))
	i, ok := b.files[uri]
	if !ok {
		i = len(b.Artifacts)
		b.files[uri] = i
		parent := 0
		b.Artifacts = append(b.Artifacts, artifact{Location: URI{URI: uri}, ParentIndex: &parent})
	}
	return URI{URI: uri, Index: &i}
}

// packagePath is the artifact that contains all others. Its digest is not that
// of a file, so it has another name.
func packagePath(r *mcpsf.Report) artifact {
	a := artifact{
		Location: URI{URI: relative(cmp.Or(root(r), ".")) + "/"},
		Length:   max(r.Artifact.Bytes, 0), Roles: []string{"analysisTarget", "directory"},
	}
	if algorithm, sum, ok := strings.Cut(r.Artifact.Digest, ":"); ok {
		a.Hashes = map[string]string{"tree-" + phrase.Brief(algorithm, phrase.MaxName): phrase.Brief(sum, phrase.MaxName)}
	}
	return a
}

// root is the path of the package within the repository. A package that is not
// in the repository gets a path of its kind and name, which cannot be mistaken
// for a file of the user.
func root(r *mcpsf.Report) string {
	a := r.Artifact
	if a.Kind != "local" && a.Kind != "archive" {
		return path.Join(cmp.Or(a.Kind, "package"), cmp.Or(a.Name, "unnamed"))
	}
	source := path.Clean(strings.ReplaceAll(safetext.Limit(r.Target.Source), `\`, "/"))
	if path.IsAbs(source) || source == "." || source == ".." || strings.HasPrefix(source, "../") {
		return ""
	}
	if path.Base(source) == entry(r) { // a single file was named
		return strings.TrimPrefix(path.Dir(source), ".")
	}
	return source
}

// entry returns the file that is started, or else the manifest.
func entry(r *mcpsf.Report) string {
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

// relative writes a path as a relative reference, which never leaves the root.
func relative(name string) string {
	name = strings.TrimPrefix(path.Clean("/"+safetext.Limit(name)), "/")
	return (&url.URL{Path: cmp.Or(name, ".")}).String()
}

// category separates the analyses of several servers in one repository: up to
// the last slash it is the same in every run.
func category(r *mcpsf.Report) string {
	name := strings.Trim(phrase.Brief(path.Join("mcpsf", r.Artifact.Kind, cmp.Or(r.Artifact.Name, "server")), maxRuleID), "/")
	return name + "/" + strings.ReplaceAll(phrase.Brief(r.Run.ID, phrase.MaxName), "/", "-")
}
