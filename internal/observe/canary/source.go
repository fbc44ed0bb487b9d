package canary

import "slices"

// source is where the bytes of a node come from: anchors say it for some
// positions, and from there it is num bytes of up for den bytes of the node.
type source struct {
	up       *node // nil for the stream itself
	anchors  []anchor
	num, den int64
	inside   *inflater // the innermost compressed data this is from
}

type anchor struct{ at, up int64 }

// anchor notes which byte of up the one at a position comes from.
func (s *source) anchor(at, up int64) { s.anchors = append(s.anchors, anchor{at, up}) }

// trim drops the anchors that positions from at on do not need.
func (s *source) trim(at int64) {
	first := 0
	for first+1 < len(s.anchors) && s.anchors[first+1].at <= at {
		first++
	}
	s.anchors = slices.Delete(s.anchors, 0, first)
}

// outer is where in the stream the byte at a position comes from.
func (s *source) outer(at int64) int64 {
	if s.up == nil {
		return at
	}
	if s.inside != nil {
		return s.inside.outerFrom
	}
	i := len(s.anchors) - 1
	for i > 0 && s.anchors[i].at > at {
		i--
	}
	a := s.anchors[i]
	return s.up.outer(a.up + (at-a.at)*s.num/s.den)
}

// outerEnd is where in the stream what ends before a position ends. It asks
// for the last byte: what comes after it may not be known yet.
func (s *source) outerEnd(at int64) int64 {
	if s.inside != nil {
		return s.inside.outerAt
	}
	return s.outer(at-1) + 1
}
