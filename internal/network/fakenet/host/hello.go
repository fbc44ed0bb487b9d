package host

import (
	"encoding/binary"
	"errors"
)

// hello is the part of a ClientHello that is used.
type hello struct {
	version    uint16 // the highest version offered
	ciphers    []uint16
	extensions []uint16 // in order, as sent
	signatures []uint16
	alpn       []string
	sni        string
	hasSNI     bool
	// shown is everything in its order, without what is random.
	shown []byte
}

// no gap: exceeding it ends the connection, which is an event
const (
	recordHandshake  = 22
	messageHello     = 1
	maxHello         = 64 << 10
	extensionSNI     = 0
	extensionSigs    = 13
	extensionALPN    = 16
	extensionVersion = 43
	extensionPSK     = 41
	extensionShares  = 51
	extensionECH     = 0xfe0d
)

var (
	errHelloShort = errors.New("the ClientHello is not complete")
	errNoHello    = errors.New("not a ClientHello")
)

// parseHello reads the first message of a TLS client, which may span several
// records. errHelloShort means that more bytes are needed.
func parseHello(p []byte) (*hello, error) {
	message, err := unrecord(p)
	if err != nil {
		return nil, err
	}
	h := &hello{}
	if !h.parse(octets(message)) {
		return nil, errNoHello
	}
	return h, nil
}

// unrecord joins the handshake message that the records carry.
func unrecord(p []byte) ([]byte, error) {
	var message []byte
	for {
		if len(p) > 0 && p[0] != recordHandshake || len(p) > 1 && p[1] != 3 || len(message) > 0 && message[0] != messageHello {
			return nil, errNoHello
		}
		if len(message) >= 4 {
			size := int(message[1])<<16 | int(message[2])<<8 | int(message[3])
			if size > maxHello {
				return nil, errNoHello
			}
			if len(message) >= 4+size {
				return message[4 : 4+size], nil
			}
		}
		if len(p) < 5 {
			return nil, errHelloShort
		}
		size := int(binary.BigEndian.Uint16(p[3:]))
		if size == 0 {
			return nil, errNoHello
		}
		if len(p) < 5+size {
			return nil, errHelloShort
		}
		message = append(message, p[5:5+size]...)
		p = p[5+size:]
	}
}

func (h *hello) parse(p octets) bool {
	var session, ciphers, compressions, extensions octets
	if !p.uint16(&h.version) || !p.skip(32) || !p.vector(1, &session) || !p.vector(2, &ciphers) || !p.vector(1, &compressions) {
		return false
	}
	h.ciphers = ciphers.uint16s()
	h.show(compressions)
	h.showAll(h.ciphers)
	if len(p) == 0 {
		return true // TLS 1.0 has no extensions
	}
	if !p.vector(2, &extensions) {
		return false
	}
	for len(extensions) > 0 {
		var kind uint16
		var body octets
		if !extensions.uint16(&kind) || !extensions.vector(2, &body) {
			return false
		}
		h.extensions = append(h.extensions, kind)
		h.extension(kind, body)
		h.showExtension(kind, body)
	}
	return true
}

// showExtension keeps an extension, but of keys and tickets only the size.
func (h *hello) showExtension(kind uint16, body octets) {
	h.showAll([]uint16{kind, uint16(len(body))})
	switch kind {
	case extensionPSK, extensionShares, extensionECH:
	default:
		if !isGREASE(kind) {
			h.show(body)
		}
	}
}

func (h *hello) show(p octets) { h.shown = append(h.shown, p...) }

// showAll keeps numbers. Those that are reserved are random.
func (h *hello) showAll(list []uint16) {
	for _, v := range list {
		if isGREASE(v) {
			v = 0
		}
		h.shown = binary.BigEndian.AppendUint16(h.shown, v)
	}
}

// extension parses the extensions it knows; the handshake decides whether
// others are an error.
func (h *hello) extension(kind uint16, p octets) {
	var list octets
	switch kind {
	case extensionSNI:
		h.hasSNI = true
		var name octets
		if p.vector(2, &list) && list.skip(1) && list.vector(2, &name) {
			h.sni = string(name)
		}
	case extensionSigs:
		if p.vector(2, &list) {
			h.signatures = list.uint16s()
		}
	case extensionALPN:
		var name octets
		if p.vector(2, &list) {
			for list.vector(1, &name) {
				h.alpn = append(h.alpn, string(name))
			}
		}
	case extensionVersion:
		if !p.vector(1, &list) {
			return
		}
		highest := uint16(0)
		for _, v := range list.uint16s() {
			if !isGREASE(v) {
				highest = max(highest, v)
			}
		}
		if highest > 0 {
			h.version = highest
		}
	}
}

// isGREASE recognises the reserved values that receivers must ignore (RFC
// 8701).
func isGREASE(v uint16) bool { return v&0x0f0f == 0x0a0a && v>>8 == v&0xff }

// octets are read from the front; false means that there are too few.
type octets []byte

func (o *octets) skip(n int) bool {
	if len(*o) < n {
		return false
	}
	*o = (*o)[n:]
	return true
}

func (o *octets) uint16(v *uint16) bool {
	if len(*o) < 2 {
		return false
	}
	*v = binary.BigEndian.Uint16(*o)
	return o.skip(2)
}

// vector reads a length of width bytes, and that many bytes.
func (o *octets) vector(width int, v *octets) bool {
	if len(*o) < width {
		return false
	}
	size := 0
	for _, b := range (*o)[:width] {
		size = size<<8 | int(b)
	}
	if len(*o) < width+size {
		return false
	}
	*v = (*o)[width : width+size]
	return o.skip(width + size)
}

// uint16s reads the rest as 16-bit numbers.
func (o *octets) uint16s() []uint16 {
	list := make([]uint16, 0, len(*o)/2)
	for v := uint16(0); o.uint16(&v); {
		list = append(list, v)
	}
	return list
}
