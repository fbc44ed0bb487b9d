package shape

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// The bounds of what is beside the JSON of an answer.
// no gap: bounds our own made-up answers
const (
	maxReplies = 500
	maxHeaders = 16
)

// reply is what the source expects of an answer beside its JSON.
type reply struct {
	sourced

	status  int
	headers map[string]*node
	format  string
}

// Reply is what an answer has to be beside its JSON: Status is 0 and Format is ""
// if it may be as it is.
type Reply struct {
	Status  int
	Headers [][2]string
	Format  string
	// Sure is set if the source names the path of what it reads in that format.
	Sure bool
	node *node
}

// expectReply adds what the source says about an answer beside its JSON.
func (e *Expectations) expectReply(a *mcpsf.ExpectedAnswer) {
	if len(e.replies) >= maxReplies || a.Status == 0 && len(a.Headers) == 0 && a.Format == "" {
		return
	}
	left := maxNodes / 4
	r := reply{sourced: sourced{host: domainOf(a.Host), path: segmentsOf(a.Path), method: a.Method}, format: a.Format, headers: map[string]*node{}}
	if a.Status >= 200 && a.Status < 300 {
		r.status = a.Status
	}
	for _, name := range sortedKeys(a.Headers) {
		if n := nodeOf(a.Headers[name], 0, &left); n != nil && len(r.headers) < maxHeaders && isHeader(name) {
			r.headers[name] = n
		}
	}
	if a.Format != "" {
		r.node = nodeOf(a.Shape, 0, &left)
		e.size += maxNodes/4 - left
	}
	if e.size <= maxAll {
		e.replies = append(e.replies, r)
	}
}

// isHeader says whether a header of that name may be added to an answer.
func isHeader(name string) bool {
	switch name {
	case "etag", "last-modified", "link", "location", "request-id":
		return true
	}
	return len(name) <= maxName && (strings.HasPrefix(name, "x-") || strings.HasPrefix(name, "ratelimit-")) && !strings.ContainsFunc(name, func(c rune) bool {
		return c != '-' && (c > 0x7f || !isAlnum(byte(c)))
	})
}

// Reply returns what the source expects of the answer to a request beside its
// JSON: of everything that fits the request what names most of it.
func (e *Expectations) Reply(r *Request) *Reply {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := &Reply{}
	headers := map[string]string{}
	best := struct{ status, format int }{}
	asked := segmentsOf(r.Path)
	for i := range e.replies {
		s := &e.replies[i]
		rank := s.rank(r, asked)
		if rank < rankHost {
			continue
		}
		if s.status != 0 && rank > best.status {
			best.status, out.Status = rank, s.status
		}
		if s.format != "" && rank > best.format {
			best.format, out.Format, out.Sure, out.node = rank, s.format, rank >= rankPath, s.node
		}
		for _, name := range sortedKeys(s.headers) {
			if len(headers) < maxHeaders && headers[name] == "" {
				headers[name] = header(r, name, s.headers[name])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		out.Headers = append(out.Headers, [2]string{name, headers[name]})
	}
	return out
}

// header makes the value of a header.
func header(r *Request, name string, n *node) string {
	d := dice(r.Seed, r.Domain, "header", name)
	day := r.Now.UTC().Truncate(24 * 3600 * 1e9)
	switch {
	case len(n.accepted) > 0:
		return preferred(n.accepted)
	case name == "etag":
		return `"` + letters(d, 16, "0123456789abcdef") + `"`
	case name == "last-modified":
		return day.AddDate(0, 0, -1-d.IntN(60)).Format(http.TimeFormat)
	case name == "location":
		return "/items/" + strconv.Itoa(ID(r.Seed, r.Domain, r.Path, 0))
	case name == "link":
		return `</items?page=1>; rel="last"`
	case strings.HasSuffix(name, "reset"):
		return strconv.FormatInt(day.AddDate(0, 0, 1).Unix(), 10)
	case strings.HasSuffix(name, "remaining"):
		return "4999"
	case strings.HasSuffix(name, "limit"):
		return "5000"
	case n.kind == number, strings.Contains(name, "total"), strings.Contains(name, "count"), strings.Contains(name, "page"):
		return "2"
	}
	return letters(d, 16, "0123456789abcdef")
}
