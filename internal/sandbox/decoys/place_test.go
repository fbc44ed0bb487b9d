package decoys

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// settle writes the home into a directory of the host and returns it.
func settle(t *testing.T, home Home) string {
	t.Helper()
	dir := t.TempDir()
	files := home.Scenery
	for _, d := range home.Decoys {
		files = append(files, File{Path: d.Path, Mode: d.Mode, Content: d.Content})
	}
	for _, f := range files {
		name := filepath.Join(dir, strings.TrimPrefix(f.Path, mcpsf.Home))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Content, os.FileMode(f.Mode)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPlacesAreWhatTheySay(t *testing.T) {
	home := mustMint(t, 11)
	documents, dirs := map[string][]byte{}, map[string]bool{}
	for _, d := range home.Decoys {
		if !d.Secret() {
			documents[d.Path] = d.Content
			dirs[path.Dir(d.Path)] = true
		}
	}
	p := home.Places
	if !dirs[p.Dir] || !dirs[p.Repo] || !dirs[path.Dir(p.NewFile)] {
		t.Errorf("folders without documents: %+v", p)
	}
	if _, taken := documents[p.NewFile]; taken {
		t.Errorf("%s exists", p.NewFile)
	}
	for _, name := range []string{p.File, p.Image, p.PDF, p.JSON, p.CSV} {
		if documents[name] == nil || path.Dir(name) != p.Dir {
			t.Errorf("%s is no document in %s", name, p.Dir)
		}
	}
	if documents[p.Database] == nil {
		t.Errorf("%s is no document", p.Database)
	}
	if !json.Valid(documents[p.JSON]) {
		t.Errorf("not JSON: %s", documents[p.JSON])
	}
	if rows, err := csv.NewReader(bytes.NewReader(documents[p.CSV])).ReadAll(); err != nil || len(rows) < 5 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	if _, err := png.Decode(bytes.NewReader(documents[p.Image])); err != nil {
		t.Error(err)
	}
}

// TestGivenFolderHasNoSecret fails if a later part of the home puts a secret
// there.
func TestGivenFolderHasNoSecret(t *testing.T) {
	home := mustMint(t, 12)
	below := 0
	for _, d := range home.Decoys {
		if !strings.HasPrefix(d.Path, home.Places.Dir+"/") {
			continue
		}
		below++
		if d.Secret() {
			t.Errorf("%s is a secret in the folder that servers are given", d.Path)
		}
	}
	if below < 8 {
		t.Errorf("%d documents in %s", below, home.Places.Dir)
	}
}

func TestSize(t *testing.T) {
	home := mustMint(t, 13)
	total := 0
	for _, d := range home.Decoys {
		total += len(d.Content)
	}
	for _, f := range home.Scenery {
		total += len(f.Content)
	}
	if total > 300<<10 {
		t.Errorf("the home has %d bytes", total)
	}
}

// TestPDF reads the file as a PDF reader does: from the end to the table, from
// the table to the objects, from the page to its text.
func TestPDF(t *testing.T) {
	file := content(t, mustMint(t, 14), projectDir+"/offer.pdf")
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)
	if m == nil {
		t.Fatal("no end")
	}
	at, _ := strconv.Atoi(string(m[1]))
	table := regexp.MustCompile(`^xref\n0 7\n((?:\d{10} \d{5} [fn] \n){7})trailer\n<< /Size 7 /Root 1 0 R`).FindSubmatch(file[at:])
	if table == nil {
		t.Fatalf("no table at %d: %.200s", at, file[at:])
	}
	for i := 1; i < 7; i++ {
		offset, _ := strconv.Atoi(string(table[1][20*i : 20*i+10]))
		if want := strconv.Itoa(i) + " 0 obj\n"; !bytes.HasPrefix(file[offset:], []byte(want)) {
			t.Errorf("object %d is not at %d: %.20q", i, offset, file[offset:])
		}
	}
	stream := regexp.MustCompile(`(?s)/Length (\d+) >>\nstream\n(.*)endstream`).FindSubmatch(file)
	if stream == nil || strconv.Itoa(len(stream[2])) != string(stream[1]) {
		t.Errorf("stream's length is not its own: %q", stream)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(string(stream[2])), "\n") {
		if !regexp.MustCompile(`^(BT .*|\([^()\\]*\) Tj T\*|ET)$`).MatchString(line) {
			t.Errorf("line %q", line)
		}
	}
}

func TestDocx(t *testing.T) {
	file := content(t, mustMint(t, 15), projectDir+"/letter.docx")
	z, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(r); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
			if words, ok := token.(xml.CharData); ok && f.Name == "word/document.xml" {
				text += string(words)
			}
		}
	}
	if len(z.File) != 3 || !strings.Contains(text, "We accept your offer") {
		t.Errorf("%d parts, text %q", len(z.File), text)
	}
}

// BenchmarkPlaces measures what the places add to [BenchmarkMint].
func BenchmarkPlaces(b *testing.B) {
	seed := uint64(0)
	for b.Loop() {
		seed++
		k, home := newKit(seed, now), Home{}
		for _, furnish := range []func(*kit, *Home) error{projects, papers, webshop, shopDatabase} {
			if err := furnish(k, &home); err != nil {
				b.Fatal(err)
			}
		}
	}
}
