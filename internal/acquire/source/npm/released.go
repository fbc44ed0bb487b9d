package npm

import (
	"context"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// Released returns when a version of a package was published, zero if the registry does
// not say.
func Released(ctx context.Context, c *registry.Client, name, version string) time.Time {
	spec, err := parseSpec("npm:" + name + "@" + version)
	if err != nil {
		return time.Time{}
	}
	var d packument
	err = c.JSON(ctx, &registry.Request{
		Registry: c.NPM(spec.scope()), URL: strings.Replace(spec.name, "/", "%2f", 1), What: "npm package " + usererr.Quote(spec.name),
		Accept: "application/json",
	}, maxPackument, &d)
	if err != nil {
		return time.Time{}
	}
	return published.Date(document.Text(document.Object(d.Times)[version]))
}
