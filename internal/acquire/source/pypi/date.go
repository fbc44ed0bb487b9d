package pypi

import (
	"context"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// askPublished asks the JSON API that an index may have when a file was
// uploaded. It returns zero if that is unknown, which is no error.
func askPublished(ctx context.Context, c *registry.Client, index registry.Registry, project, file string) time.Time {
	// no gap: a larger package, manifest or list is refused with an error
	const beside, maxAnswer, patience = "/simple/", 64 << 20, 20 * time.Second
	if !strings.HasSuffix(index.URL.Path, beside) {
		return time.Time{}
	}
	type upload struct {
		File string `json:"filename"`
		Date string `json:"upload_time_iso_8601"`
	}
	var answer struct {
		Releases map[string][]upload `json:"releases"`
		URLs     []upload            `json:"urls"`
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := c.JSON(ctx, &registry.Request{
		Registry: index, URL: "../pypi/" + project + "/json", Accept: "application/json", What: "Python package " + usererr.Quote(project),
	}, maxAnswer, &answer)
	if err != nil {
		return time.Time{}
	}
	all := answer.URLs
	for _, uploads := range answer.Releases {
		all = append(all, uploads...)
	}
	for _, u := range all {
		if u.File == file {
			return published.Date(u.Date)
		}
	}
	return time.Time{}
}
