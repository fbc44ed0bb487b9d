package pypi

import (
	"context"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// Released returns when a version of a package was published: when its first file was.
// It is zero if no index says.
func Released(ctx context.Context, c *registry.Client, project, version string) time.Time {
	wanted, ok := parseVersion(version)
	if !ok {
		return time.Time{}
	}
	files, err := readIndexes(ctx, c, project)
	if err != nil {
		return time.Time{}
	}
	var first time.Time
	for _, f := range files {
		if f.version.compare(wanted) != 0 {
			continue
		}
		if f.published.IsZero() {
			f.published = askPublished(ctx, c, f.index, project, f.name)
		}
		if !f.published.IsZero() && (first.IsZero() || f.published.Before(first)) {
			first = f.published
		}
	}
	return first
}
