package advisory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// bucket serves exports like the public one.
type bucket struct {
	data []byte
	etag string
	// instead answers in its place, if set.
	instead http.HandlerFunc
	asked   []string
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.asked = append(b.asked, r.URL.Path+" "+r.Header.Get("If-None-Match"))
	switch {
	case b.instead != nil:
		b.instead(w, r)
	case r.Header.Get("If-None-Match") == b.etag:
		w.WriteHeader(http.StatusNotModified)
	default:
		w.Header().Set("ETag", b.etag)
		w.Header().Set("Content-Length", fmt.Sprint(len(b.data)))
		w.Header().Set("Last-Modified", "Sat, 31 Oct 2026 12:00:00 GMT")
		_, _ = w.Write(b.data)
	}
}

func serve(t *testing.T, b *bucket) string {
	t.Helper()
	s := httptest.NewServer(b)
	t.Cleanup(func() {
		s.Client().CloseIdleConnections()
		s.Close()
	})
	return s.URL
}

func client(t *testing.T) *http.Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestUpdateFromServer(t *testing.T) {
	b := &bucket{data: zipped(t, records(t)), etag: `"one"`}
	base := serve(t, b)
	dir := filepath.Join(t.TempDir(), "made", "by", "update")
	clock := today()
	var progress []string
	opts := &UpdateOptions{
		From: base + "/osv/", Client: client(t), Now: func() time.Time { return clock }, Ecosystems: []string{"npm", "crates.io"},
		Progress: func(ecosystem string, done, total int64) {
			if done == total && (len(progress) == 0 || !strings.HasPrefix(progress[len(progress)-1], ecosystem)) {
				progress = append(progress, fmt.Sprint(ecosystem, " ", total))
			}
		},
	}
	got, err := Update(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	want := []Updated{
		{Status: Status{Ecosystem: "npm", Records: 3, Packages: 5, Withdrawn: 1, Newest: time.Date(2026, 10, 31, 11, 20, 0, 0, time.UTC), Fetched: today(), Source: base + "/osv/npm/all.zip"}},
		{Status: Status{Ecosystem: "crates.io", Records: 1, Packages: 1, Withdrawn: 1, Newest: time.Date(2026, 10, 31, 11, 20, 0, 0, time.UTC), Fetched: today(), Source: base + "/osv/crates.io/all.zip"}},
	}
	anySize := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Bytes" }, cmp.Ignore())
	if diff := cmp.Diff(want, got, anySize); diff != "" {
		t.Errorf("updated (-want +got):\n%s", diff)
	}
	size := len(b.data)
	if diff := cmp.Diff([]string{fmt.Sprint("npm ", size), fmt.Sprint("crates.io ", size)}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}

	// Three days later there is nothing new; the database is then up to date.
	clock = clock.Add(72 * time.Hour)
	opts.Ecosystems = []string{"npm"}
	if got, err = Update(t.Context(), dir, opts); err != nil {
		t.Fatal(err)
	}
	want = want[:1]
	want[0].Unchanged, want[0].Before, want[0].Fetched = true, 3, clock
	if diff := cmp.Diff(want, got, anySize); diff != "" {
		t.Errorf("updated again (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/osv/npm/all.zip ", "/osv/crates.io/all.zip ", `/osv/npm/all.zip "one"`}, b.asked); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	found, _, err := opened(t, dir, nil).Match(t.Context(), []mcpsf.Package{pkg("npm", "wether-words", "1.0.0")})
	if err != nil || len(found) != 1 {
		t.Errorf("%d advisories, %v, want 1", len(found), err)
	}

	// Another export replaces it.
	b.etag, b.data = `"two"`, zipped(t, map[string]string{"a.json": records(t)["MAL-2026-90001.json"]})
	if got, err = Update(t.Context(), dir, opts); err != nil || got[0].Unchanged || got[0].Records != 1 || got[0].Before != 3 {
		t.Errorf("%+v, %v, want one record where there were 3", got, err)
	}
	// The ETag of one mirror is not sent to another.
	b.asked = nil
	opts.From = base + "/other"
	if got, err = Update(t.Context(), dir, opts); err != nil || got[0].Unchanged || b.asked[0] != "/other/npm/all.zip " {
		t.Errorf("%+v, %v, asked %q", got, err, b.asked)
	}
	noPartial(t, dir)
}

// Whatever fails, the old file is kept.
func TestUpdateFails(t *testing.T) {
	data := zipped(t, records(t))
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	for _, tt := range []struct {
		name    string
		instead http.HandlerFunc
		want    string
	}{
		{"not there", status(404), "it is not there (status 404); another mirror is named with --from"},
		{"too often", status(429), "too many requests"},
		{"out of order", status(500), "it answers with status 500"},
		{"not modified, which was not asked", status(304), "it answers with status 304"},
		{"a page of a portal", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>log in</html>")) }, "cannot be used: the export is not a zip file"},
		{"broken off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(len(data)))
			_, _ = w.Write(data[:len(data)/2])
			panic(http.ErrAbortHandler)
		}, "the download broke off"},
		{"cut without saying so", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data[:len(data)/2]) }, "not a zip file, or a damaged one"},
		{"changed on the way", func(w http.ResponseWriter, _ *http.Request) {
			broken := bytes.Clone(data)
			broken[200] ^= 0xff
			_, _ = w.Write(broken)
		}, "the export is damaged at"},
		{"announced too large", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "9999999999999") }, "it has more than 4096 MiB"},
		{"without records", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(zipped(t, nil)) }, "no records about npm"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			b := &bucket{data: data, etag: `"x"`}
			opts := &UpdateOptions{From: serve(t, b), Client: client(t), Now: today, Ecosystems: []string{"npm"}}
			if _, err := Update(t.Context(), dir, opts); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(filepath.Join(dir, "npm.advisories"))
			if err != nil {
				t.Fatal(err)
			}
			b.instead = tt.instead
			opts.From += "/elsewhere"
			_, err = Update(t.Context(), dir, opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, tt.want)
			}
			after, err := os.ReadFile(filepath.Join(dir, "npm.advisories"))
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the database was changed, or is gone: %v", err)
			}
			noPartial(t, dir)
		})
	}
}

func TestDownloadHasALimit(t *testing.T) {
	b := &bucket{instead: func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}}
	u := &updater{dir: t.TempDir(), lim: limits{download: 1 << 20}, now: today}
	u.opts = UpdateOptions{From: serve(t, b), Client: client(t), Ecosystems: []string{"npm"}}
	if _, err := u.all(t.Context()); err == nil || !strings.Contains(err.Error(), "it has more than 1 MiB") {
		t.Errorf("error %v", err)
	}
	noPartial(t, u.dir)
}

func TestUpdateOfSome(t *testing.T) {
	b := &bucket{data: zipped(t, records(t)), etag: `"x"`}
	b.instead = func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "npm") {
			_, _ = w.Write(b.data)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}
	dir := t.TempDir()
	got, err := Update(t.Context(), dir, &UpdateOptions{From: serve(t, b), Client: client(t), Now: today, Ecosystems: []string{"Go", "npm", "PyPI"}})
	if len(got) != 1 || got[0].Ecosystem != "npm" {
		t.Errorf("updated %+v, want npm", got)
	}
	if err == nil || !strings.Contains(err.Error(), "advisories about Go cannot be fetched") || !strings.Contains(err.Error(), "(and 1 more like it)") {
		t.Errorf("error %v", err)
	}
	// A host that does not answer is not asked again for the next ecosystem.
	asked := 0
	_, err = Update(t.Context(), dir, &UpdateOptions{From: "https://mirror.example", Now: today, Client: doer(func(*http.Request) (*http.Response, error) {
		asked++
		return nil, errors.New("no route")
	})})
	if err == nil || asked != 1 || !strings.Contains(err.Error(), "advisories about npm cannot be fetched from mirror.example, and nothing was changed: no route") {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func TestUpdateFromFiles(t *testing.T) {
	all := mirror(t)
	file := filepath.Join(t.TempDir(), "export.zip")
	npmOnly := map[string]string{}
	for name, data := range records(t) {
		if strings.Contains(data, `"npm"`) {
			npmOnly[name] = data
		}
	}
	if err := os.WriteFile(file, zipped(t, npmOnly), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, from string
		ecosystems []string
		want       []string
		fails      string
	}{
		{"a mirror's directory", all, nil, Ecosystems(), ""},
		{"some of it", all, []string{"Go"}, []string{"Go"}, ""},
		{"a file in it", filepath.Join(all, "Debian", "all.zip"), nil, []string{"Debian"}, ""},
		{"a file that says itself", file, nil, []string{"npm"}, ""},
		{"a file and what it is about", file, []string{"PyPI"}, []string{"PyPI"}, ""},
		{"a file about another", file, []string{"Maven"}, nil, "has no records about Maven"},
		{"a file for two", file, []string{"npm", "PyPI"}, nil, "is one export; name one ecosystem"},
		{"no file", filepath.Join(all, "none.zip"), nil, nil, "no such file"},
		{"an empty directory", t.TempDir(), nil, nil, "has no exports; they are in it as ECOSYSTEM/all.zip"},
		{"one that is not in it", t.TempDir(), []string{"Go"}, nil, "cannot be read: no such file"},
		{"an unknown ecosystem", all, []string{"CPAN"}, nil, `there is no ecosystem "CPAN"; there are npm, PyPI`},
		{"written otherwise", all, []string{"pypi"}, nil, `there is no ecosystem "pypi"; did you mean PyPI?`},
		{"no ecosystem at all", all, []string{"../../etc"}, nil, "is no ecosystem"},
		{"an address that does not say", "https://mirror.example/x/all.zip", nil, nil, "does not say which ecosystem"},
		{"no address", "https://", nil, nil, "no address of the web"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Update(t.Context(), t.TempDir(), &UpdateOptions{From: tt.from, Ecosystems: tt.ecosystems, Now: today})
			if tt.fails != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fails) {
					t.Errorf("error %v, want one with %q", err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, u := range got {
				names = append(names, u.Ecosystem)
			}
			if diff := cmp.Diff(tt.want, names); diff != "" {
				t.Errorf("ecosystems (-want +got):\n%s", diff)
			}
		})
	}
}

// The records of a mixed export have no ecosystem in common.
func TestMixedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "all.zip")
	if err := os.WriteFile(file, zipped(t, records(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Update(t.Context(), t.TempDir(), &UpdateOptions{From: file, Now: today})
	if err == nil || !strings.Contains(err.Error(), "name it with --ecosystem") || mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("error %v", err)
	}
}

// A password in the address is neither stored nor shown in messages.
func TestAddressWithPassword(t *testing.T) {
	b := &bucket{data: zipped(t, records(t)), etag: `"x"`}
	base := strings.Replace(serve(t, b), "http://", "http://me:hunter2@", 1)
	dir := t.TempDir()
	got, err := Update(t.Context(), dir, &UpdateOptions{From: base, Client: client(t), Now: today, Ecosystems: []string{"npm"}})
	if err != nil || strings.Contains(got[0].Source, "hunter2") {
		t.Errorf("%+v, %v", got, err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "npm.advisories"))
	if err != nil || bytes.Contains(data, []byte("hunter2")) {
		t.Errorf("the password is in the database, or %v", err)
	}
}

func TestUpdateEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	b := &bucket{instead: func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("PK"))
		w.(http.Flusher).Flush()
		cancel()
		<-ctx.Done()
	}}
	dir := t.TempDir()
	_, err := Update(ctx, dir, &UpdateOptions{From: serve(t, b), Client: client(t), Now: today})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	noPartial(t, dir)
}

// The file of a killed update is removed, that of a running one is not.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for name, age := range map[string]time.Duration{"1.partial": 48 * time.Hour, "2.partial": time.Minute, "notes.txt": 48 * time.Hour} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Time{}, today().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Update(t.Context(), dir, &UpdateOptions{From: mirror(t), Now: today, Ecosystems: []string{"npm"}}); err != nil {
		t.Fatal(err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{"2.partial", "notes.txt", "npm.advisories"}, left); diff != "" || err != nil {
		t.Errorf("%v, left (-want +got):\n%s", err, diff)
	}
}

func noPartial(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, "*"+partial))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
