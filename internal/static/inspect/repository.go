package inspect

import (
	"context"
	"io/fs"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/repodiff"
)

// Repository is the commit of the repository that a package says it was built
// from.
type Repository struct {
	Files fs.FS
	// Name is the repository, Commit its commit, Ref the tag or branch that led
	// there.
	Name, Commit, Ref string
	// Missing says why it could not be fetched, "" if it could.
	Missing string
}

// repository compares the package with its repository. It runs last, because
// fetching may take long.
func (r *Result) repository(ctx context.Context, in *Input) error {
	own := self(in.Artifact)
	if in.Repository == nil || own.Name == "" {
		return nil
	}
	state := in.Repository(ctx)
	about := &mcpsf.Comparison{Repository: state.Name, Commit: state.Commit, Ref: state.Ref, Missing: state.Missing}
	r.Inspection.Repository = about
	if state.Missing != "" {
		return ctx.Err()
	}
	declared := &mcpsf.Repository{}
	if in.Artifact.Origin != nil && in.Artifact.Origin.Repository != nil {
		declared = in.Artifact.Origin.Repository
	}
	found, err := repodiff.Compare(ctx, &repodiff.Input{
		Package: in.Files, Repository: state.Files, Ecosystem: own.Ecosystem, Name: own.Name, Version: own.Version,
		Dir: declared.Dir, Exact: declared.Commit != "" && declared.Commit == state.Commit,
	})
	if err != nil {
		return err
	}
	about.Files, about.Same, about.Built, about.Missing = found.Files, found.Same, found.Built, found.Missing
	r.Inspection.Gaps = append(r.Inspection.Gaps, found.Notes...)
	r.Facts = append(r.Facts, found.Facts...)
	return nil
}
