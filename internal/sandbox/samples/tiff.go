package samples

import (
	"encoding/binary"
)

// The kinds of values in a directory of TIFF.
const (
	kindText     = 2
	kindShort    = 3
	kindLong     = 4
	kindRational = 5
	kindBytes    = 7
)

// field is one entry of a directory of TIFF, which EXIF uses too.
type field struct {
	tag, kind, count uint16
	value            []byte
}

func text(tag uint16, s string) field {
	return field{tag, kindText, uint16(len(s) + 1), append([]byte(s), 0)}
}

func long(tag uint16, n int) field {
	return field{tag, kindLong, 1, binary.LittleEndian.AppendUint32(nil, uint32(n))}
}

func shorts(tag uint16, list ...uint16) field {
	f := field{tag: tag, kind: kindShort, count: uint16(len(list))}
	for _, n := range list {
		f.value = binary.LittleEndian.AppendUint16(f.value, n)
	}
	return f
}

// whole are fractions with the denominator 1.
func whole(tag uint16, list ...uint32) field {
	f := field{tag: tag, kind: kindRational, count: uint16(len(list))}
	for _, n := range list {
		f.value = binary.LittleEndian.AppendUint32(f.value, n)
		f.value = binary.LittleEndian.AppendUint32(f.value, 1)
	}
	return f
}

// directory writes fields, which are in the order of their tags, for the offset
// at. Values of more than four bytes stand behind it.
func directory(at int, fields ...field) []byte {
	le := binary.LittleEndian
	head := le.AppendUint16(nil, uint16(len(fields)))
	var values []byte
	behind := at + 2 + 12*len(fields) + 4
	for _, f := range fields {
		head = le.AppendUint16(head, f.tag)
		head = le.AppendUint16(head, f.kind)
		head = le.AppendUint32(head, uint32(f.count))
		if len(f.value) <= 4 {
			head = append(append(head, f.value...), make([]byte, 4-len(f.value))...)
			continue
		}
		head = le.AppendUint32(head, uint32(behind+len(values)))
		values = append(append(values, f.value...), make([]byte, len(f.value)%2)...)
	}
	return append(le.AppendUint32(head, 0), values...)
}

func tiffHeader(directoryAt int) []byte {
	return binary.LittleEndian.AppendUint32([]byte("II*\x00"), uint32(directoryAt))
}

// tiffPicture is uncompressed: a header, the pixels, and what they mean.
func tiffPicture() ([]byte, error) {
	const width, height, header = 24, 16, 8
	img := picture(width, height, 3)
	var pixels []byte
	for y := range height {
		for x := range width {
			c := img.NRGBAAt(x, y)
			pixels = append(pixels, c.R, c.G, c.B)
		}
	}
	at := header + len(pixels)
	return append(append(tiffHeader(at), pixels...), directory(at,
		long(256, width), long(257, height), shorts(258, 8, 8, 8), shorts(259, 1), shorts(262, 2),
		long(273, header), shorts(277, 3), long(278, height), long(279, len(pixels)),
		whole(282, 72), whole(283, 72), shorts(296, 2))...), nil
}

// exif is what a camera writes: its name, the time, and the place.
func exif(number int) []byte {
	const first = 8
	taken := written().AddDate(0, 0, number).Format("2006:01:02 15:04:05")
	main := func(details, place int) []byte {
		return directory(first, text(0x010f, "Aurora"), text(0x0110, "C2"), shorts(0x0112, 1), text(0x0132, taken),
			long(0x8769, details), long(0x8825, place))
	}
	details := first + len(main(0, 0))
	shot := directory(details, field{0x9000, kindBytes, 4, []byte("0232")}, text(0x9003, taken))
	place := details + len(shot)
	position := directory(place, text(1, "N"), whole(2, 45, 38, 42), text(3, "E"), whole(4, 13, 45, 54))
	b := append([]byte("Exif\x00\x00"), tiffHeader(first)...)
	return append(append(append(b, main(details, place)...), shot...), position...)
}
