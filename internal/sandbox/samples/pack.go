package samples

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"time"
)

// written is the time inside archives and pictures.
func written() time.Time { return time.Date(2026, time.September, 14, 8, 0, 0, 0, time.UTC) }

// officeFiles are zip files of parts.
func officeFiles() ([]entry, error) {
	list, err := archives("office")
	if err != nil {
		return nil, err
	}
	var all []entry
	for _, a := range list {
		content, err := zipped(a.files)
		if err != nil {
			return nil, fmt.Errorf("packing %s: %w", a.name, err)
		}
		all = append(all, entry{a.name, content})
	}
	return all, nil
}

func zipped(files []entry) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: written()}
		content := f.content
		if f.name == "mimetype" {
			// Readers find it at a fixed place, as it is, without time and line end.
			header = &zip.FileHeader{Name: f.name, Method: zip.Store}
			content = bytes.TrimSpace(content)
		}
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(content); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func tarred(files []entry) ([]byte, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.content)), ModTime: written()}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func gzipped(content []byte) ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// parcel is what the archives contain.
func parcel() []entry {
	return []entry{
		{"fair/readme.txt", []byte("Everything for the fair: prices and labels.\n")},
		{"fair/prices.csv", []byte("product,price\nmug,12.50\nnotebook,6.90\n")},
		{"fair/labels/mug.txt", []byte("Mug, blue, 12.50\n")},
	}
}

func tarball() ([]byte, error) {
	content, err := tarred(parcel())
	if err != nil {
		return nil, err
	}
	return gzipped(content)
}
