package image

import (
	"context"
	"errors"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
)

// resolve resolves a target of this kind only.
func resolve(ctx context.Context, target mcpsf.Target, stageDir string, opts *kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	if !(Resolver{}).Match(target) {
		return nil, nil, errors.New("it is of another kind")
	}
	return Resolver{}.Resolve(ctx, target, stageDir, opts.Complete())
}
