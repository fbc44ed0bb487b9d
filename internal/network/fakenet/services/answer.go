package services

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Answer is the response to a request.
type Answer struct {
	Status   int
	Fields   []Field
	Body     []byte
	Trailers []Field // HTTP/2 only

	// whole is set for a body that supports range requests.
	whole bool
	// Shown is the body before it was compressed.
	Shown []byte
	// Own is the body without what the client made us write; nil: all of it is
	// ours.
	Own []byte
	// Stored is set for what a client may have stored. It goes out as it is, and only
	// Own is shown; neither its headers nor its body make anything known.
	Stored bool
}

// of makes an answer with a content type.
func of(status int, kind string, body []byte) *Answer {
	return &Answer{Status: status, Fields: []Field{{"Content-Type", kind}}, Body: body}
}

func (a *Answer) with(name, value string) *Answer {
	a.Fields = append(a.Fields, Field{name, value})
	return a
}

// Kind is the content type.
func (a *Answer) Kind() string {
	for _, f := range a.Fields {
		if f.Name == "Content-Type" {
			return f.Value
		}
	}
	return ""
}

// Finish adds the headers that every server sends.
func (s *Services) Finish(r *Request, a *Answer) *Answer {
	if a.whole {
		part(r, a)
	}
	if a.Shown = a.Body; !a.Stored {
		compress(r, a)
	}
	if origin := r.Header("Origin"); origin != "" {
		a.Fields = append(a.Fields, Field{"Access-Control-Allow-Origin", "*"}, Field{"Vary", "Origin"})
	}
	if a.Status >= 200 && a.Status != http.StatusNoContent && a.Status != http.StatusNotModified && len(a.Trailers) == 0 {
		a.Fields = append(a.Fields, Field{"Content-Length", strconv.Itoa(len(a.Body))})
	}
	a.Fields = s.Stamp(r, a.Fields)
	if r.Method == http.MethodHead {
		a.Body = nil
	}
	return a
}

// Stamp puts the server's own headers in front, unless the answer names its
// server already. A host name always has the same server.
func (s *Services) Stamp(r *Request, fields []Field) []Field {
	if slices.ContainsFunc(fields, func(f Field) bool { return f.Name == "Server" }) {
		return fields
	}
	date := s.opts.Now().UTC().Format(http.TimeFormat)
	d := s.dice(r.Domain(), "server")
	switch d.IntN(4) {
	case 0:
		ray := fmt.Sprintf("%016x-%s", s.dice(r.Domain(), r.Target).Uint64(), pick(d, "FRA", "AMS", "IAD", "LHR"))
		return append([]Field{{"Date", date}, {"Server", "cloudflare"}, {"CF-RAY", ray}}, fields...)
	case 1:
		return append([]Field{{"Date", date}, {"Server", "Apache"}}, fields...)
	}
	return append([]Field{{"Server", "nginx"}, {"Date", date}}, fields...)
}

// part cuts out the requested range.
func part(r *Request, a *Answer) {
	a.Fields = append(a.Fields, Field{"Accept-Ranges", "bytes"})
	spec, ok := strings.CutPrefix(r.Header("Range"), "bytes=")
	if !ok || a.Status != http.StatusOK || strings.Contains(spec, ",") {
		return
	}
	size := len(a.Body)
	first, last, ok := bounds(strings.TrimSpace(spec), size)
	if !ok {
		a.Status, a.Body = http.StatusRequestedRangeNotSatisfiable, nil
		a.Fields = append(a.Fields, Field{"Content-Range", fmt.Sprintf("bytes */%d", size)})
		return
	}
	a.Status, a.Body = http.StatusPartialContent, a.Body[first:last+1]
	a.Fields = append(a.Fields, Field{"Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, last, size)})
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

// compress compresses text of some length, as servers do.
func compress(r *Request, a *Answer) {
	kind := a.Kind()
	text := strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "text/event-stream") || strings.Contains(kind, "json") || strings.Contains(kind, "javascript")
	if !text || len(a.Body) < 256 || a.Status != http.StatusOK || !acceptsGzip(r) {
		return
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(a.Body); err != nil || z.Close() != nil {
		return
	}
	a.Body = b.Bytes()
	a.Fields = append(a.Fields, Field{"Content-Encoding", "gzip"}, Field{"Vary", "Accept-Encoding"})
}

func acceptsGzip(r *Request) bool {
	for _, v := range r.Headers("Accept-Encoding") {
		for e := range strings.SplitSeq(v, ",") {
			name, quality, _ := strings.Cut(strings.TrimSpace(e), ";")
			if strings.EqualFold(strings.TrimSpace(name), "gzip") && strings.TrimSpace(quality) != "q=0" {
				return true
			}
		}
	}
	return false
}
