package host

import (
	"bytes"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/protocols"
)

type spoken int

const (
	speaksOther spoken = iota
	speaksTLS
	speaksHTTP
	speaksHTTP2
)

// preface is what an HTTP/2 client sends first.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// maxLine is how many bytes of the first line are searched for its end.
// no gap: exceeding it ends the connection, which is an event
const maxLine = 2 << 10

// maxMethod is longer than any HTTP method in use.
// no gap: exceeding it ends the connection, which is an event
const maxMethod = 32

// recognise returns the protocol of the first bytes; undecided says that more
// bytes may change the answer.
func recognise(first []byte) (kind spoken, other *protocols.Protocol, undecided bool) {
	if kind, undecided = isTLS(first); kind != speaksOther || undecided {
		return kind, nil, undecided
	}
	if bytes.HasPrefix(first, []byte(preface)) {
		return speaksHTTP2, nil, false
	}
	if strings.HasPrefix(preface, string(first)) {
		return speaksOther, nil, true
	}
	if isRequest(first) {
		return speaksHTTP, nil, false
	}
	kind, undecided = isUnusual(first)
	if kind == speaksHTTP {
		return kind, nil, false
	}
	other, more := protocols.ByBytes(first)
	return kind, other, other == nil && (undecided || more)
}

func isTLS(first []byte) (spoken, bool) {
	want := []byte{recordHandshake, 3}
	if n := min(len(first), len(want)); !bytes.Equal(first[:n], want[:n]) {
		return speaksOther, false
	}
	if len(first) < 6 {
		return speaksOther, true
	}
	if first[2] > 4 || first[5] != messageHello {
		return speaksOther, false
	}
	return speaksTLS, false
}

// isRequest recognises the HTTP methods in use, with what can follow them.
func isRequest(first []byte) bool {
	method, rest, ok := bytes.Cut(first, []byte(" "))
	if !ok || len(rest) == 0 || !knownMethod(string(method)) {
		return false
	}
	return string(method) == "CONNECT" || strings.IndexByte("/*hH?", rest[0]) >= 0
}

func knownMethod(method string) bool {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "REPORT", "MKCOL", "MOVE", "COPY":
		return true
	}
	return false
}

// isUnusual accepts any first line that ends like one of HTTP. An incomplete
// line may still do so.
func isUnusual(first []byte) (spoken, bool) {
	line, _, ended := bytes.Cut(first, []byte("\n"))
	method, rest, _ := bytes.Cut(line, []byte(" "))
	if len(method) > maxMethod || bytes.ContainsFunc(method, func(r rune) bool { return r > 0x7f || !isAlnum(byte(r)) && r != '-' && r != '_' }) {
		return speaksOther, false
	}
	if ended && len(method) > 0 && bytes.Contains(line, []byte(" HTTP/")) {
		return speaksHTTP, false
	}
	return speaksOther, !ended && len(first) < maxLine && bytes.IndexByte(rest, 0) < 0
}
