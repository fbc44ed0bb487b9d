package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
)

func day(d int) time.Time { return time.Date(2025, 3, d, 12, 0, 0, 0, time.UTC) }

// dated is a packument with a version for each of the days; day 0 means no
// date.
func dated(tags string, versions map[string]int) string {
	var list, times []string
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		list = append(list, fmt.Sprintf(`%q:{"name":"left","version":%q,"readme":"long","scripts":{"install":"x"},"dist":{"tarball":"HOST/npm/left/-/left-%s.tgz"}}`, v, v, v))
		if d := versions[v]; d > 0 {
			times = append(times, fmt.Sprintf("%q:%q", v, day(d).Format(time.RFC3339Nano)))
		}
	}
	return fmt.Sprintf(`{"_id":"left","name":"left","readme":"long","dist-tags":%s,"versions":{%s},"time":{"created":"2011-01-01T00:00:00Z","modified":"2031-01-01T00:00:00Z",%s}}`,
		tags, strings.Join(list, ","), strings.Join(times, ","))
}

func TestPackumentCut(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		versions string
		tags     map[string]string
		undated  int
	}{
		{"nothing is later", dated(`{"latest":"1.1.0","next":"2.0.0"}`, map[string]int{"1.0.0": 1, "1.1.0": 2}),
			"1.0.0 1.1.0", map[string]string{"latest": "1.1.0", "next": "2.0.0"}, 0},
		{"the very moment stays", dated(`{"latest":"1.0.0"}`, map[string]int{"1.0.0": 10}), "1.0.0", map[string]string{"latest": "1.0.0"}, 0},
		{"latest moves", dated(`{"latest":"2.0.0","old":"1.0.0","next":"2.1.0"}`, map[string]int{"1.0.0": 1, "1.9.0": 2, "1.10.0": 3, "2.0.0": 11, "2.1.0": 12}),
			"1.0.0 1.10.0 1.9.0", map[string]string{"latest": "1.10.0", "old": "1.0.0"}, 0},
		{"not above what it was", dated(`{"latest":"1.2.0"}`, map[string]int{"1.1.0": 1, "1.2.0": 11, "3.0.0": 2}),
			"1.1.0 3.0.0", map[string]string{"latest": "1.1.0"}, 0},
		{"not to a pre-release", dated(`{"latest":"2.0.0"}`, map[string]int{"1.0.0": 1, "2.0.0-rc.1": 2, "2.0.0": 11}),
			"1.0.0 2.0.0-rc.1", map[string]string{"latest": "1.0.0"}, 0},
		{"unless there is nothing else", dated(`{"latest":"2.0.0"}`, map[string]int{"2.0.0-rc.2": 1, "2.0.0-rc.10": 2, "2.0.0": 11}),
			"2.0.0-rc.10 2.0.0-rc.2", map[string]string{"latest": "2.0.0-rc.10"}, 0},
		{"nothing is left", dated(`{"latest":"2.0.0"}`, map[string]int{"2.0.0": 11}), "", map[string]string{}, 0},
		{"undated stay", dated(`{"latest":"3.0.0"}`, map[string]int{"1.0.0": 1, "2.0.0": 0, "3.0.0": 0, "4.0.0": 11}),
			"1.0.0 2.0.0 3.0.0", map[string]string{"latest": "3.0.0"}, 2},
		{"no dates at all", `{"name":"left","versions":{"1.0.0":{},"2.0.0":{}},"dist-tags":{"latest":"2.0.0"}}`,
			"1.0.0 2.0.0", map[string]string{"latest": "2.0.0"}, 2},
		{"dates of another kind", `{"versions":{"1.0.0":{},"2.0.0":{},"3.0.0":{}},"time":{"1.0.0":7,"2.0.0":{"a":"b"},"3.0.0":"yesterday"}}`, "1.0.0 2.0.0 3.0.0", nil, 3},
		{"other zones", `{"versions":{"1.0.0":{},"2.0.0":{}},"time":{"1.0.0":"2025-03-10T13:30:00.071000+02:00","2.0.0":"2025-03-10T11:30:00-02:00"}}`, "1.0.0", nil, 0},
		{"versions that are none", `{"dist-tags":{"latest":"9","odd":7},"versions":{"9":{},"x y":{},"1.0.0":{}},"time":{"9":"2026-01-01T00:00:00Z","x y":"2020-01-01T00:00:00Z","1.0.0":"2020-01-01T00:00:00Z"}}`,
			"1.0.0 x y", map[string]string{"latest": "1.0.0"}, 0},
		{"unpublished", `{"name":"left","time":{"unpublished":{"name":"me"}}}`, "", nil, 0},
		{"lists of another kind", `{"versions":["1.0.0"],"time":null,"dist-tags":"latest"}`, "", nil, 0},
		{"keys twice", `{"versions":{"1.0.0":{}},"versions":{"2.0.0":{}},"time":{"2.0.0":"2026-01-01T00:00:00Z"}}`, "", nil, 0},
	} {
		for _, short := range []bool{true, false} {
			d, err := parsePackument([]byte(tt.in))
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			g := New(&Options{Before: day(10)})
			if got := d.cut(g.isLater); got != tt.undated {
				t.Errorf("%s: %d undated, want %d", tt.name, got, tt.undated)
			}
			body, err := d.render(short)
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			var got struct {
				Versions map[string]any
				Tags     map[string]string `json:"dist-tags"`
			}
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatalf("%s: %v: %s", tt.name, err, body)
			}
			if diff := cmp.Diff(tt.versions, strings.Join(slices.Sorted(maps.Keys(got.Versions)), " ")); diff != "" {
				t.Errorf("%s: versions (-want +got)\n%s", tt.name, diff)
			}
			if diff := cmp.Diff(tt.tags, got.Tags); diff != "" {
				t.Errorf("%s: tags (-want +got)\n%s", tt.name, diff)
			}
		}
	}
	for _, bad := range []string{"", "null", "[]", "1", `"x"`, "{", strings.Repeat(`{"versions":`, 100_000)} {
		if _, err := parsePackument([]byte(bad)); err == nil {
			t.Errorf("%.30q was taken for a packument", bad)
		}
	}
}

// FuzzPackumentCut checks that all later versions are removed, no earlier ones,
// and that no tag names a missing version.
func FuzzPackumentCut(f *testing.F) {
	f.Add(dated(`{"latest":"2.0.0","next":"3.0.0"}`, map[string]int{"1.0.0": 1, "2.0.0": 11, "3.0.0": 12, "1.0.0-rc.1": 0}))
	f.Add(`{"versions":{"1.0.0+a":{"dist":1},"1.0.0+b":[]},"time":{"1.0.0+a":"2026-01-01T00:00:00Z"},"dist-tags":{"latest":"1.0.0+a"}}`)
	f.Add(`{"versions":null,"dist-tags":{"latest":null},"time":[]}`)
	f.Fuzz(func(t *testing.T, in string) {
		before, err := parsePackument([]byte(in))
		if err != nil {
			return
		}
		d, err := parsePackument([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		g := New(&Options{Before: day(10)})
		d.cut(g.isLater)
		for v := range before.versions {
			_, stays := d.versions[v]
			if later := g.isLater(published.ParseDate(textOf(before.times[v]))); later == stays {
				t.Fatalf("version %q: later is %t, stays is %t", v, later, stays)
			}
		}
		for tag, raw := range d.tags {
			if _, ok := d.versions[textOf(raw)]; !ok && len(d.versions) < len(before.versions) {
				t.Fatalf("tag %q leads to %s", tag, raw)
			}
		}
		for _, short := range []bool{true, false} {
			if body, err := d.render(short); err != nil || !json.Valid(body) {
				t.Fatalf("%q: %v", body, err)
			}
		}
	})
}

// yesterday is a registry with dates.
func yesterday() http.Handler {
	mux := http.NewServeMux()
	answer := func(path, contentType, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "HOST", "http://"+r.Host))
		})
	}
	full := dated(`{"latest":"2.0.0","next":"2.0.0"}`, map[string]int{"1.0.0": 1, "2.0.0": 11, "0.9.0": 0})
	mux.HandleFunc("GET /npm/left", func(w http.ResponseWriter, r *http.Request) {
		body := full
		if strings.Contains(r.Header.Get("Accept"), npmShort) {
			body, _, _ = strings.Cut(full, `,"time"`) // the short form has no dates
			body += "}"
		}
		_, _ = io.WriteString(w, strings.ReplaceAll(body, "HOST", "http://"+r.Host))
	})
	answer("/npm/broken", "application/json", "[1]")
	answer("/npm/left/-/{file}", "application/octet-stream", tarball)
	answer("/simple/in-json/", simpleJSON, `{"meta":{"api-version":"1.1"},"files":[
 {"url":"HOST/files/a-1.whl","upload-time":"2025-03-01T00:00:00.123456Z"},{"url":"HOST/files/a-2.whl","upload-time":"2025-03-11T00:00:00Z"}]}`)
	answer("/simple/in-html/", "text/html", `<a href="/files/a-1.whl" data-upload-time="2025-03-01T00:00:00Z">x</a>
 <a href="/files/a-2.whl" data-upload-time="2025-03-11T00:00:00Z">x</a>
 <a href="/files/a-3.whl">x</a><a href="/files/a-4.whl">x</a><a href="/files/a-5.whl" data-upload-time="soon">x</a>`)
	answer("/pypi/in-html/json", "application/json", `{"info":{},"releases":{"1":[{"filename":"a-1.whl","upload_time_iso_8601":"2025-03-30T00:00:00Z"}],
 "3":[{"filename":"a-3.whl","upload_time_iso_8601":"2025-03-12T00:00:00Z"},{"filename":7}],"9":null,"8":{}},"urls":[{"filename":"a-4.whl","upload_time_iso_8601":"2025-03-02T00:00:00Z"}]}`)
	answer("/simple/silent/", "text/html", `<a href="/files/a-1.whl">x</a><a href="/files/a-2.whl">x</a>`)
	answer("/simple/lying/", "text/html", `<a href="/files/a-1.whl">x</a>`)
	answer("/pypi/lying/json", "application/json", strings.Repeat("[", 1<<20))
	answer("/simple/late/", "text/html", `<a href="/files/a-1.whl" data-upload-time="2026-01-01T00:00:00Z">x</a>`)
	answer("/other/silent/", "text/html", `<a href="/files/b-1.whl">x</a>`)
	return mux
}

func TestBeforeNPM(t *testing.T) {
	w := newWorld(t, yesterday(), func(o *Options) { o.Before = day(10) })
	for _, accept := range []string{acceptNPMShort, acceptNPMFull} {
		resp, body := w.get("/npm/left", "Accept", accept)
		var p struct {
			Name, Readme string
			Tags         map[string]string `json:"dist-tags"`
			Time         map[string]string
			Versions     map[string]struct {
				Readme  string
				Scripts map[string]string
				Dist    struct{ Tarball string }
			}
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%s: %v: %s", resp.Status, err, body)
		}
		if diff := cmp.Diff(map[string]string{"latest": "1.0.0"}, p.Tags); diff != "" || p.Name != "left" || len(p.Versions) != 2 {
			t.Errorf("%s (-want +got)\n%s", body, diff)
		}
		v, long := p.Versions["1.0.0"], accept == acceptNPMFull
		if (p.Readme != "") != long || (v.Readme != "") != long || (p.Time["1.0.0"] != "") != long || p.Time["2.0.0"] != "" || v.Scripts["install"] != "x" {
			t.Errorf("as %s: %s", accept, body)
		}
		if resp, got := w.get(v.Dist.Tarball); resp.StatusCode != http.StatusOK || got != tarball {
			t.Errorf("the tarball: %s %q", resp.Status, got)
		}
	}
	for version, want := range map[string]string{"1.0.0": "1.0.0", "latest": "1.0.0", "2.0.0": "", "next": "", "7.0.0": "", "0.9.0": "0.9.0"} {
		resp, body := w.get("/npm/left/" + version)
		var v struct{ Version string }
		_ = json.Unmarshal([]byte(body), &v)
		if v.Version != want || (want == "") != (resp.StatusCode == http.StatusNotFound) {
			t.Errorf("%s: %s %q", version, resp.Status, body)
		}
		if want != "" && !strings.Contains(body, "/left-"+want+".tgz") {
			t.Errorf("%s: no address of ours: %s", version, body)
		}
	}
	// Files that a lock file names are served whatever their date.
	if resp, _ := w.get("/npm/left/-/left-2.0.0.tgz"); resp.StatusCode != http.StatusOK {
		t.Errorf("the file of a lock file: %s", resp.Status)
	}
	for _, path := range []string{"/npm/broken", "/npm/broken/1.0.0"} {
		if resp, body := w.get(path); resp.StatusCode != http.StatusBadGateway {
			t.Errorf("%s: %s %q", path, resp.Status, body)
		}
	}
	for _, r := range w.requests() {
		if strings.Contains(r.Header.Get("Accept"), npmShort) {
			t.Error("asked for the form without dates")
		}
	}
	if got := w.gateway.Totals().Undated; got != 1 {
		t.Errorf("%d undated, want 1", got)
	}
}

func TestBeforePyPI(t *testing.T) {
	for _, tt := range []struct {
		name, index, files string
		undated            int
		asked              bool // whether the JSON API was asked, too
	}{
		{"in-json", "/simple/", "a-1.whl", 0, false},
		{"in-html", "/simple/", "a-1.whl a-4.whl a-5.whl", 1, true},
		{"silent", "/simple/", "a-1.whl a-2.whl", 2, true},
		{"lying", "/simple/", "a-1.whl", 1, true},
		{"late", "/simple/", "", 0, false},
		{"silent", "/other/", "b-1.whl", 1, false},
	} {
		t.Run(tt.name+strings.ReplaceAll(tt.index, "/", "-"), func(t *testing.T) {
			w := newWorld(t, yesterday(), func(o *Options) { o.Before = day(10) })
			w.gateway.opts.Client = newClient(t, w.upstream.URL, map[string]string{"PIP_INDEX_URL": w.upstream.URL + tt.index})
			for _, accept := range []string{acceptSimple, "text/html"} {
				resp, body := w.get("/pypi/simple/"+tt.name+"/", "Accept", accept)
				links, _ := parseSimpleHTML([]byte(body))
				if accept == acceptSimple {
					links, _ = parseSimpleJSON([]byte(body))
				}
				var files []string
				for _, l := range links {
					files = append(files, l.address[strings.LastIndexByte(l.address, '/')+1:])
				}
				if got := strings.Join(files, " "); resp.StatusCode != http.StatusOK || got != tt.files {
					t.Errorf("%s: %s %q, want %q", accept, resp.Status, got, tt.files)
				}
			}
			if got := w.gateway.Totals().Undated; got != tt.undated {
				t.Errorf("%d undated, want %d", got, tt.undated)
			}
			asked := slices.ContainsFunc(w.requests(), func(r *http.Request) bool { return r.URL.Path == "/pypi/"+tt.name+"/json" })
			if asked != tt.asked {
				t.Errorf("the interface was asked: %t", asked)
			}
			for _, a := range w.recorded() {
				if a.Failure != nil {
					t.Errorf("%s: %v", a.URL, a.Failure)
				}
			}
		})
	}
}

// TestBeforeZero checks that without a date nothing extra is requested or left
// out.
func TestBeforeZero(t *testing.T) {
	w := newWorld(t, yesterday(), nil)
	_, body := w.get("/pypi/simple/in-html/")
	if n := strings.Count(body, "<a "); n != 5 {
		t.Errorf("%d files: %s", n, body)
	}
	if _, body = w.get("/npm/left"); !strings.Contains(body, `"latest":"2.0.0"`) {
		t.Errorf("left: %s", body)
	}
	if n, undated := len(w.requests()), w.gateway.Totals().Undated; n != 2 || undated != 0 {
		t.Errorf("%d requests, %d undated", n, undated)
	}
}

func FuzzParseUploads(f *testing.F) {
	f.Add(`{"releases":{"1":[{"filename":"a","upload_time_iso_8601":"2025-03-01T00:00:00.5Z"}]},"urls":[{"filename":"b","upload_time_iso_8601":"x"}]}`)
	f.Add(`{"releases":[],"urls":{}}`)
	f.Fuzz(func(t *testing.T, in string) {
		for file, date := range parseUploads([]byte(in)) {
			if date.IsZero() {
				t.Fatalf("%q has no date", file)
			}
		}
	})
}
