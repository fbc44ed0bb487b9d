package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// ja4 is the JA4 fingerprint (TLS over TCP) of a client, from its ClientHello.
func (h *hello) ja4() string {
	ciphers, extensions := meant(h.ciphers), meant(h.extensions)
	named := byte('i')
	if h.hasSNI {
		named = 'd'
	}
	return fmt.Sprintf("t%s%c%02d%02d%s_%s_%s", versionMark(h.version), named,
		min(len(ciphers), 99), min(len(extensions), 99), alpnMark(h.alpn),
		digest(sortedHex(ciphers)), digest(h.ja4Extensions(extensions)))
}

// ja4Extensions are sorted, because clients shuffle them; the two that depend
// on the destination are left out. The signature algorithms keep their order.
func (h *hello) ja4Extensions(all []uint16) string {
	all = slices.DeleteFunc(all, func(v uint16) bool { return v == extensionSNI || v == extensionALPN })
	list := sortedHex(all)
	if signatures := meant(h.signatures); len(signatures) > 0 {
		list += "_" + hexList(signatures)
	}
	return list
}

func versionMark(v uint16) string {
	switch v {
	case 0x0304:
		return "13"
	case 0x0303:
		return "12"
	case 0x0302:
		return "11"
	case 0x0301:
		return "10"
	case 0x0300:
		return "s3"
	case 0x0002:
		return "s2"
	}
	return "00"
}

// alpnMark is the first and last letter of the first protocol, or of its
// hexadecimal form if these are not alphanumeric.
func alpnMark(alpn []string) string {
	if len(alpn) == 0 || alpn[0] == "" {
		return "00"
	}
	name := alpn[0]
	if !isAlnum(name[0]) || !isAlnum(name[len(name)-1]) {
		name = hex.EncodeToString([]byte(name))
	}
	return string([]byte{name[0], name[len(name)-1]})
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func meant(all []uint16) []uint16 {
	return slices.DeleteFunc(slices.Clone(all), isGREASE)
}

func sortedHex(list []uint16) string { return hexList(slices.Sorted(slices.Values(list))) }

func hexList(list []uint16) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = fmt.Sprintf("%04x", v)
	}
	return strings.Join(words, ",")
}

func digest(s string) string {
	if s == "" {
		return "000000000000"
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:6])
}
