package samples

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/x509"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"fmt"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

func TestPictures(t *testing.T) {
	for _, f := range all(t) {
		var err error
		switch path.Ext(f.Path) {
		case ".png":
			_, err = png.Decode(bytes.NewReader(f.Content))
		case ".jpg", ".jpeg":
			_, err = jpeg.Decode(bytes.NewReader(f.Content))
		case ".gif":
			_, err = gif.DecodeAll(bytes.NewReader(f.Content))
		}
		if err != nil {
			t.Errorf("%s: %v", f.Path, err)
		}
	}
}

// Formats without a decoder here begin as they should, and say their own length.
func TestHeaders(t *testing.T) {
	le := binary.LittleEndian
	for ending, length := range map[string]func([]byte) int{
		".bmp":  func(b []byte) int { return int(le.Uint32(b[2:])) },
		".ico":  func(b []byte) int { return int(le.Uint32(b[14:]) + le.Uint32(b[18:])) },
		".wav":  func(b []byte) int { return int(le.Uint32(b[4:])) + 8 },
		".webp": func(b []byte) int { return int(le.Uint32(b[4:])) + 8 },
		".glb":  func(b []byte) int { return int(le.Uint32(b[8:])) },
	} {
		if b := sample(t, ending); length(b) != len(b) {
			t.Errorf("%s has %d bytes and says %d", ending, len(b), length(b))
		}
	}
	for ending, start := range map[string]string{
		".bmp": "BM", ".ico": "\x00\x00\x01\x00", ".wav": "RIFF", ".webp": "RIFF", ".glb": "glTF\x02", ".tiff": "II*\x00",
		".wasm": "\x00asm\x01\x00\x00\x00", ".parquet": "PAR1", ".avro": "Obj\x01", ".mp3": "\xff\xf3", ".ogg": "OggS",
		".mp4": "\x00\x00\x00\x20ftypisom", ".pdf": "%PDF-1.4\n",
	} {
		if b := sample(t, ending); !bytes.HasPrefix(b, []byte(start)) {
			t.Errorf("%s begins with %q", ending, b[:8])
		}
	}
	if !bytes.HasSuffix(sample(t, ".parquet"), []byte("PAR1")) {
		t.Error("the Parquet file has no end")
	}
}

func TestGLB(t *testing.T) {
	b := sample(t, ".glb")
	length := binary.LittleEndian.Uint32(b[12:])
	if err := json.Unmarshal(b[20:20+length], new(any)); err != nil {
		t.Error(err)
	}
}

// The table of a PDF points at its objects.
func TestPDF(t *testing.T) {
	b := sample(t, ".pdf")
	for i, m := range regexp.MustCompile(`(?m)^(\d{10}) 00000 n $`).FindAllSubmatch(b, -1) {
		at, _ := strconv.Atoi(string(m[1]))
		if !bytes.HasPrefix(b[at:], fmt.Appendf(nil, "%d 0 obj\n", i+1)) {
			t.Errorf("object %d is not at %d", i+1, at)
		}
	}
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(b)
	if m == nil {
		t.Fatal("no end")
	}
	if at, _ := strconv.Atoi(string(m[1])); !bytes.HasPrefix(b[at:], []byte("xref\n")) {
		t.Error("the table is elsewhere")
	}
}

func TestCertificate(t *testing.T) {
	block, rest := pem.Decode(sample(t, ".pem"))
	if block == nil || block.Type != "CERTIFICATE" || len(rest) > 0 {
		t.Fatalf("got %+v and %q", block, rest)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.VerifyHostname("shop.example"); err != nil {
		t.Error(err)
	}
}

func TestDatabase(t *testing.T) {
	for _, ending := range []string{".sqlite", ".db"} {
		name := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(name, sample(t, ending), 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("sqlite", name)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var state string
		var sold int
		if err := db.QueryRow("PRAGMA integrity_check").Scan(&state); err != nil || state != "ok" {
			t.Errorf("%s: %q, %v", ending, state, err)
		}
		err = db.QueryRow("SELECT quantity FROM orders JOIN products ON products.id = product_id WHERE name = 'mug'").Scan(&sold)
		if err != nil || sold != 4 {
			t.Errorf("%s: %d mugs, %v", ending, sold, err)
		}
	}
}

func unzip(t *testing.T, ending string) map[string][]byte {
	t.Helper()
	b := sample(t, ending)
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	parts := make(map[string][]byte)
	for i, f := range z.File {
		if f.Name == "mimetype" && (i != 0 || f.Method != zip.Store || len(f.Extra) > 0) {
			t.Errorf("%s: mimetype is not the plain first part", ending)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if parts[f.Name], err = io.ReadAll(r); err != nil {
			t.Errorf("%s: %s: %v", ending, f.Name, err)
		}
	}
	return parts
}

func TestZip(t *testing.T) {
	if parts := unzip(t, ".zip"); len(parts) != len(parcel()) {
		t.Errorf("got %d parts", len(parts))
	}
	for ending, kind := range map[string]string{
		".odt": "application/vnd.oasis.opendocument.text", ".ods": "application/vnd.oasis.opendocument.spreadsheet", ".epub": "application/epub+zip",
	} {
		if got := string(unzip(t, ending)["mimetype"]); got != kind {
			t.Errorf("%s is %q", ending, got)
		}
	}
	for _, ending := range []string{".docx", ".xlsx", ".pptx", ".odt", ".ods", ".epub"} {
		for name, content := range unzip(t, ending) {
			if name == "mimetype" {
				continue
			}
			if err := readXML(content); err != nil {
				t.Errorf("%s: %s: %v", ending, name, err)
			}
		}
	}
}

// In office files every relationship leads to a part, and every part has a type.
func TestOfficeParts(t *testing.T) {
	for _, ending := range []string{".docx", ".xlsx", ".pptx"} {
		parts := unzip(t, ending)
		var types struct {
			Override []struct {
				PartName string `xml:",attr"`
			}
		}
		if err := xml.Unmarshal(parts["[Content_Types].xml"], &types); err != nil {
			t.Fatal(err)
		}
		typed := []string{"/[Content_Types].xml"}
		for _, o := range types.Override {
			typed = append(typed, o.PartName)
			if parts[o.PartName[1:]] == nil {
				t.Errorf("%s has no %s", ending, o.PartName)
			}
		}
		for name, content := range parts {
			if strings.HasSuffix(name, ".rels") {
				checkRelations(t, parts, name, content)
			} else if !slices.Contains(typed, "/"+name) {
				t.Errorf("%s: %s has no type", ending, name)
			}
		}
	}
}

func checkRelations(t *testing.T, parts map[string][]byte, name string, content []byte) {
	t.Helper()
	var list struct {
		Relationship []struct {
			Target string `xml:",attr"`
		}
	}
	if err := xml.Unmarshal(content, &list); err != nil {
		t.Fatal(err)
	}
	for _, r := range list.Relationship {
		if target := path.Join(path.Dir(path.Dir(name)), r.Target); parts[target] == nil {
			t.Errorf("%s leads to %s", name, target)
		}
	}
}

func TestTar(t *testing.T) {
	for _, ending := range []string{".tar", ".tar.gz", ".tgz", ".log.gz"} {
		var r io.Reader = bytes.NewReader(sample(t, ending))
		if ending != ".tar" {
			var err error
			if r, err = gzip.NewReader(r); err != nil {
				t.Fatal(err)
			}
		}
		if ending == ".log.gz" {
			if b, err := io.ReadAll(r); err != nil || !bytes.Contains(b, []byte("till started")) {
				t.Errorf("got %q, %v", b, err)
			}
			continue
		}
		names := 0
		for archive := tar.NewReader(r); ; names++ {
			if _, err := archive.Next(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if names != len(parcel()) {
			t.Errorf("%s has %d files", ending, names)
		}
	}
}
