package expect

import (
	"math"
	"slices"
	"strconv"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// numbers are the numbers that satisfy the comparisons, and then those that other
// branches of the code want.
func (c *checks) numbers() (list []string, required bool) {
	if len(c.must) > 0 {
		return c.must, true
	}
	r := everything()
	for _, t := range c.limits {
		if t.Must {
			r, required = r.with(t), true
		}
	}
	for _, w := range c.may {
		if v, err := strconv.ParseFloat(w, 64); err == nil && r.has(v) && !(v >= 400 && v < 600) { // an error of HTTP
			list = append(list, w)
		}
	}
	for _, t := range c.limits {
		if t.Must {
			continue
		}
		for _, side := range []region{r.with(t), r.with(opposite(t))} {
			if v, ok := side.pick(c.not); ok {
				list = appendNew(list, v)
			}
		}
	}
	if v, ok := r.pick(c.not); len(list) == 0 && ok && (required || slices.Contains(c.not, "0") || c.truth) {
		return []string{v}, true
	}
	return list, required
}

// size is how many elements an array has, nothing if any number is good.
func (c *checks) size() []string {
	r := region{low: 1, high: maxSize}
	must := false
	for _, t := range c.lengths {
		if !t.Must {
			continue
		}
		must = true
		switch t.Op {
		case "==":
			v, err := strconv.Atoi(t.Value)
			if err != nil {
				return nil
			}
			r.low, r.high = float64(v), float64(v)
		case "!=":
		default:
			if r.low == 1 {
				r.low = 0
			}
			r = r.with(t)
		}
	}
	if !must || r.low > maxSize || math.IsInf(r.low, 0) {
		return nil
	}
	if r.low == 0 && !r.open && r.high >= 1 { // some, if it may be
		r.low = 1
	}
	if r.high >= 2 && r.low < 2 {
		return nil
	}
	if v, ok := r.pick(nil); ok {
		return []string{v}
	}
	return nil
}

// maxSize is how many elements a list gets because the code asks for them.
// no gap: what is not found out about answers is only answered as usual
const maxSize = 20

// region is where a number must be; open and shut exclude its ends.
type region struct {
	low, high  float64
	open, shut bool
}

func everything() region { return region{low: math.Inf(-1), high: math.Inf(1)} }

// with narrows a region.
func (r region) with(t ir.FlowTest) region {
	v, err := strconv.ParseFloat(t.Value, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return r
	}
	switch t.Op {
	case ">", ">=":
		if v > r.low || v == r.low && t.Op == ">" {
			r.low, r.open = v, t.Op == ">"
		}
	case "<", "<=":
		if v < r.high || v == r.high && t.Op == "<" {
			r.high, r.shut = v, t.Op == "<"
		}
	}
	return r
}

func opposite(t ir.FlowTest) ir.FlowTest {
	t.Op = map[string]string{"<": ">=", ">": "<=", "<=": ">", ">=": "<"}[t.Op]
	return t
}

func (r region) has(v float64) bool {
	return (v > r.low || v == r.low && !r.open) && (v < r.high || v == r.high && !r.shut)
}

// pick returns a number in the region, a whole one if there is one: just inside an
// end that is known, or between both.
func (r region) pick(not []string) (string, bool) {
	tries := []float64{1}
	switch {
	case !math.IsInf(r.low, 0):
		tries = []float64{math.Ceil(r.low), math.Floor(r.low) + 1, math.Floor(r.low) + 2, r.low, (r.low + r.high) / 2}
	case !math.IsInf(r.high, 0):
		tries = []float64{min(1, math.Floor(r.high)), math.Floor(r.high), math.Ceil(r.high) - 1, math.Ceil(r.high) - 2}
	default:
		tries = append(tries, 2, 3)
	}
	for _, v := range tries {
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if r.has(v) && !slices.Contains(not, text) && len(text) <= maxNumber {
			return text, true
		}
	}
	return "", false
}
