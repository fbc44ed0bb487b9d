// Package repodiff compares a published package with the repository that it
// says it was built from.
//
// It takes two hostile trees of files, and the registry's metadata about them
// (commit, directory). It returns the source files that only the package has,
// those that differ, install scripts that the repository does not have, and
// facts about these. It leaves out build output. It fetches nothing and runs
// nothing of either tree.
package repodiff

import (
	"context"
	"io/fs"

	"github.com/mcpsf/mcpsf"
)

// The kinds of facts about a package and its repository.
const (
	// FactHook: code that runs at the installation, or whenever the interpreter
	// starts, is not in the repository.
	FactHook = "repodiff.hook"
	// FactAdded: source files that only the package has.
	FactAdded = "repodiff.added"
	// FactChanged: source files that differ from those of the repository.
	FactChanged = "repodiff.changed"
	// FactOutput: files that look built and have no source in the repository.
	FactOutput = "repodiff.output"
	// FactMinified: minified code that no build in the repository makes.
	FactMinified = "repodiff.minified"
	// FactScripts: scripts of package.json that differ from the repository's.
	FactScripts = "repodiff.scripts"
	// FactForeign: nothing of the package is in the repository.
	FactForeign = "repodiff.foreign"
)

// Input is the input of [Compare].
type Input struct {
	Package, Repository fs.FS
	// Ecosystem is [mcpsf.EcosystemNPM] or [mcpsf.EcosystemPyPI].
	Ecosystem     string
	Name, Version string
	// Dir is the package's directory in the repository, "" if that is the top
	// or unknown.
	Dir string
	// Exact is set if the package itself names the commit. A tag may point to
	// another one.
	Exact bool
}

// Result is the result of [Compare].
type Result struct {
	// Files is the number of source files in the package, Same how many of them
	// are also in the repository, and Built how many are expected build output.
	Files, Same, Built int
	Facts              []mcpsf.Fact
	// Notes list what was left out; Missing says why there is no result at all,
	// "" if there is one.
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

// unlisted returns why the absence of a file would prove nothing.
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
