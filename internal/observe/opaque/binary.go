package opaque

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"io"
	"math"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

const (
	// window is how many bytes are judged at once, leastBinary the fewest.
	window, leastBinary = 256, 24
	// maxUnpacked bounds what is looked at of packed data.
	maxUnpacked = 256 << 10
)

// binaryTokens returns the random stretches of binary data, after unpacking it.
func binaryTokens(p []byte, depth int) []token {
	if inside, ok := unpack(p); ok {
		return tokensOf(inside, depth+1)
	}
	p = latin(p)
	var out []token
	for len(p) >= leastBinary {
		n := min(len(p), window)
		if len(p)-n < leastBinary {
			n = min(len(p), window+leastBinary)
		}
		if isRandom(p[:n]) {
			out = append(out, token{text: string(p[:n]), bytes: float64(n), binary: true})
		}
		p = p[n:]
	}
	return out
}

// isRandom tells whether bytes differ as much as random ones. Random bytes reach nearly
// the most that their number allows; text and structures do not.
func isRandom(p []byte) bool {
	most := math.Log2(float64(min(len(p), 256)))
	share := 0.9
	if len(p) >= 128 {
		share = 0.86
	}
	return entropy(p) >= share*most
}

// latin returns bytes that were written as characters.
func latin(p []byte) []byte {
	if !utf8.Valid(p) {
		return p
	}
	out := make([]byte, 0, len(p))
	for _, r := range string(p) {
		out = append(out, byte(r))
	}
	return out
}

// unpack undoes one compression; ok is false if there is none.
func unpack(p []byte) (inside []byte, ok bool) {
	var r io.Reader
	var err error
	switch {
	case bytes.HasPrefix(p, []byte{0x1f, 0x8b}):
		r, err = gzip.NewReader(bytes.NewReader(p))
	case len(p) > 2 && p[0]&0x0f == 8 && p[0]>>4 <= 7 && (int(p[0])<<8|int(p[1]))%31 == 0:
		r, err = zlib.NewReader(bytes.NewReader(p))
	case bytes.HasPrefix(p, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		var z *zstd.Decoder
		z, err = zstd.NewReader(bytes.NewReader(p), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err == nil {
			defer z.Close()
			r = z
		}
	case bytes.HasPrefix(p, []byte("\x89PNG\r\n\x1a\n")):
		r, err = zlib.NewReader(bytes.NewReader(pixels(p)))
	default:
		return nil, false
	}
	if err != nil {
		return nil, false
	}
	inside, err = io.ReadAll(io.LimitReader(r, maxUnpacked)) //nolint:forbidigo // limited
	return inside, len(inside) > 0 && (err == nil || len(inside) >= leastBinary)
}

// pixels joins the compressed data of a PNG.
func pixels(p []byte) []byte {
	const head, frame = 8, 12
	var out []byte
	for p = p[head:]; len(p) >= frame; {
		n := int(binary.BigEndian.Uint32(p))
		if n < 0 || n > len(p)-frame {
			n = len(p) - frame
		}
		if string(p[4:8]) == "IDAT" {
			out = append(out, p[8:8+n]...)
		}
		p = p[frame+n:]
	}
	return out
}
