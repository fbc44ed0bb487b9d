package protocols

import (
	"fmt"
	"strings"
)

// searchText writes a search request as its base and its filter. p begins with
// the tag of the operation.
func searchText(p []byte) string {
	tag, body, _ := ber(p)
	if tag != ldapSearch {
		return ""
	}
	_, base, rest := ber(body)
	for range 5 { // scope, aliases, size, time, types only
		_, _, rest = ber(rest)
	}
	var b strings.Builder
	b.Write(base)
	b.WriteByte(' ')
	filter(&b, rest, 0)
	return b.String()
}

// ber reads one BER element.
func ber(p []byte) (tag byte, body, rest []byte) {
	if len(p) < 2 {
		return 0, nil, nil
	}
	n, at := int(p[1]), 2
	if n > 0x84 || n == 0x80 {
		return 0, nil, nil
	}
	if n > 0x80 {
		at += n & 0xf
		if len(p) < at {
			return 0, nil, nil
		}
		n = 0
		for _, c := range p[2:at] {
			n = n<<8 | int(c)
		}
	}
	if n < 0 || n > len(p)-at {
		return 0, nil, nil
	}
	return p[0], p[at : at+n], p[at+n:]
}

// filter writes the filter at the beginning of p as text.
func filter(b *strings.Builder, p []byte, depth int) {
	tag, body, _ := ber(p)
	if depth > nestedMax || b.Len() > askedMax {
		return
	}
	switch tag {
	case 0xa0, 0xa1, 0xa2:
		b.WriteByte('(')
		b.WriteByte("&|!"[tag-0xa0])
		for rest := body; len(rest) > 0; {
			filter(b, rest, depth+1)
			_, _, rest = ber(rest)
		}
		b.WriteByte(')')
	case 0x87:
		fmt.Fprintf(b, "(%s=*)", verbatim(body))
	case 0xa3, 0xa5, 0xa6, 0xa8:
		_, attribute, rest := ber(body)
		_, wanted, _ := ber(rest)
		relation := map[byte]string{0xa3: "=", 0xa5: ">=", 0xa6: "<=", 0xa8: "~="}[tag]
		fmt.Fprintf(b, "(%s%s%s)", verbatim(attribute), relation, verbatim(wanted))
	case 0xa4:
		_, attribute, rest := ber(body)
		_, parts, _ := ber(rest)
		fmt.Fprintf(b, "(%s=", verbatim(attribute))
		for len(parts) > 0 {
			var part []byte
			tag, part, parts = ber(parts)
			switch tag {
			case 0x80:
				b.WriteString(verbatim(part) + "*")
			case 0x81:
				b.WriteString("*" + verbatim(part) + "*")
			default:
				b.WriteString("*" + verbatim(part))
			}
		}
		b.WriteByte(')')
	}
}

// verbatim escapes a value so that no part of it reads as filter syntax.
func verbatim(p []byte) string {
	var b strings.Builder
	for _, c := range p {
		if strings.IndexByte("()*\\=,\x00", c) >= 0 {
			fmt.Fprintf(&b, "\\%02x", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
