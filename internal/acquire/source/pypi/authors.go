package pypi

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

var mailAddress = lazyregexp.New(`[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+`)

// authors are the authors and maintainers that a version names: mail addresses
// if there are any, else names. The uploader wrote them; indexes do not state
// who the uploader is. nil if not available.
func (b besideIndex) authors(ctx context.Context, version string) []string {
	if !strings.HasSuffix(b.index.URL.Path, "/simple/") {
		return nil
	}
	var answer struct {
		Info json.RawMessage `json:"info"`
	}
	err := b.client.JSON(ctx, &registry.Request{
		Registry: b.index, URL: "../pypi/" + b.project + "/" + url.PathEscape(version) + "/json", Accept: "application/json",
		What: "Python package " + usererr.Quote(b.project),
	}, maxBeside, &answer)
	if err != nil {
		return nil
	}
	return authorsIn(document.Object(answer.Info))
}

func authorsIn(info map[string]json.RawMessage) []string {
	// no gap: a larger package, manifest or list is refused with an error
	const longest, most = 4096, 32
	var mails, names []string
	for _, key := range []string{"author_email", "maintainer_email"} {
		text := document.Text(info[key])
		for _, m := range mailAddress.FindAllString(text[:min(len(text), longest)], most) {
			mails = append(mails, safetext.Line(strings.ToLower(m), usererr.MaxShown))
		}
	}
	for _, key := range []string{"author", "maintainer"} {
		if name := safetext.Line(strings.ToLower(document.Text(info[key])), usererr.MaxShown); name != "" {
			names = append(names, name)
		}
	}
	// An author who changes the address keeps the name, and the other way
	// round.
	all := slices.Concat(mails, names)
	slices.Sort(all)
	return slices.Compact(all)
}
