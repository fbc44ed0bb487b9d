package gateway

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
)

// before leaves out the files that are later than what is shown. A file
// whose date nobody knows stays.
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

// uploads asks the interface that an index may have beside its pages when
// its files were uploaded. One that does not answer knows nothing.
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

// parseUploads reads the dates by file, as far as they are understood.
func parseUploads(body []byte) map[string]time.Time {
	type upload struct {
		File string `json:"filename"`
		Date string `json:"upload_time_iso_8601"`
	}
	var p struct {
		Releases map[string][]upload `json:"releases"`
		URLs     []upload            `json:"urls"`
	}
	// What is of another type than it should be is passed over.
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
