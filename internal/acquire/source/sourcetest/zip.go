package sourcetest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// LibraryZip is written by archive/zip: with data descriptors and a comment.
func LibraryZip(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("server.py")
	Must(t, err)
	_, err = f.Write([]byte(strings.Repeat("print()\n", 1000)))
	Must(t, err)
	for i := range n {
		_, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("d/%d", i)}) // not compressed: only the number of entries matters
		Must(t, err)
	}
	Must(t, w.SetComment("a comment"))
	Must(t, w.Close())
	return b.Bytes()
}
