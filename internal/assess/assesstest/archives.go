//go:build linux

package assesstest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"
)

// Packed packs files below a directory.
func Packed(t *testing.T, dir string, content Files) []byte {
	t.Helper()
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	w := tar.NewWriter(zw)
	for _, name := range slices.Sorted(maps.Keys(content)) {
		h := &tar.Header{Name: dir + "/" + name, Mode: 0o755, Size: int64(len(content[name])), Typeflag: tar.TypeReg, ModTime: time.Unix(1<<30, 0)}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Wheel packs version 1.0.0 of a Python package with its metadata.
func Wheel(t *testing.T, name string, content Files, needs ...string) []byte {
	t.Helper()
	return WheelOf(t, name, "1.0.0", content, needs...)
}

// WheelOf packs a version of a Python package with its metadata.
func WheelOf(t *testing.T, name, version string, content Files, needs ...string) []byte {
	t.Helper()
	info := name + "-" + version + ".dist-info/"
	all := maps.Clone(content)
	metadata := "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n"
	for _, n := range needs {
		metadata += "Requires-Dist: " + n + "\n"
	}
	all[info+"METADATA"] = metadata
	all[info+"WHEEL"] = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
	record := ""
	for _, file := range slices.Sorted(maps.Keys(all)) {
		sum := sha256.Sum256([]byte(all[file]))
		record += fmt.Sprintf("%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(all[file]))
	}
	all[info+"RECORD"] = record + info + "RECORD,,\n"
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range slices.Sorted(maps.Keys(all)) {
		f, err := w.Create(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, all[file]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
