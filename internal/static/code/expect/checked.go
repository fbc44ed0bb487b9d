package expect

import (
	"maps"
	"slices"

	"github.com/mcpsf/mcpsf"
)

// checked returns a described answer with the parts that may be used; without a
// shape if nothing is left.
func checked(a mcpsf.ExpectedAnswer) mcpsf.ExpectedAnswer {
	host, path := "", ""
	if isHost(a.Host) {
		host = a.Host
	}
	if a.Path != "" {
		path = cleanPath(a.Path)
	}
	s := checkedShape(a.Shape, 0)
	if s == nil || len(s.Members) == 0 && s.Element == nil {
		s = nil
	}
	return mcpsf.ExpectedAnswer{Host: host, Path: path, Shape: s}
}

func checkedShape(s *mcpsf.Shape, depth int) *mcpsf.Shape {
	if s == nil || depth > maxCost {
		return nil
	}
	out := &mcpsf.Shape{Type: s.Type, Accepted: accepted(s.Accepted, s.Type), Element: checkedShape(s.Element, depth+1)}
	for _, name := range slices.Sorted(maps.Keys(s.Members)) {
		if !wanted(name) {
			continue
		}
		if m := checkedShape(s.Members[name], depth+memberCost); m != nil {
			if out.Members == nil {
				out.Members = map[string]*mcpsf.Shape{}
			}
			out.Members[name] = m
		}
	}
	return out
}
