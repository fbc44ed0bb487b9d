package installation

import (
	"context"
	"fmt"
	"os"

	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
)

// trees returns where built trees are kept: the cache, or, without one, a
// directory that is removed with the run.
func (f *Fetcher) trees() kind.Trees {
	if f.Cache != nil {
		return f.Cache
	}
	return temporary{f.TempDir}
}

// temporary builds every tree anew.
type temporary struct{ dir string }

// Tree implements [kind.Trees].
func (t temporary) Tree(ctx context.Context, _ string, build func(context.Context, string) ([]byte, error)) (dir string, note []byte, release func(), err error) {
	if dir, err = os.MkdirTemp(t.dir, "tree-"); err != nil {
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
