package samples

import (
	"fmt"
	"strings"
)

// pdf is an invitation of two pages.
func pdf() []byte {
	first := page("You are invited", "", "Spring trade fair, 9 to 11 March 2027", "Hall 4, stand B12", "https://fair.example/", "Say hello at our stand.", "The quick brown fox jumps over the lazy dog.")
	second := page("How to find us", "", "From the main entrance to the left,", "then the third row.")
	const sheet = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R /Resources << /Font << /F1 7 0 R >> >> >>"
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
		fmt.Sprintf(sheet, 5),
		fmt.Sprintf(sheet, 6),
		first,
		second,
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Title (Invitation) /Author (The shop) /CreationDate (D:20260914080000Z) >>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	for i, object := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	size := len(objects) + 1
	fmt.Fprintf(&b, "xref\n0 %d\n%strailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n",
		size, table, size, len(objects), b.Len())
	return []byte(b.String())
}

// page is the content of a page. The lines must not need escaping.
func page(lines ...string) string {
	text := "BT /F1 14 Tf 72 770 Td 20 TL\n"
	for _, line := range lines {
		text += "(" + line + ") Tj T*\n"
	}
	text += "ET\n"
	return fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", len(text), text)
}
