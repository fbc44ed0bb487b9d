package fakeprograms

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
)

// screenshot is the empty screen of a telephone.
//
//go:embed screenshot.png
var screenshot []byte

// endings are the formats of which a file can be written, with the endings that
// mean the same.
func endings() [][]string {
	return [][]string{
		{"png"}, {"jpg", "jpeg"}, {"gif"}, {"svg"}, {"pdf"}, {"docx"}, {"odt"}, {"epub"}, {"pptx"}, {"html", "htm"}, {"json"}, {"csv"},
		{"wav"}, {"mp3"}, {"mp4", "mov", "m4a"}, {"mkv"}, {"webm"}, {"tar"},
	}
}

// sampleOf returns a small valid file of a format.
func sampleOf(ending string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch ending {
	case "png":
		err = png.Encode(&b, picture(64, 48))
	case "screenshot":
		return screenshot, nil
	case "jpg":
		err = jpeg.Encode(&b, picture(16, 16), &jpeg.Options{Quality: 40})
	case "gif":
		err = gif.Encode(&b, picture(64, 48), nil)
	case "pdf":
		return pdf(), nil
	case "docx", "odt", "epub", "pptx":
		return document(ending)
	case "wav":
		return wav(), nil
	case "mp3":
		return bytes.Repeat(append([]byte{0xff, 0xfb, 0x14, 0xc4}, make([]byte, 100)...), 2), nil
	case "mp4":
		return movie(), nil
	case "mkv", "webm":
		return matroska(ending), nil
	case "tar":
		return make([]byte, 1024), nil // an archive without entries
	case "txt":
		return []byte("webshop\n"), nil
	case "html":
		return []byte("<!DOCTYPE html>\n<html><head><title>webshop</title></head><body><p>webshop</p></body></html>\n"), nil
	case "svg":
		return []byte("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"48\"/>\n"), nil
	case "json":
		return []byte("{\"name\": \"webshop\"}\n"), nil
	case "csv":
		return []byte("id,name\n1,webshop\n"), nil
	default:
		return nil, fmt.Errorf("no file of the format %q", ending)
	}
	return b.Bytes(), err
}

func picture(width, height int) image.Image {
	return image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.White, color.Black})
}

func pdf() []byte {
	var b bytes.Buffer
	var offsets []int
	b.WriteString("%PDF-1.4\n")
	for i, body := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>",
	} {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%sendobj\n", i+1, body)
	}
	start := b.Len()
	b.WriteString("xref\n0 4\n0000000000 65535 f \n")
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", start)
	return b.Bytes()
}

// document is one of the formats that are an archive.
func document(ending string) ([]byte, error) {
	parts := map[string][][2]string{
		"docx": {
			{"[Content_Types].xml", `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`},
			{"_rels/.rels", `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
			{"word/document.xml", `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>webshop</w:t></w:r></w:p></w:body></w:document>`},
		},
		"odt":  {{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:text/></office:body></office:document-content>`}},
		"epub": {{"mimetype", "application/epub+zip"}, {"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"/>`}},
		"pptx": {{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`}},
	}[ending]
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: part[0], Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write([]byte(part[1])); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// wav is a short silence.
func wav() []byte {
	samples := make([]byte, 160)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(36+len(samples)))
	b = append(b, "WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data"...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(samples))), samples...)
}

// movie has the boxes of an MP4 file, and no track.
func movie() []byte {
	box := func(kind string, body []byte) []byte {
		return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
	}
	header := make([]byte, 100)
	binary.BigEndian.PutUint32(header[12:], 1000) // units a second
	binary.BigEndian.PutUint32(header[16:], 2000) // duration
	binary.BigEndian.PutUint32(header[20:], 0x00010000)
	binary.BigEndian.PutUint16(header[24:], 0x0100)
	for i, one := range map[int]uint32{36: 0x00010000, 52: 0x00010000, 68: 0x40000000, 96: 1} {
		binary.BigEndian.PutUint32(header[i:], one)
	}
	return bytes.Join([][]byte{box("ftyp", []byte("isom\x00\x00\x02\x00isommp42")), box("moov", box("mvhd", header)), box("mdat", nil)}, nil)
}

// matroska has the head of such a file and an empty segment.
func matroska(kind string) []byte {
	name := map[string]string{"mkv": "matroska", "webm": "webm"}[kind]
	head := "\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82" + string([]byte{0x80 | byte(len(name))}) + name + "\x42\x87\x81\x04\x42\x85\x81\x02"
	return append([]byte{0x1a, 0x45, 0xdf, 0xa3, 0x80 | byte(len(head))}, head+"\x18\x53\x80\x67\x80"...)
}

// octal returns bytes as the format of printf.
func octal(data []byte) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, c := range data {
		switch {
		case c == '%':
			b.WriteString("%%")
		case c == '\n':
			b.WriteString(`\n`)
		case c < ' ' || c > '~' || c == '\\' || c == '\'':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}
