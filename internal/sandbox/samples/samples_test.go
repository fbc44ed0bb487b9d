package samples

import (
	"bytes"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

func all(t *testing.T) []File {
	t.Helper()
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestPaths(t *testing.T) {
	var paths []string
	for _, f := range all(t) {
		if !strings.HasPrefix(f.Path, mcpsf.Home+"/") || f.Path != path.Clean(f.Path) {
			t.Errorf("%s is not below the home directory", f.Path)
		}
		if f.Mode != 0o644 && f.Mode != 0o755 {
			t.Errorf("%s has mode %o", f.Path, f.Mode)
		}
		paths = append(paths, f.Path)
	}
	if !slices.IsSorted(paths) {
		t.Error("the paths are not sorted")
	}
	for i := 1; i < len(paths); i++ {
		if paths[i] == paths[i-1] || strings.HasPrefix(paths[i], paths[i-1]+"/") {
			t.Errorf("%s collides with %s", paths[i], paths[i-1])
		}
	}
}

func TestScriptsCanBeStarted(t *testing.T) {
	for _, f := range all(t) {
		if starts := bytes.HasPrefix(f.Content, []byte("#!")); starts != (f.Mode == 0o755) {
			t.Errorf("%s has mode %o", f.Path, f.Mode)
		}
	}
}

func TestSizes(t *testing.T) {
	files, sum := all(t), 0
	for _, f := range files {
		sum += len(f.Content)
		if len(f.Content) > 16<<10 {
			t.Errorf("%s has %d bytes", f.Path, len(f.Content))
		}
	}
	if len(files) > 360 || sum > 600<<10 {
		t.Errorf("%d files, %d bytes", len(files), sum)
	}
	binary, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range binary {
		if len(e.content) > 2<<10 {
			t.Errorf("%s has %d bytes; make it by code", e.name, len(e.content))
		}
	}
}

func TestSameEveryTime(t *testing.T) {
	if !reflect.DeepEqual(all(t), all(t)) {
		t.Error("two calls differ")
	}
}

// The decoys keep their paths: neither the same one nor a folder where the other
// has a file, and no project around a decoy.
func TestApartFromDecoys(t *testing.T) {
	home, err := decoys.Mint(1, time.Date(2026, 9, 14, 8, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{home.Places.NewFile: true}
	for _, d := range home.Decoys {
		taken[d.Path] = true
	}
	for _, f := range home.Scenery {
		taken[f.Path] = true
	}
	for _, f := range all(t) {
		for other := range taken {
			if f.Path == other || strings.HasPrefix(f.Path, other+"/") || strings.HasPrefix(other, f.Path+"/") {
				t.Errorf("%s collides with %s", f.Path, other)
			}
		}
	}
	for _, p := range projects(t) {
		for other := range taken {
			if strings.HasPrefix(other, p.Dir+"/") {
				t.Errorf("%s is inside project %s", other, p.Name)
			}
		}
	}
}

// unpacked are the contents, those of zip files and archives as well.
func unpacked(t *testing.T) map[string][]byte {
	t.Helper()
	contents := make(map[string][]byte)
	for _, f := range all(t) {
		contents[f.Path] = f.Content
	}
	for _, folder := range []string{"office", "projects", "text"} {
		list, err := archives(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			for _, e := range a.files {
				contents[path.Join(folder, a.name, e.name)] = e.content
			}
		}
	}
	return contents
}

func TestNothingTellsThatItIsPlanted(t *testing.T) {
	words := regexp.MustCompile(`(?i)mcpsf|decoy|canary|honeypot|planted|sandbox|sample server|test fixture|dummy|lorem ipsum`)
	for name, content := range unpacked(t) {
		if found := words.Find(content); found != nil {
			t.Errorf("%s says %q", name, found)
		}
		if found := words.FindString(strings.TrimPrefix(name, mcpsf.Home)); found != "" {
			t.Errorf("%s is called %q", name, found)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	words := regexp.MustCompile(`(?i)private key|passw(or)?d|api[_-]?key|access[_-]?token|bearer |AKIA|secret *[:=]`)
	for name, content := range unpacked(t) {
		if found := words.Find(content); found != nil {
			t.Errorf("%s has %q", name, found)
		}
	}
}

// Hosts are reserved names. Names of formats look like addresses, but nobody opens
// them.
func TestHosts(t *testing.T) {
	formats := []string{
		"www.w3.org", "schemas.openxmlformats.org", "purl.org", "www.idpf.org", "www.daisy.org", "www.topografix.com",
		"www.opengis.net", "www.omg.org", "maven.apache.org", "schemas.android.com", "json-schema.org", "schema.getpostman.com",
		"www.videolan.org", // the encoder of the film signs its work
	}
	address := regexp.MustCompile(`(?:https?://|[a-z0-9]@)([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)
	for name, content := range unpacked(t) {
		for _, m := range address.FindAllSubmatch(content, -1) {
			host := string(m[1])
			if !strings.HasSuffix(host, ".example") && !slices.Contains(formats, host) {
				t.Errorf("%s names %s", name, host)
			}
		}
	}
}

func TestByEnding(t *testing.T) {
	paths := ByEnding()
	present := make(map[string]bool)
	for _, f := range all(t) {
		present[f.Path] = true
	}
	for key, at := range paths {
		if !present[at] || !strings.HasSuffix(at, key) {
			t.Errorf("%s is %s", key, at)
		}
	}
	for _, key := range wanted() {
		if paths[key] == "" {
			t.Errorf("no file for %s", key)
		}
	}
	for key, want := range map[string]string{
		".json": "products.json", ".yaml": "stand.yaml", ".txt": "press-release.txt", ".gz": "till.log.gz", ".tar.gz": "fair.tar.gz",
	} {
		if got := path.Base(paths[key]); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func wanted() []string {
	return append(strings.Fields(`.txt .md .rst .adoc .html .css .js .mjs .ts .tsx .jsx .py .ipynb .go .rs .java .kt .swift
		.c .cpp .h .cs .rb .php .sh .lua .r .jl .sql .graphql .proto .json .jsonl .json5 .yaml .yml .toml .ini .xml .xsd .csv .tsv
		.ics .vcf .eml .mbox .srt .vtt .geojson .gpx .kml .svg .png .jpg .jpeg .gif .webp .bmp .tiff .ico .pdf .docx .xlsx .pptx
		.odt .ods .epub .rtf .zip .tar .tar.gz .tgz .gz .sqlite .db .parquet .avro .wav .mp3 .ogg .mp4 .wasm .stl .obj .glb .dxf
		.drawio .excalidraw .mmd .puml .bib .tex .bpmn .har .log .diff .patch .pem .tf`), knownNames()...)
}
