package html

import "math"

// rowHeight is the height of one entry of the map, in the style as well.
const rowHeight = 44

// netMap has callers on the left, hosts on the right, and a line for each
// contact. The drawing is scaled to the available width, so it contains no text.
type netMap struct {
	Left, Right []place
	Lines       []netLine
	Height      int
	// More is how many entries did not fit.
	More int
}

type place struct{ Name, Note string }

// netLine runs from left to right; its width shows the amount of data.
type netLine struct {
	Y1, Y2 int
	Width  int
	State  string
	Leak   bool
}

// drawNetwork places the contacts in the order they are listed.
func (b networkSection) drawNetwork(contacts []*contact) netMap {
	var m netMap
	left, right := make(map[string]int), make(map[string]int)
	sent, answered := make(map[string]int64), make(map[string]int64)
	for _, t := range contacts {
		sent[t.Who] += t.sent
		answered[t.Host] += t.received
	}
	for _, t := range contacts {
		from, okFrom := left[t.Who]
		to, okTo := right[t.Host]
		if !okFrom && len(m.Left) == maxPeers || !okTo && len(m.Right) == maxPeers {
			m.More++
			continue
		}
		if !okFrom {
			from = len(m.Left)
			left[t.Who] = from
			m.Left = append(m.Left, place{b.line(t.Who, maxName), b.Size(sent[t.Who]) + " sent"})
		}
		if !okTo {
			to = len(m.Right)
			right[t.Host] = to
			m.Right = append(m.Right, place{b.line(t.Host, maxName), b.Size(answered[t.Host]) + " answered"})
		}
		m.Lines = append(m.Lines, netLine{
			Y1: from*rowHeight + rowHeight/2, Y2: to*rowHeight + rowHeight/2,
			Width: 1 + int(math.Log10(1+float64(max(t.sent+t.received, 0)))/2), State: t.State, Leak: len(t.Leaks) > 0,
		})
	}
	m.Height = max(len(m.Left), len(m.Right)) * rowHeight
	return m
}
