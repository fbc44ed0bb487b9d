package gateway

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
)

// before leaves out files that are later than the date shown. A file of unknown
// date stays.
func (g *Gateway) before(x *exchange, index int, reg registry.Registry, name string, links []link) []link {
	dates := make([]time.Time, len(links))
	missing := 0
	for i, l := range links {
		if dates[i] = published.ParseDate(l.uploaded); dates[i].IsZero() {
			missing++
		}
	}
	if missing > 0 {
		uploads := g.uploads(x, reg, name)
		for i, l := range links {
			if date, ok := uploads[l.file]; ok && dates[i].IsZero() {
				dates[i] = date
				missing--
			}
		}
	}
	g.undated.set("pypi "+strconv.Itoa(index)+" "+name, missing)
	kept := links[:0]
	for i, l := range links {
		if !g.isLater(dates[i]) {
			kept = append(kept, l)
		}
	}
	return kept
}

// uploads asks the JSON API that an index may have for the upload dates of its
// files. If it does not answer, no date is known.
func (g *Gateway) uploads(x *exchange, reg registry.Registry, name string) map[string]time.Time {
	if !strings.HasSuffix(reg.URL.Path, "/simple/") {
		return nil
	}
	src, err := g.fetch(x, "PyPI project "+strconv.Quote(name), reg, "../pypi/"+name+"/json", "application/json")
	if err != nil {
		return nil
	}
	return parseUploads(src.body)
}

// parseUploads reads the valid dates by file.
func parseUploads(body []byte) map[string]time.Time {
	type upload struct {
		File string `json:"filename"`
		Date string `json:"upload_time_iso_8601"`
	}
	var p struct {
		Releases map[string][]upload `json:"releases"`
		URLs     []upload            `json:"urls"`
	}
	// Values of an unexpected type are ignored.
	_ = json.Unmarshal(body, &p)
	dates := map[string]time.Time{}
	add := func(uploads []upload) {
		for _, u := range uploads {
			if date := published.ParseDate(u.Date); !date.IsZero() {
				dates[u.File] = date
			}
		}
	}
	for _, uploads := range p.Releases {
		add(uploads)
	}
	add(p.URLs)
	return dates
}
