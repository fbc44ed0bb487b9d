package opaque

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
)

// maxPixels bounds the JPEG pictures that are looked into.
// no gap: larger ones count as they are, packed.
const maxPixels = 16 << 20

// photograph looks into a JPEG picture. Pixels that follow from nothing are random in the
// picture, too; those of a screen or a photograph are not.
func photograph(p []byte) (inside []token, beside []byte, ok bool) {
	beside, ok = besideScan(p)
	if !ok {
		return nil, nil, false
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(p))
	if err != nil || size.Width*size.Height > maxPixels {
		return nil, nil, false
	}
	picture, err := jpeg.Decode(bytes.NewReader(p))
	if err != nil {
		return nil, nil, false
	}
	switch picture := picture.(type) {
	case *image.YCbCr:
		for _, plane := range [][]byte{picture.Y, picture.Cb, picture.Cr} {
			inside = append(inside, randomWindows(plane)...)
		}
	case *image.Gray:
		inside = randomWindows(picture.Pix)
	case *image.CMYK:
		inside = randomWindows(picture.Pix)
	default:
		return nil, nil, false
	}
	return inside, beside, true
}

// Marks of a JPEG file.
const (
	jpegScan, jpegEnd          = 0xda, 0xd9
	jpegHuffman, jpegQuantizer = 0xc4, 0xdb
	jpegFrames, jpegLastFrame  = 0xc0, 0xcf
	jpegRestart                = 0xd0
)

// usualTables is how large the tables of a picture are; they look random.
const usualTables = 1536

// besideScan returns all that a JPEG holds beside the picture: comments, the data of
// applications, more tables than it needs, and what follows its end.
func besideScan(p []byte) (rest []byte, ok bool) {
	const head = 4
	tables := 0
	for at := 2; at+1 < len(p) && p[at] == 0xff; {
		kind := p[at+1]
		if kind == jpegEnd {
			return append(rest, p[at+2:]...), true
		}
		if at+head > len(p) {
			break
		}
		n := int(binary.BigEndian.Uint16(p[at+2:]))
		if n < 2 || at+2+n > len(p) {
			break
		}
		switch inside := p[at+head : at+2+n]; {
		case kind == jpegHuffman || kind == jpegQuantizer:
			if tables += n; tables > usualTables {
				rest = append(rest, inside...)
			}
		case kind < jpegFrames || kind > jpegLastFrame:
			rest = append(rest, inside...)
		}
		if at += 2 + n; kind == jpegScan {
			at += scanned(p[at:])
		}
	}
	return nil, false
}

// scanned returns the length of the data of a scan, in which no mark stands but those for
// a restart.
func scanned(p []byte) int {
	for i := 0; i+1 < len(p); i++ {
		if p[i] == 0xff && p[i+1] != 0 && p[i+1]&^7 != jpegRestart {
			return i
		}
	}
	return len(p)
}
