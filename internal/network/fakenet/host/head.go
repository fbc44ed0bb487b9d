package host

import (
	"bufio"
	"bytes"
	"errors"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

var (
	errTooLong = errors.New("the head of the request is too long")
	errFraming = errors.New("where the body ends is not clear")
)

// maxBlank is how many empty lines may come before a request.
// no gap: exceeding it ends the connection, which is an event
const maxBlank = 16

// readHead reads a request's first line and headers, up to the empty line. With
// an error it returns what was read.
func readHead(in *bufio.Reader) ([]byte, error) {
	var head []byte
	for start, blank := 0, 0; ; {
		part, err := in.ReadSlice('\n')
		head = append(head, part...)
		switch {
		case len(head) > maxHead:
			return head, errTooLong
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return head, err
		}
		empty := len(bytes.TrimRight(head[start:], "\r\n")) == 0
		if start == 0 && empty { // left over from the previous body
			if blank++; blank > maxBlank {
				return head, errTooLong
			}
			head = head[:0]
			continue
		}
		if start = len(head); empty {
			return head, nil
		}
	}
}

// parseHead parses as much as it can. wellFormed is false if a real server
// would reject the request.
func parseHead(head []byte) (r *request, wellFormed bool) {
	first, rest, _ := strings.Cut(string(head), "\n")
	r = &request{}
	wellFormed = r.parseLine(strings.TrimSuffix(first, "\r"))
	for l := range strings.SplitSeq(rest, "\n") {
		l = strings.TrimSuffix(l, "\r")
		if l == "" {
			continue
		}
		if l[0] == ' ' || l[0] == '\t' { // a folded line
			if n := len(r.Fields); n > 0 {
				r.Fields[n-1].Value += " " + strings.TrimSpace(l)
				continue
			}
		}
		name, value, ok := strings.Cut(l, ":")
		wellFormed = wellFormed && ok && name != ""
		r.Fields = append(r.Fields, services.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
	}
	return r, wellFormed && !bytes.ContainsRune(head, 0)
}

func (r *request) parseLine(l string) bool {
	method, rest, ok := strings.Cut(l, " ")
	r.Method, r.Target, r.Version = method, rest, "1.0"
	i := strings.LastIndex(rest, " HTTP/")
	if !ok || i < 0 {
		return false
	}
	r.Target = strings.TrimSpace(rest[:i])
	switch version := rest[i+len(" HTTP/"):]; version {
	case "1.0", "1.1":
		r.Version = version
	default:
		return false
	}
	return method != "" && r.Target != ""
}
