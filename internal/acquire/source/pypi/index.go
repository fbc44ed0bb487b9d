package pypi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// no gap: a larger package, manifest or list is refused with an error
const (
	// maxIndexPage and maxIndexFiles bound what one index lists of one package.
	// The longest real pages have a tenth of that.
	maxIndexPage  = 64 << 20
	maxIndexFiles = 100_000

	simpleJSON = "application/vnd.pypi.simple.v1+json"
	simpleHTML = "application/vnd.pypi.simple.v1+html"
)

// readIndexes asks every configured index for the package's files. If one does
// not answer, that is an error even if another has the package: that one may be
// a different project of the same name.
func readIndexes(ctx context.Context, c *registry.Client, project string) ([]*distFile, error) {
	var files []*distFile
	var hosts []string
	known := false
	for _, index := range c.PyPI() {
		some, found, err := readIndex(ctx, c, index, project)
		if err != nil {
			return nil, err
		}
		known = known || found
		files = append(files, some...)
		hosts = append(hosts, index.URL.Host)
	}
	switch {
	case !known:
		return nil, usererr.Usage("there is no Python package %s at %s; check the name, or the index (PIP_INDEX_URL or pip.conf)",
			usererr.Quote(project), strings.Join(hosts, ", "))
	case len(files) == 0:
		return nil, usererr.Usage("the Python package %s has no files that could be installed at %s; check the name",
			usererr.Quote(project), strings.Join(hosts, ", "))
	}
	return files, nil
}

// readIndex asks one index; found is false if it has no such package.
func readIndex(ctx context.Context, c *registry.Client, index registry.Registry, project string) (files []*distFile, found bool, err error) {
	what := "Python package " + usererr.Quote(project)
	resp, err := c.Do(ctx, &registry.Request{
		Registry: index, URL: project + "/", What: what,
		Accept: simpleJSON + ", " + simpleHTML + ";q=0.6, text/html;q=0.5",
	})
	if err != nil {
		return nil, false, registry.Explain(what, index, 0, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return nil, false, nil
	default:
		return nil, false, registry.Explain(what, index, resp.StatusCode, nil)
	}
	page, err := io.ReadAll(io.LimitReader(resp.Body, maxIndexPage+1)) //nolint:forbidigo // limited
	if err != nil {
		return nil, false, registry.Explain(what, index, 0, err)
	}
	base := index.URL.JoinPath(project, "/")
	if resp.Request != nil {
		base = resp.Request.URL
	}
	links, base, err := parseIndexPage(resp.Header.Get("Content-Type"), page, base)
	if err != nil {
		return nil, false, &mcpsf.Error{
			Code: mcpsf.CodeUsage,
			Message: fmt.Sprintf("what %s says of %s cannot be used: %v; check the index (PIP_INDEX_URL or pip.conf)",
				index.URL.Host, what, err),
		}
	}
	for _, l := range links {
		if f := newDistFile(l, base, project); f != nil {
			f.index = index
			files = append(files, f)
		}
	}
	return files, true, nil
}

var (
	errTooManyFiles = errors.New("it lists too many files")
	errNewerIndex   = errors.New("it is written in a newer format than is known")
)

// parseIndexPage parses a page of either format and returns what its URLs are
// relative to.
func parseIndexPage(contentType string, page []byte, base *url.URL) ([]link, *url.URL, error) {
	if len(page) > maxIndexPage {
		return nil, nil, fmt.Errorf("it is longer than %s", usererr.Size(maxIndexPage))
	}
	kind, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		kind = ""
	}
	switch kind {
	case simpleJSON, "application/json":
		links, err := parseIndexJSON(page)
		return links, base, err
	case simpleHTML, "text/html", "application/xhtml+xml":
		return parseIndexHTML(page, base)
	}
	return nil, nil, fmt.Errorf("it is neither HTML nor JSON, but %s", usererr.Quote(contentType))
}

// parseIndexJSON reads the format of PEP 691.
func parseIndexJSON(page []byte) ([]link, error) {
	var answer struct {
		Meta struct {
			Version string `json:"api-version"`
		} `json:"meta"`
		Files []struct {
			Filename string            `json:"filename"`
			URL      string            `json:"url"`
			Hashes   map[string]string `json:"hashes"`
			Requires string            `json:"requires-python"`
			Yanked   yankedJSON        `json:"yanked"`
			Uploaded json.RawMessage   `json:"upload-time"`
			Attested json.RawMessage   `json:"provenance"`
		} `json:"files"`
	}
	if err := json.Unmarshal(page, &answer); err != nil {
		return nil, errors.New("it is not the JSON of an index")
	}
	if v := answer.Meta.Version; v != "" && !strings.HasPrefix(v, "1.") {
		return nil, errNewerIndex
	}
	if len(answer.Files) > maxIndexFiles {
		return nil, errTooManyFiles
	}
	var links []link
	for _, f := range answer.Files {
		links = append(links, link{
			href: f.URL, filename: f.Filename, hashes: f.Hashes, requires: f.Requires,
			yanked: f.Yanked.set, reason: f.Yanked.reason, uploaded: document.Text(f.Uploaded),
			attested: document.Text(f.Attested),
		})
	}
	return links, nil
}

// yankedJSON is false, true, or the reason.
type yankedJSON struct {
	set    bool
	reason string
}

// UnmarshalJSON implements [json.Unmarshaler].
func (y *yankedJSON) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &y.reason) == nil && string(data) != "null" {
		y.set = true
		return nil
	}
	y.set = string(data) == "true"
	return nil
}
