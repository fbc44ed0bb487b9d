package host

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

func packed(t testing.TB, kind string, p []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var z io.WriteCloser
	var err error
	switch kind {
	case "gzip":
		z = gzip.NewWriter(&b)
	case "zlib":
		z = zlib.NewWriter(&b)
	case "flate":
		z, err = flate.NewWriter(&b, 6)
	case "zstd":
		z, err = zstd.NewWriter(&b)
	case "br":
		z = brotli.NewWriter(&b)
	}
	if err != nil {
		t.Fatal(err)
	}
	z.Write(p)
	z.Close()
	return b.Bytes()
}

// undone is what is reported of a body that arrives in pieces of that size.
func undone(p []byte, piece int, encodings ...string) (string, *intake) {
	var told strings.Builder
	s := &web{session: &session{h: New(nil), v: &Visit{Sent: func(_ string, p []byte) { told.Write(p) }}}}
	b := s.newIntake(encodingsOf(encodings...))
	for ; len(p) > 0; p = p[min(piece, len(p)):] {
		if !b.take(p[:min(piece, len(p))]) {
			break
		}
	}
	b.end()
	return told.String(), b
}

func TestUndo(t *testing.T) {
	text := strings.Repeat("all that was stolen, ", 5000) + "SECRET"
	plain := []byte(text)
	for _, tt := range []struct {
		name      string
		body      []byte
		encodings []string
		want      string
	}{
		{"none", plain, nil, text},
		{"identity", plain, []string{"identity"}, text},
		{"gzip", packed(t, "gzip", plain), []string{"gzip"}, text},
		{"x-gzip in capitals", packed(t, "gzip", plain), []string{"X-GZip"}, text},
		{"zlib", packed(t, "zlib", plain), []string{"deflate"}, text},
		{"raw deflate", packed(t, "flate", plain), []string{"deflate"}, text},
		{"zstd", packed(t, "zstd", plain), []string{"zstd"}, text},
		{"twice", packed(t, "zstd", packed(t, "gzip", plain)), []string{"gzip, zstd"}, text},
		{"two headers", packed(t, "zstd", packed(t, "gzip", plain)), []string{"gzip", "zstd"}, text},
		{"two members", append(packed(t, "gzip", []byte("a")), packed(t, "gzip", []byte("b"))...), []string{"gzip"}, "ab"},
		{"not gzip", plain, []string{"gzip"}, text},
		{"not zstd", []byte("SECRET"), []string{"zstd"}, "SECRET"},
		{"brotli", packed(t, "br", plain), []string{"br"}, text},
		{"brotli in gzip", packed(t, "gzip", packed(t, "br", plain)), []string{"br, gzip"}, text},
		{"not brotli", []byte("SECRET"), []string{"br"}, "SECRET"},
		{"unknown", plain, []string{"lz4"}, text},
		{"empty", nil, []string{"gzip"}, ""},
		{"too many", []byte("SECRET"), []string{"gzip,gzip,gzip,gzip,gzip"}, "SECRET"},
	} {
		for _, piece := range []int{1, 1000, 1 << 20} {
			if got, _ := undone(tt.body, piece, tt.encodings...); got != tt.want {
				t.Errorf("%s in pieces of %d: %d bytes, want %d: %.100q", tt.name, piece, len(got), len(tt.want), got)
			}
		}
	}
}

// TestUndoInterrupted expects the part that could be decoded, and the rest as
// sent.
func TestUndoInterrupted(t *testing.T) {
	whole := packed(t, "gzip", []byte("the beginning"))
	for _, tt := range []struct {
		name string
		body []byte
		want []string
	}{
		{"cut short", whole[:len(whole)-8], []string{"the beginning", string(whole[:10])}},
		{"more after it", append(slices.Clip(whole), "SECRET"...), []string{"the beginning", "SECRET"}},
		{"corrupt at the end", append(whole[:len(whole)-4:len(whole)-4], "xxxxSECRET"...), []string{"the beginning", "SECRET"}},
	} {
		for _, piece := range []int{1, 7, 1000} {
			got, _ := undone(tt.body, piece, "gzip")
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s in pieces of %d: %q does not have %q", tt.name, piece, got, want)
				}
			}
		}
	}
	brotlied := append(packed(t, "br", []byte("the beginning")), "SECRET"...)
	if got, _ := undone(brotlied, 1000, "br"); !strings.Contains(got, "the beginning") || !strings.Contains(got, "SECRET") {
		t.Errorf("after brotli: %q", got)
	}
	zlibbed := append(packed(t, "zlib", []byte("the beginning")), "SECRET"...)
	if got, _ := undone(zlibbed, 1000, "deflate"); !strings.Contains(got, "the beginning") || !strings.Contains(got, "SECRET") {
		t.Errorf("after zlib: %q", got)
	}
}

func TestBombs(t *testing.T) {
	zeros := make([]byte, 8<<20)
	for _, kind := range []string{"gzip", "zstd", "br"} {
		bomb := packed(t, kind, zeros)
		got, b := undone(bomb, 1<<20, kind)
		if len(got) > maxDecoded+len(bomb)+1<<20 || !b.cut {
			t.Errorf("%s: %d bytes of %d, cut is %t", kind, len(got), len(bomb), b.cut)
		}
		// The second encoding compresses most of it away again.
		hollow := packed(t, kind, bytes.Repeat(packed(t, kind, nil), 1<<18))
		if _, b := undone(hollow, 1<<20, kind, kind); !b.cut && kind != "br" { // br allows no second stream after the first
			t.Errorf("%s: a hollow bomb was undone", kind)
		}
		twice := packed(t, kind, bomb)
		if got, b = undone(twice, 1<<20, kind, kind); len(got) > maxDecoded+len(twice)+1<<20 || !b.cut {
			t.Errorf("%s twice: %d bytes of %d, cut is %t", kind, len(got), len(twice), b.cut)
		}
	}
}

// TestLargeBody expands little, but becomes too large.
func TestLargeBody(t *testing.T) {
	noise := make([]byte, 16<<10)
	rand.NewChaCha8([32]byte{}).Read(noise)
	piece := append(noise, make([]byte, 1<<20)...)
	got, b := undone(packed(t, "gzip", bytes.Repeat(piece, maxDecoded>>20+2)), 1<<20, "gzip")
	if n := len(got); n < maxDecoded || n > maxDecoded+1<<20 || !b.cut {
		t.Errorf("%d bytes, cut is %t", n, b.cut)
	}
}

func TestBrokenPush(t *testing.T) {
	for _, text := range []string{
		"SECRET", "0008SECRET", "0000SECRET", "0000PACK\x00\x00\x00\x02\xff\xff\xff\xffSECRET", "0000PACK\x00\x00\x00\x02\x00\x00\x00\x00" + strings.Repeat("s", 20) + "SECRET",
		"0000PACK\x00\x00\x00\x02\x00\x00\x00\x01" + strings.Repeat("\xff", 50) + "SECRET", "ffffSECRET",
	} {
		for _, piece := range []int{1, 1000} {
			if got, _ := undone([]byte(text), piece, encodingPush); !strings.Contains(got, "SECRET") {
				t.Errorf("%q in pieces of %d: %q", text, piece, got)
			}
		}
	}
}

func FuzzUndo(f *testing.F) {
	for _, kind := range []string{"gzip", "zlib", "flate", "zstd", "br"} {
		f.Add(packed(f, kind, []byte("a text that is packed")), "gzip", 3)
		f.Add(packed(f, kind, []byte("a text that is packed")), "br", 3)
		f.Add(packed(f, kind, []byte("a text that is packed")), "deflate,zstd", 30)
	}
	pushed := "0008name0000PACK\x00\x00\x00\x02\x00\x00\x00\x01\x33" + string(packed(f, "zlib", []byte("abc"))) + strings.Repeat("s", 20)
	f.Add([]byte(pushed), encodingPush, 5)
	f.Add([]byte("6;chunk-signature=ab\r\nSECRET\r\n0\r\nx-a:b\n\r\nx-c:d\r\n\r\n"), "gzip,"+encodingAWS, 4)
	f.Fuzz(func(t *testing.T, p []byte, encodings string, piece int) {
		got, b := undone(p, max(1, piece), encodings)
		if b.size != int64(len(p)) {
			t.Errorf("%d of %d bytes were taken", b.size, len(p))
		}
		if len(p) > 0 && got == "" && encodings == "" {
			t.Error("nothing was told")
		}
	})
}
