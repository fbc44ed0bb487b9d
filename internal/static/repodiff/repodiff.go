// Package repodiff compares a published package with the repository that it
// says it was made of.
//
// In come two hostile trees of files, and what the registry says of their
// relation (commit, directory). Out go the source files that only the package
// has, those that differ, install scripts that the repository does not have, and
// facts about these. Build output is left out. Nothing is fetched here, and
// nothing of either tree is run.
package repodiff

import (
	"context"
	"io/fs"

	"github.com/mcpsf/mcpsf"
)

// The kinds of facts about a package and its repository.
const (
	// FactHook: what runs at the installation, or whenever the interpreter
	// starts, is not in the repository.
	FactHook = "repodiff.hook"
	// FactAdded: source files that only the package has.
	FactAdded = "repodiff.added"
	// FactChanged: source files that differ from those of the repository.
	FactChanged = "repodiff.changed"
	// FactOutput: what looks built and has no source in the repository.
	FactOutput = "repodiff.output"
	// FactMinified: minified code, and nothing in the repository makes such.
	FactMinified = "repodiff.minified"
	// FactScripts: other scripts of package.json than those of the repository.
	FactScripts = "repodiff.scripts"
	// FactForeign: nothing of the package is in the repository.
	FactForeign = "repodiff.foreign"
)

// Input is what is compared.
type Input struct {
	Package, Repository fs.FS
	// Ecosystem is [mcpsf.EcosystemNPM] or [mcpsf.EcosystemPyPI].
	Ecosystem     string
	Name, Version string
	// Dir is the package's directory in the repository, "" if that is the top or
	// not known.
	Dir string
	// Exact is set if the package itself names the commit. A tag may be of
	// another day.
	Exact bool
}

// Result is what came of it.
type Result struct {
	// Files is how many source files the package has, Same how many of them the
	// repository has, too, and Built how many a build is expected to make.
	Files, Same, Built int
	Facts              []mcpsf.Fact
	// Notes say what was left out; Missing why nothing can be said at all, "" if
	// something can.
	Notes   []string
	Missing string
}

// Compare compares the trees. The error is that of ctx.
func Compare(ctx context.Context, in *Input) (*Result, error) {
	repository, err := list(ctx, in.Repository, inRepository)
	if err != nil {
		return nil, err
	}
	own, err := list(ctx, in.Package, inPackage)
	if err != nil {
		return nil, err
	}
	if why := unlisted(repository, own); why != "" {
		return &Result{Missing: why}, nil
	}
	c := newComparison(in, own, repository)
	c.match()
	c.hooks()
	c.sort(ctx)
	return c.result(), ctx.Err()
}

// unlisted says why absence would prove nothing.
func unlisted(repository, own *listing) string {
	switch {
	case repository.cut != "":
		return "the repository was not read as a whole: " + repository.cut
	case own.cut != "":
		return "the package was not read as a whole: " + own.cut
	case len(repository.all) == 0:
		return "the repository has no files"
	}
	return ""
}
