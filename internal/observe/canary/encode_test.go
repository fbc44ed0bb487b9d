package canary

import (
	"bytes"
	"compress/flate"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// encoding is an encoding that an attacker may apply.
type encoding struct {
	name string // name of the variant
	link string // name in a chain, "" if plain bytes may be found as well
	do   func([]byte) []byte
	// lossy encodings cannot be undone: their input must be indexed as a whole.
	lossy bool
}

func encodings(t testing.TB) []encoding {
	text := func(f func([]byte) string) func([]byte) []byte {
		return func(b []byte) []byte { return []byte(f(b)) }
	}
	std := base64.StdEncoding.EncodeToString
	return []encoding{
		{"base64", nameBase64, text(std), false},
		{"base64url", nameBase64, text(base64.URLEncoding.EncodeToString), false},
		{"base64raw", nameBase64, text(base64.RawStdEncoding.EncodeToString), false},
		{"base64+1", nameBase64, func(b []byte) []byte { return []byte(std(append([]byte("#"), b...))) }, false},
		{"base64+2", nameBase64, func(b []byte) []byte { return []byte(std(append([]byte("# "), b...))) }, false},
		{"base64wrapped", nameBase64, text(func(b []byte) string { return every(std(b), 76, "\r\n") }), false},
		{"base32", nameBase32, text(base32.StdEncoding.EncodeToString), false},
		{"base32lower", nameBase32, text(func(b []byte) string {
			return strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
		}), false},
		{"hex", nameHex, text(hex.EncodeToString), false},
		{"HEX", nameHex, text(func(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }), false},
		{"hex:", nameHex, text(func(b []byte) string { return every(hex.EncodeToString(b), 2, ":") }), false},
		{"hex ", nameHex, text(func(b []byte) string { return every(hex.EncodeToString(b), 2, " ") }), false},
		{`\x`, nameEscape, text(func(b []byte) string { return each(b, `\x%02x`) }), false},
		{"%", nameURL, text(func(b []byte) string { return each(b, "%%%02X") }), false},
		{"query", "", text(func(b []byte) string { return strings.ReplaceAll(url.QueryEscape(string(b)), "+", "%20") }), false},
		{`\u`, nameEscape, text(func(b []byte) string { return runes(b, `\u%04x`) }), false},
		{"&#", nameHTML, text(func(b []byte) string { return runes(b, "&#%d;") }), false},
		{"&#x", nameHTML, text(func(b []byte) string { return runes(b, "&#x%x;") }), false},
		{"reverse", nameReverse, reversed, false},
		{"lower", nameFold, folding(false), true},
		{"UPPER", nameFold, folding(true), true},
		{"rot13", nameRot13, mapped(rot13()), false},
		{"rot47", nameRot47, mapped(rot47()), false},
		{"xor5a", "xor(5a)", mapped(xorWith(0x5a)), false},
		{"xorff", "xor(ff)", mapped(xorWith(0xff)), false},
		{"gzip", nameGzip, packed(t, func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }), false},
		{"zlib", nameZlib, packed(t, func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), false},
		{"deflate", nameDeflate, packed(t, func(w io.Writer) io.WriteCloser {
			f, err := flate.NewWriter(w, flate.DefaultCompression)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}), false},
		{"zstd", nameZstd, packed(t, func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				t.Fatal(err)
			}
			return z
		}), false},
		{"utf16le", nameUTF16, func(b []byte) []byte { return wide(b, 0) }, false},
		{"utf16be", nameUTF16, func(b []byte) []byte { return wide(b, 1) }, false},
		{"dots", nameSplit, text(func(b []byte) string { return every(string(b), 4, ".") }), false},
		{"dashes", nameSplit, text(func(b []byte) string { return every(string(b), 3, "-") }), false},
		{"lines", nameSplit, text(func(b []byte) string { return every(string(b), 5, "\r\n") }), false},
	}
}

func every(s string, n int, sep string) string {
	var parts []string
	for c := range slices.Chunk([]byte(s), n) {
		parts = append(parts, string(c))
	}
	return strings.Join(parts, sep)
}

func each(b []byte, format string) string {
	var s strings.Builder
	for _, c := range b {
		fmt.Fprintf(&s, format, c)
	}
	return s.String()
}

func runes(b []byte, format string) string {
	var s strings.Builder
	for _, c := range b { // as JavaScript stores bytes in strings
		fmt.Fprintf(&s, format, c)
	}
	return s.String()
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

func mapped(table [256]byte) func([]byte) []byte {
	return func(b []byte) []byte {
		out := make([]byte, len(b))
		translate(out, b, &table)
		return out
	}
}

func folding(upper bool) func([]byte) []byte {
	return func(b []byte) []byte {
		b = slices.Clone(b)
		for i, c := range b {
			if low := lowerByte(c); upper && low >= 'a' && low <= 'z' {
				b[i] = low &^ 0x20
			} else if !upper {
				b[i] = low
			}
		}
		return b
	}
}

func packed(t testing.TB, open func(io.Writer) io.WriteCloser) func([]byte) []byte {
	return func(b []byte) []byte {
		var out bytes.Buffer
		w := open(&out)
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
}

func wide(b []byte, at int) []byte {
	out := make([]byte, 2*len(b))
	for i, c := range b {
		out[2*i+at] = c
	}
	return out
}
