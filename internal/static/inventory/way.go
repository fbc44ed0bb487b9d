package inventory

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
)

// maxWay bounds the steps of a dependency path that is reported.
// gap: source-not-read
const maxWay = 64

// step is how a part was first reached: the shortest path, and of those the one
// with the lowest purls.
type step struct {
	from  *part.Part // nil if the server requires it itself
	depth int
	dev   bool
	asked bool // required by the server itself, whatever other path there is
}

// findWays walks from the server's direct dependencies to all indirect ones;
// development dependencies come last, and only for parts not reached otherwise.
func findWays(parts *part.Collector, of map[*part.Part]*group) map[*part.Part]step {
	ways := make(map[*part.Part]step)
	for _, dev := range []bool{false, true} {
		var first []*part.Part
		for _, p := range parts.Parts {
			switch {
			case p.Own && dev:
				first = append(first, p.DevNeeds...)
			case p.Own:
				first = append(first, p.Needs...)
			}
		}
		spread(ways, of, first, dev)
	}
	for _, p := range parts.Parts {
		if p.Cut {
			parts.Note(p.File, "it asks for more than %d packages; that it asks for the rest was left out", part.MaxNeeds)
		}
	}
	deep := 0
	for _, s := range ways {
		if s.depth > maxWay {
			deep++
		}
	}
	if deep > 0 {
		parts.Note("", "%d packages are more than %d steps away; the way to them is left out", deep, maxWay)
	}
	return ways
}

// spread visits level after level. Within one, parts are in the order of the
// paths that lead to them, so the first path found is the best.
func spread(ways map[*part.Part]step, of map[*part.Part]*group, level []*part.Part, dev bool) {
	level = ordered(level, of)
	next := make([]*part.Part, 0, len(level))
	for _, p := range level {
		s, seen := ways[p]
		if !seen {
			s.dev = dev
			next = append(next, p)
		}
		s.asked = true
		ways[p] = s
	}
	for depth := 1; len(next) > 0; depth++ {
		level, next = next, nil
		for _, from := range level {
			for _, p := range ordered(from.Needs, of) {
				if _, seen := ways[p]; !seen {
					ways[p] = step{from: from, depth: depth, dev: dev}
					next = append(next, p)
				}
			}
		}
	}
}

// ordered returns the parts that are packages, by purl.
func ordered(parts []*part.Part, of map[*part.Part]*group) []*part.Part {
	out := make([]*part.Part, 0, len(parts))
	for _, p := range parts {
		if of[p] != nil {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(a, b *part.Part) int { return strings.Compare(of[a].purl, of[b].purl) })
	return out
}

// way fills in the best dependency path of all parts of a package, and whether
// it is for development only.
func (g *group) way(out *mcpsf.Package, ways map[*part.Part]step, of map[*part.Part]*group) {
	var best *step
	dev, run, asked := false, false, false
	for _, p := range g.parts {
		s, reached := ways[p]
		if !reached {
			dev = dev || p.Dev
			continue
		}
		dev, run, asked = dev || s.dev, run || !s.dev, asked || s.asked
		if best == nil || better(s, *best, ways, of) {
			best = &s
		}
	}
	out.Dev = dev && !run
	switch {
	case asked:
		out.Via = []string{}
	case best != nil && best.depth <= maxWay:
		out.Via = best.purls(ways, of)
	}
}

// better reports whether path a is preferred to b.
func better(a, b step, ways map[*part.Part]step, of map[*part.Part]*group) bool {
	if a.dev != b.dev {
		return b.dev
	}
	if a.depth != b.depth || a.depth > maxWay {
		return a.depth < b.depth
	}
	return slices.Compare(a.purls(ways, of), b.purls(ways, of)) < 0
}

// purls returns the packages on the path, beginning with the server's direct
// dependency.
func (s step) purls(ways map[*part.Part]step, of map[*part.Part]*group) []string {
	out := make([]string, s.depth)
	for i := s.depth - 1; i >= 0; i-- {
		out[i] = of[s.from].purl
		s = ways[s.from]
	}
	return out
}
