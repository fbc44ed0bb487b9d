package html

import (
	"fmt"
	"math"
)

// parts is into how many intervals of equal length the run is divided; each has
// that many units of width.
const (
	parts     = 160
	partWidth = 5
)

// chart shows when events happened: a row for each kind of event.
type chart struct {
	Rows []chartRow
	// Width is the width of the drawing; Times are the labels below it.
	Width int
	Times []string
}

type chartRow struct {
	Name  string
	Total string
	Cells []cell
	// Proofs are the times of the events that prove findings.
	Proofs []mark
}

type cell struct {
	X, Width int
	Opacity  string
}

type mark struct {
	X     int
	Level string
}

// activity counts the events in each interval.
func (b timelineSection) activity() chart {
	end := 0.0
	for i := range b.Events {
		if t := b.Events[i].T; !math.IsInf(t, 0) {
			end = max(end, t)
		}
	}
	if end <= 0 || math.IsNaN(end) {
		return chart{}
	}
	counts := make([][parts]int64, len(kindNames()))
	proofs := make([][parts]string, len(kindNames()))
	for i := range b.Events {
		e := &b.Events[i]
		kind, at := kindOf(e), position(e.T, end)
		counts[kind][at] += max(e.Count, 1)
		if p, ok := b.proofs[e.Seq]; ok {
			proofs[kind][at] = moreSevere(proofs[kind][at], severityLevel(p.severity))
		}
	}
	c := chart{Width: parts * partWidth}
	for i, name := range kindNames() {
		if l := newChartRow(name, counts[i][:], proofs[i][:]); l.Cells != nil {
			c.Rows = append(c.Rows, l)
		}
	}
	for i := range 5 {
		c.Times = append(c.Times, fmt.Sprintf("%.3g s", end*float64(i)/4))
	}
	return c
}

func position(t, end float64) int {
	at := int(t / end * parts)
	return min(max(at, 0), parts-1)
}

// newChartRow scales counts so that one event is visible beside a thousand.
func newChartRow(name string, counts []int64, proofs []string) chartRow {
	most, total := int64(0), int64(0)
	for _, n := range counts {
		most = max(most, n)
		total += n
	}
	l := chartRow{Name: name, Total: thousands(total)}
	for i, n := range counts {
		if n > 0 {
			share := math.Log1p(float64(n)) / math.Log1p(float64(most))
			l.Cells = append(l.Cells, cell{X: i * partWidth, Width: partWidth, Opacity: fmt.Sprintf("%.2f", 0.25+0.75*share)})
		}
		if proofs[i] != "" {
			l.Proofs = append(l.Proofs, mark{X: i * partWidth, Level: proofs[i]})
		}
	}
	return l
}
