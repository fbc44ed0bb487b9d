package decoys

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"time"
)

// pdf writes one page of text. The lines must not contain parentheses or
// backslashes, which would need escaping.
func pdf(title string, lines ...string) string {
	var text strings.Builder
	text.WriteString("BT /F1 12 Tf 72 770 Td 18 TL\n")
	for _, line := range lines {
		fmt.Fprintf(&text, "(%s) Tj T*\n", line)
	}
	text.WriteString("ET\n")

	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", text.Len(), text.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		fmt.Sprintf("<< /Title (%s) >>", title),
	}
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	size := len(objects) + 1
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		size, table, size, len(objects), b.Len())
	return b.String()
}

// docx writes paragraphs as a word processor does. The text must not need
// escaping.
func docx(when time.Time, paragraphs ...string) (string, error) {
	const (
		head    = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
		formats = "http://schemas.openxmlformats.org/"
		word    = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	)
	body := ""
	for _, p := range paragraphs {
		body += "<w:p><w:r><w:t>" + p + "</w:t></w:r></w:p>"
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range []struct{ name, content string }{
		{"[Content_Types].xml", `<Types xmlns="` + formats + `package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/word/document.xml" ContentType="` + word + `"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + formats + `package/2006/relationships">` +
			`<Relationship Id="rId1" Type="` + formats + `officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/document.xml", `<w:document xmlns:w="` + formats + `wordprocessingml/2006/main"><w:body>` + body + `</w:body></w:document>`},
	} {
		// Stored uncompressed, so that the reference in it can be found.
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Store, Modified: when})
		if err != nil {
			return "", err
		}
		if _, err := w.Write([]byte(head + f.content)); err != nil {
			return "", err
		}
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return b.String(), nil
}
