package expect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// headerName matches the headers that an answer may get because the code reads
// them: none that says what the body is, or where it ends.
var headerName = lazyregexp.New(`^(x-[a-z0-9-]{1,40}|etag|last-modified|link|location|ratelimit-[a-z-]{1,20}|request-id)$`)

// methodOf returns the method of a request, "" if it is not known.
func (g *graph) methodOf(r *request) string {
	if r.method != "" || r.by == 0 {
		return r.method
	}
	words, _ := g.constant(r.by)
	if len(words) != 1 {
		return ""
	}
	switch m := strings.ToUpper(words[0]); m {
	case "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD":
		return m
	}
	return ""
}

// replies writes the status and the headers that the code wants.
func (w *writer) replies(known []addressed) []mcpsf.ExpectedAnswer {
	var out []mcpsf.ExpectedAnswer
	for _, r := range known {
		a := mcpsf.ExpectedAnswer{Host: r.host, Path: r.path, Method: r.method, Status: w.status(&r), Headers: w.headers(r.result)}
		if a.Status != 0 || len(a.Headers) > 0 {
			out = append(out, a)
		}
	}
	return distinct(out)[:min(len(distinct(out)), maxAnswers)]
}

// status is the code that the program wants. What it reads from the answer to
// DELETE has to be there.
func (w *writer) status(r *addressed) int {
	g := w.graph
	for _, name := range []string{"status", "status_code", "statusCode"} {
		n := g.get(r.result, name)
		if n == 0 {
			continue
		}
		c := w.checksOf(&g.nodes[n])
		for _, word := range c.must {
			if code, err := strconv.Atoi(word); err == nil && code >= 200 && code < 300 {
				return code
			}
		}
	}
	if r.method == "DELETE" && g.get(r.result, flow.JSON) != 0 {
		return 200
	}
	return 0
}

func (w *writer) headers(response int) map[string]*mcpsf.Shape {
	g := w.graph
	all := g.get(response, "headers")
	if all == 0 {
		return nil
	}
	links := g.nodes[all].links
	var out map[string]*mcpsf.Shape
	for _, name := range slices.Sorted(maps.Keys(links)) {
		lower := strings.ToLower(name)
		at := &g.nodes[g.find(links[name])]
		if at.uses&ir.UseRead == 0 && len(at.tests) == 0 || !headerName.MatchString(lower) || len(out) >= maxHeaders {
			continue
		}
		c := w.checksOf(at)
		s := &mcpsf.Shape{Type: "string"}
		if at.uses&ir.UseNumber != 0 {
			s.Type = "number"
		}
		if s.Accepted, s.Required = c.values(s.Type); out == nil {
			out = map[string]*mcpsf.Shape{}
		}
		out[lower] = s
	}
	return out
}
