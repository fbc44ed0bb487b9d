package canary

// The codes are the encodings that are indexed beside the plain value.
const (
	codePlain = iota
	code64
	code32
	codeHex
)

// code describes one of them.
type code struct {
	name   string
	width  int   // bits per character
	starts []int // bit offsets of the value at which a first character can begin
	strides
	digits string
}

func codes() [4]code {
	return [4]code{
		codePlain: {width: 8, starts: []int{0}, strides: strides{piece: 1, token: 3, long: 6, mapped: 2}},
		code64:    {name: nameBase64, width: 6, starts: []int{0, 2, 4}, strides: strides{piece: 3, token: 6, long: 12, mapped: 3}, digits: base64Digits},
		code32:    {name: nameBase32, width: 5, starts: []int{0, 1, 2, 3, 4}, strides: strides{piece: 5, token: 8, long: 24, mapped: 2}, digits: base32Digits},
		codeHex:   {name: nameHex, width: 4, starts: []int{0}, strides: strides{piece: 9, token: 9, long: 24, mapped: 2}, digits: hexDigits},
	}
}

// strides are the distances between indexed pairs of windows. The fewer windows
// there are, the more of the index stays in the cache.
type strides struct {
	// piece is for pieces of eight bytes, which have two plain windows, four
	// whole ones of base64, six of base32 and ten of hexadecimal: two
	// neighbours among them must be indexed.
	piece int
	// token is for short texts and long for others, in a stream.
	token, long int
	// mapped is the factor by which windows are sparser under a character map.
	mapped int
}

const (
	base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	base32Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	hexDigits    = "0123456789abcdef"
)

// The names in a chain.
const (
	nameBase64  = "base64"
	nameBase32  = "base32"
	nameHex     = "hex"
	nameReverse = "reverse"
	nameFold    = "fold"
	nameRot13   = "rot13"
	nameRot47   = "rot47"
	nameURL     = "url"
	nameEscape  = "escape"
	nameHTML    = "html"
	nameUTF16   = "utf16"
	nameSplit   = "split"
	nameGzip    = "gzip"
	nameZlib    = "zlib"
	nameDeflate = "deflate"
	nameZstd    = "zstd"
	nameBrotli  = "br"
)

// charmap replaces bytes one by one.
type charmap struct {
	names []string // outside in
	to    [256]byte
	plain bool // only of use on the plain value
}

// charmaps lists the indexed character maps. The first changes nothing.
func charmaps() []charmap {
	ident, r13, r47 := identity(), rot13(), rot47()
	var lower [256]byte
	for c := range lower {
		lower[c] = lowerByte(byte(c))
	}
	return []charmap{
		{to: ident},
		{names: []string{nameRot13}, to: r13},
		{names: []string{nameRot47}, to: r47},
		{names: []string{nameRot47, nameFold}, to: after(r47, lower), plain: true},
		{names: []string{nameRot13, nameRot47}, to: after(r13, r47), plain: true},
		{names: []string{nameRot47, nameRot13}, to: after(r47, r13), plain: true},
	}
}

func identity() (m [256]byte) {
	for c := range m {
		m[c] = byte(c)
	}
	return m
}

// after composes two maps: outer of inner.
func after(outer, inner [256]byte) (m [256]byte) {
	for c := range m {
		m[c] = outer[inner[c]]
	}
	return m
}

func rot13() [256]byte {
	m := identity()
	for c := range byte(26) {
		m['a'+c] = 'a' + (c+13)%26
		m['A'+c] = 'A' + (c+13)%26
	}
	return m
}

func rot47() [256]byte {
	m := identity()
	for c := range byte(94) {
		m['!'+c] = '!' + (c+47)%94
	}
	return m
}

func xorWith(key byte) (m [256]byte) {
	for c := range m {
		m[c] = byte(c) ^ key
	}
	return m
}

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// spell writes the bits of value from start on in a code's digits. It omits a
// last incomplete digit, which depends on the following bytes.
func spell(dst, value []byte, c *code, start int) []byte {
	if c.width == 8 {
		return append(dst, value...)
	}
	var acc uint32
	have := -start
	for _, b := range value {
		acc = acc<<8 | uint32(b)
		for have += 8; have >= c.width; {
			have -= c.width
			dst = append(dst, c.digits[acc>>have&(1<<c.width-1)])
		}
	}
	return dst
}
