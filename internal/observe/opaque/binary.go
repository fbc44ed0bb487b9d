package opaque

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"
	"unicode/utf8"
)

const (
	// window is how many bytes are judged at once, leastBinary the fewest.
	window, leastBinary = 256, 24
	// maxUnpacked bounds packed data that is looked into: the screen of a computer has
	// 20 MB. maxPiece is how much of it is judged at once.
	// no gap: larger data counts as it is, packed.
	maxUnpacked, maxPiece = 64 << 20, 1 << 20
)

// binaryTokens returns the random stretches of binary data, after unpacking it.
func binaryTokens(p []byte, depth int) []token {
	if depth < maxDepth {
		if inside, beside, ok := unpack(p, depth); ok {
			return append(inside, tokensOf(beside, depth+1)...)
		}
	}
	p = latin(p)
	if out := randomWindows(p); len(out) > 0 {
		return out
	}
	// Random bytes between text or zeros.
	return randomWindows(slices.DeleteFunc(slices.Clone(p), func(b byte) bool { return b == 0 || b >= ' ' && b <= '~' || b == '\n' }))
}

func randomWindows(p []byte) []token {
	var out []token
	for len(p) >= leastBinary {
		n := min(len(p), window)
		if len(p)-n < leastBinary {
			n = len(p)
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

func gzipMagic() []byte { return []byte{0x1f, 0x8b} }
func jpegMagic() []byte { return []byte("\xff\xd8\xff") }
func pngMagic() []byte  { return []byte("\x89PNG\r\n\x1a\n") }

func isZlib(p []byte) bool {
	return len(p) > 2 && p[0]&0x0f == 8 && p[0]>>4 <= 7 && (int(p[0])<<8|int(p[1]))%31 == 0
}

// isPacked reports whether data begins as packed data does.
func isPacked(p []byte) bool {
	return bytes.HasPrefix(p, gzipMagic()) || bytes.HasPrefix(p, jpegMagic()) || bytes.HasPrefix(p, pngMagic()) || isZlib(p)
}

// unpack undoes one compression and returns the random stretches of what is inside; ok is
// false if there is none. What stands beside the compressed data can hold anything, too.
func unpack(p []byte, depth int) (inside []token, beside []byte, ok bool) {
	switch {
	case bytes.HasPrefix(p, gzipMagic()):
		in := bytes.NewReader(p)
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, false
		}
		beside = append([]byte(z.Name+z.Comment), z.Extra...)
		inside, ok = inflated(z, depth)
		return inside, beside, ok
	case bytes.HasPrefix(p, jpegMagic()):
		return photograph(p)
	case bytes.HasPrefix(p, pngMagic()):
		p, beside = pixels(p)
	case !isZlib(p):
		return nil, nil, false
	}
	in := bytes.NewReader(p)
	z, err := zlib.NewReader(in)
	if err != nil {
		return nil, nil, false
	}
	inside, ok = inflated(z, depth)
	return inside, slices.Concat(p[len(p)-in.Len():], beside), ok
}

// inflated returns the random stretches of what a reader unpacks, piece by piece.
func inflated(r io.Reader, depth int) (found []token, ok bool) {
	piece := make([]byte, maxPiece)
	for total := 0; total <= maxUnpacked; {
		n, err := io.ReadFull(r, piece)
		found = append(found, tokensOf(piece[:n], depth+1)...)
		total += n
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF) && complete(r):
			return found, total > 0
		case err != nil:
			return nil, false
		}
	}
	return nil, false
}

// complete reports whether a reader is at its end, and was not cut off.
func complete(r io.Reader) bool {
	_, err := r.Read(make([]byte, 1))
	return errors.Is(err, io.EOF)
}

// pixels returns the compressed data of a PNG, and all else that it holds.
func pixels(p []byte) (data, rest []byte) {
	const head, frame = 8, 12
	for p = p[head:]; len(p) >= frame; {
		n := int(binary.BigEndian.Uint32(p))
		if n < 0 || n > len(p)-frame {
			n = len(p) - frame
		}
		if string(p[4:8]) == "IDAT" {
			data = append(data, p[8:8+n]...)
		} else {
			rest = append(rest, p[8:8+n]...)
		}
		p = p[frame+n:]
	}
	return data, append(rest, p...)
}
