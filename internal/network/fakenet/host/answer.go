package host

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// answer is what a request gets.
type answer struct {
	status   int
	fields   []field
	body     []byte
	trailers []field // HTTP/2 only

	// whole is set for a body that may be asked for in parts.
	whole bool
	// shown is the body before it was packed for the wire.
	shown []byte
}

// of makes an answer of a type.
func of(status int, kind string, body []byte) *answer {
	return &answer{status: status, fields: []field{{"Content-Type", kind}}, body: body}
}

func (a *answer) with(name, value string) *answer {
	a.fields = append(a.fields, field{name, value})
	return a
}

func (a *answer) kind() string {
	for _, f := range a.fields {
		if f.name == "Content-Type" {
			return f.value
		}
	}
	return ""
}

// finish adds what every server adds.
func (s *session) finish(r *request, a *answer) *answer {
	if a.whole {
		part(r, a)
	}
	a.shown = a.body
	compress(r, a)
	if origin := r.header("Origin"); origin != "" {
		a.fields = append(a.fields, field{"Access-Control-Allow-Origin", "*"}, field{"Vary", "Origin"})
	}
	if a.status >= 200 && a.status != http.StatusNoContent && a.status != http.StatusNotModified && len(a.trailers) == 0 {
		a.fields = append(a.fields, field{"Content-Length", strconv.Itoa(len(a.body))})
	}
	a.fields = s.stamp(r, a.fields)
	if r.method == http.MethodHead {
		a.body = nil
	}
	return a
}

// stamp puts the server's own headers in front, unless it is a server of
// another kind. A name keeps its server.
func (s *session) stamp(r *request, fields []field) []field {
	if slices.ContainsFunc(fields, func(f field) bool { return f.name == "Server" }) {
		return fields
	}
	date := s.h.o.Now().UTC().Format(http.TimeFormat)
	d := s.h.dice(r.domain(), "server")
	switch d.IntN(4) {
	case 0:
		ray := fmt.Sprintf("%016x-%s", s.h.dice(r.domain(), r.target).Uint64(), pick(d, "FRA", "AMS", "IAD", "LHR"))
		return append([]field{{"Date", date}, {"Server", "cloudflare"}, {"CF-RAY", ray}}, fields...)
	case 1:
		return append([]field{{"Date", date}, {"Server", "Apache"}}, fields...)
	}
	return append([]field{{"Server", "nginx"}, {"Date", date}}, fields...)
}

// part cuts out the range that was asked for.
func part(r *request, a *answer) {
	a.fields = append(a.fields, field{"Accept-Ranges", "bytes"})
	spec, ok := strings.CutPrefix(r.header("Range"), "bytes=")
	if !ok || a.status != http.StatusOK || strings.Contains(spec, ",") {
		return
	}
	size := len(a.body)
	first, last, ok := bounds(strings.TrimSpace(spec), size)
	if !ok {
		a.status, a.body = http.StatusRequestedRangeNotSatisfiable, nil
		a.fields = append(a.fields, field{"Content-Range", fmt.Sprintf("bytes */%d", size)})
		return
	}
	a.status, a.body = http.StatusPartialContent, a.body[first:last+1]
	a.fields = append(a.fields, field{"Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, size)})
}

// bounds reads "A-B", "A-" and "-N".
func bounds(spec string, size int) (first, last int, ok bool) {
	from, to, ok := strings.Cut(spec, "-")
	if !ok {
		return 0, 0, false
	}
	if from == "" {
		n, err := strconv.Atoi(to)
		return max(0, size-n), size - 1, err == nil && n > 0 && size > 0
	}
	first, err := strconv.Atoi(from)
	if err != nil || first < 0 || first >= size {
		return 0, 0, false
	}
	if to == "" {
		return first, size - 1, true
	}
	last, err = strconv.Atoi(to)
	return first, min(last, size-1), err == nil && last >= first
}

// compress does so where servers do: with text of some length.
func compress(r *request, a *answer) {
	kind := a.kind()
	text := strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "text/event-stream") || strings.Contains(kind, "json") || strings.Contains(kind, "javascript")
	if !text || len(a.body) < 256 || a.status != http.StatusOK || !acceptsGzip(r) {
		return
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(a.body); err != nil || z.Close() != nil {
		return
	}
	a.body = b.Bytes()
	a.fields = append(a.fields, field{"Content-Encoding", "gzip"}, field{"Vary", "Accept-Encoding"})
}

func acceptsGzip(r *request) bool {
	for _, v := range r.headers("Accept-Encoding") {
		for e := range strings.SplitSeq(v, ",") {
			name, quality, _ := strings.Cut(strings.TrimSpace(e), ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") && strings.TrimSpace(quality) != "q=0" {
				return true
			}
		}
	}
	return false
}

// write puts an answer on the wire of HTTP/1.
func (p *plain) write(r *request, a *answer, keep bool) {
	connection := field{"Connection", "close"}
	if keep {
		connection.value = "keep-alive"
	}
	writeHead(p.out, a.status, append(slices.Clip(a.fields), connection))
	if r.method != http.MethodHead {
		_, _ = p.out.Write(a.body)
	}
}

// writeHead ignores errors, as there are none: see [patient.Write].
func writeHead(out *bufio.Writer, status int, fields []field) {
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	for _, f := range fields {
		fmt.Fprintf(out, "%s: %s\r\n", f.name, f.value)
	}
	fmt.Fprint(out, "\r\n")
}
