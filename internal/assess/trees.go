package assess

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
)

// trees is where built trees are kept: the cache, or, without one, a place
// that lasts as long as the run.
func (o *Options) trees() kind.Trees {
	if o.Cache != nil {
		return o.Cache
	}
	return passing{o.TempDir}
}

// passing builds every tree anew.
type passing struct{ dir string }

// Tree implements [kind.Trees].
func (p passing) Tree(ctx context.Context, _ string, build func(context.Context, string) ([]byte, error)) (dir string, note []byte, release func(), err error) {
	if dir, err = os.MkdirTemp(p.dir, "tree-"); err != nil {
		return "", nil, nil, fmt.Errorf("making room: %w", err)
	}
	release = func() { _ = os.RemoveAll(dir) }
	if err = os.Chmod(dir, 0o755); err == nil {
		note, err = build(ctx, dir)
	}
	if err != nil {
		release()
		return "", nil, nil, err
	}
	return dir, note, release, nil
}
