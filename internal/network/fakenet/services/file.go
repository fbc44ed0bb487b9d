package services

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"time"
)

// entry is one file of an archive.
type entry struct{ name, text string }

// released is the modification time of all files. It is fixed, so that the
// bytes are the same in every run.
func released() time.Time { return time.Date(2024, 3, 11, 9, 12, 44, 0, time.UTC) }

// The encoders below write to memory and never fail.

func pixel() image.Image {
	return image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.White, color.Black})
}

func pixelPNG() []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, pixel())
	return b.Bytes()
}

func pixelGIF() []byte {
	var b bytes.Buffer
	_ = gif.Encode(&b, pixel(), nil)
	return b.Bytes()
}

func pixelJPEG() []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, pixel(), nil)
	return b.Bytes()
}

// icon is a PNG inside an ICO file.
func icon() []byte {
	body := pixelPNG()
	head := []byte{0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0}
	head = binary.LittleEndian.AppendUint32(head, uint32(len(body)))
	head = binary.LittleEndian.AppendUint32(head, 22)
	return append(head, body...)
}

func zipOf(entries []entry) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		if w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: released()}); err == nil {
			_, _ = w.Write([]byte(e.text))
		}
	}
	z.Close()
	return b.Bytes()
}

func tarOf(entries []entry) []byte {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, e := range entries {
		_ = t.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Mode: 0o644, Size: int64(len(e.text)), ModTime: released()})
		_, _ = t.Write([]byte(e.text))
	}
	t.Close()
	return b.Bytes()
}

func zipped(p []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(p)
	z.Close()
	return b.Bytes()
}

// pdf has one empty page.
func pdf() []byte {
	var b bytes.Buffer
	var at []int
	b.WriteString("%PDF-1.4\n")
	for i, o := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size 4 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", start)
	return b.Bytes()
}
