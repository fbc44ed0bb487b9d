package executor

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// entry is a member of a tar.
type entry struct {
	name, body, link string
	kind             byte
	size             int64 // if it differs from the content
}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: e.kind, Linkname: e.link, Mode: 0o644, Size: int64(len(e.body))}
		if e.size != 0 {
			h.Size = e.size
		}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil && entries[len(entries)-1].size == 0 {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func unpackInto(t testing.TB, from []byte) (map[string]string, error) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	failed := unpack(root, bytes.NewReader(from))
	files := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files, failed
}

func TestUnpack(t *testing.T) {
	t.Parallel()
	got, err := unpackInto(t, tarOf(t, entry{name: "out/", kind: tar.TypeDir}, entry{name: "out/report.json", body: "{}"}, entry{name: "out/events.jsonl", body: "1\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"report.json": "{}", "events.jsonl": "1\n"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestUnpackRefuses(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]entry{
		"climbs out":        {name: "out/../../report.json", body: "x"},
		"absolute":          {name: "/out/report.json", body: "x"},
		"hidden":            {name: "out/.bashrc", body: "x"},
		"below":             {name: "out/sub/report.json", body: "x"},
		"beside":            {name: "other/report.json", body: "x"},
		"link":              {name: "out/report.json", kind: tar.TypeSymlink, link: "/etc/passwd"},
		"hard link":         {name: "out/report.json", kind: tar.TypeLink, link: "/etc/passwd"},
		"device":            {name: "out/report.json", kind: tar.TypeChar},
		"directory":         {name: "out/report.json/", kind: tar.TypeDir},
		"escape in a name":  {name: "out/\x1b[2J", body: "x"},
		"longer than a run": {name: "out/report.json", size: maxFile + 1},
		"shorter than said": {name: "out/report.json", body: "x", size: 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := unpackInto(t, tarOf(t, e))
			if err == nil {
				t.Errorf("%+v was taken: %v", e, files)
			}
			if len(files) != 0 {
				t.Errorf("it left %v", files)
			}
		})
	}
}

func TestUnpackManyFiles(t *testing.T) {
	t.Parallel()
	many := make([]entry, maxFiles+1)
	for i := range many {
		many[i] = entry{name: "out/" + strings.Repeat("a", i+1), body: "x"}
	}
	if _, err := unpackInto(t, tarOf(t, many...)); err == nil {
		t.Errorf("%d files were taken", len(many))
	}
}

func TestEngineHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if got := engineHost(func(name string) string {
		return map[string]string{"DOCKER_HOST": "tcp://192.0.2.1:2376", "HOME": home}[name]
	}); got != "tcp://192.0.2.1:2376" {
		t.Errorf("got %q, want what DOCKER_HOST says", got)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	got := settings(func(name string) string {
		return map[string]string{"HTTPS_PROXY": "http://proxy.example:3128", "npm_config_registry": "https://packages.example/", "AWS_SECRET_ACCESS_KEY": "no", "HOME": "/home/dev"}[name]
	})
	if diff := cmp.Diff([]string{"HTTPS_PROXY=http://proxy.example:3128", "npm_config_registry=https://packages.example/"}, got); diff != "" {
		t.Error(diff)
	}
}
