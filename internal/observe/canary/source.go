package canary

import "slices"

// source maps positions of a node to its parent: anchors give it for some
// positions, and from there num bytes of up correspond to den bytes of the
// node.
type source struct {
	up       *node // nil for the stream itself
	anchors  []anchor
	num, den int64
	inside   *inflater // the innermost compressed data it comes from
}

type anchor struct{ at, up int64 }

// anchor records which byte of up the byte at a position comes from.
func (s *source) anchor(at, up int64) { s.anchors = append(s.anchors, anchor{at, up}) }

// trim drops the anchors that positions from at on do not need.
func (s *source) trim(at int64) {
	first := 0
	for first+1 < len(s.anchors) && s.anchors[first+1].at <= at {
		first++
	}
	s.anchors = slices.Delete(s.anchors, 0, first)
}

// outer returns the position in the stream that the byte at a position comes
// from.
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

// outerEnd returns the end position in the stream of data that ends before a
// position. It uses the last byte: the position after it may not be known yet.
func (s *source) outerEnd(at int64) int64 {
	if s.inside != nil {
		return s.inside.outerAt
	}
	return s.outer(at-1) + 1
}
