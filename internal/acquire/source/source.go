// Package source turns what the user named into what will run.
//
// In: a [mcpsf.Target]. Out: a [mcpsf.Artifact]: a private copy of the server's
// files, pinned by a digest, and the command that starts it. Nothing of the
// target is executed here. Everything read is hostile: names, sizes, links and
// manifests are checked before they are used, and a tree that cannot be copied
// faithfully is refused with one line that says what to do.
//
// Each kind of source is a [kind.Resolver], listed in [All].
package source

import (
	"context"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/github"
	"github.com/mcpsf/mcpsf/internal/acquire/source/image"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/npm"
	"github.com/mcpsf/mcpsf/internal/acquire/source/pypi"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// All lists the sources in the order in which they are tried. A local path can
// look like anything, so it comes last.
func All() []kind.Resolver {
	return []kind.Resolver{npm.Resolver{}, pypi.Resolver{}, image.Resolver{}, github.Resolver{}, remote{}, packed{}, local{}}
}

// Resolve is [ResolveWithFacts] without the facts.
func Resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts *kind.Options) (*mcpsf.Artifact, error) {
	a, _, err := ResolveWithFacts(ctx, target, stageDir, opts)
	return a, err
}

// ResolveWithFacts copies what target names into stageDir and finds out how to
// start it. stageDir exists, is empty, and belongs to the caller, who removes
// it whatever the outcome. The facts are attacks of the source on the program
// that unpacks it.
//
// What the user can fix is an [mcpsf.Error] with [mcpsf.CodeUsage].
func ResolveWithFacts(ctx context.Context, target mcpsf.Target, stageDir string, opts *kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	if err := kind.Check(target); err != nil {
		return nil, nil, err
	}
	o := opts.Complete()
	for _, r := range All() {
		if r.Match(target) {
			o.Logger.Debug("resolving", "kind", r.Kind())
			return r.Resolve(ctx, target, stageDir, o)
		}
	}
	return nil, nil, usererr.Usage("%s is no source mcpsf knows; name a local file or directory, for example ./my-server",
		usererr.Quote(target.Source))
}
