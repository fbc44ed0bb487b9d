package keyvalue

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

func sortedCommands() map[string]command {
	const kind = "zset"
	zero := int64(0)
	rank := func(reverse bool) command {
		return reading(kind, 2, 2, nil, func(e *entry, a []string) any {
			n := at(e.pairs, a[0])
			if n < 0 {
				return nil
			}
			if reverse {
				n = len(e.pairs) - 1 - n
			}
			return int64(n)
		})
	}
	return map[string]command{
		"ZADD": {3, -1, addScores},
		"ZINCRBY": {3, 3, func(c *Session, a []string) any {
			by, err := strconv.ParseFloat(a[1], 64)
			if err != nil || math.IsNaN(by) {
				return Fault("ERR value is not a valid float")
			}
			return c.change(a[0], kind, func(e *entry) any {
				e.pairs = slices.Clone(e.pairs)
				k := at(e.pairs, a[2])
				if k < 0 {
					k, e.pairs = len(e.pairs), append(e.pairs, pair{name: a[2]})
				}
				e.pairs[k].score += by
				reply := number(e.pairs[k].score)
				order(e.pairs)
				return reply
			})
		}},
		"ZRANGE": reading(kind, 3, -1, List{}, ranged), "ZREVRANGE": reading(kind, 3, 4, List{}, func(e *entry, a []string) any { return ranged(e, append(slices.Clone(a), "REV")) }),
		"ZRANGEBYSCORE":    reading(kind, 3, -1, List{}, func(e *entry, a []string) any { return ranged(e, append(slices.Clone(a), "BYSCORE")) }),
		"ZREVRANGEBYSCORE": reading(kind, 3, -1, List{}, func(e *entry, a []string) any { return ranged(e, append(slices.Clone(a), "BYSCORE", "REV")) }),
		"ZSCORE": reading(kind, 2, 2, nil, func(e *entry, a []string) any {
			if k := at(e.pairs, a[0]); k >= 0 {
				return e.pairs[k].score
			}
			return nil
		}),
		"ZRANK": rank(false), "ZREVRANK": rank(true),
		"ZCARD": reading(kind, 1, 1, zero, func(e *entry, _ []string) any { return int64(len(e.pairs)) }),
		"ZCOUNT": reading(kind, 3, 3, zero, func(e *entry, a []string) any {
			list, valid := between(e.pairs, a[0], a[1])
			if !valid {
				return Fault("ERR min or max is not a float")
			}
			return int64(len(list))
		}),
		"ZREM": {2, -1, func(c *Session, a []string) any {
			return c.change(a[0], kind, func(e *entry) any {
				n := len(e.pairs)
				e.pairs = slices.DeleteFunc(slices.Clone(e.pairs), func(p pair) bool { return slices.Contains(a[1:], p.name) })
				return int64(n - len(e.pairs))
			})
		}},
		"ZSCAN": reading(kind, 2, -1, List{"0", List{}}, func(e *entry, _ []string) any {
			list := List{}
			for _, p := range e.pairs {
				list = append(list, p.name, number(p.score))
			}
			return List{"0", list}
		}),
	}
}

// order sorts members by their score.
func order(list []pair) {
	slices.SortStableFunc(list, func(a, b pair) int { return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.name, b.name)) })
}

func addScores(c *Session, a []string) any {
	args := a[1:]
	var onlyNew, onlyOld, changes bool
	for len(args) > 0 {
		switch strings.ToUpper(args[0]) {
		case "NX":
			onlyNew = true
		case "XX":
			onlyOld = true
		case "CH":
			changes = true
		case "GT", "LT":
		default:
			return c.change(a[0], "zset", func(e *entry) any { return scores(e, args, onlyNew, onlyOld, changes) })
		}
		args = args[1:]
	}
	return syntax
}

func scores(e *entry, args []string, onlyNew, onlyOld, changes bool) any {
	if len(args)%2 != 0 {
		return syntax
	}
	n := int64(0)
	e.pairs = slices.Clone(e.pairs)
	for i := 0; i+1 < len(args); i += 2 {
		score, err := strconv.ParseFloat(args[i], 64)
		if err != nil || math.IsNaN(score) {
			return Fault("ERR value is not a valid float")
		}
		k := at(e.pairs, args[i+1])
		switch {
		case k >= 0 && !onlyNew:
			if changes && e.pairs[k].score != score {
				n++
			}
			e.pairs[k].score = score
		case k < 0 && !onlyOld:
			e.pairs = append(e.pairs, pair{name: args[i+1], score: score})
			n++
		}
	}
	order(e.pairs)
	return n
}

// between are the members whose scores lie between two bounds, as "(1" and "+inf".
func between(list []pair, low, high string) ([]pair, bool) {
	bound := func(s string) (f float64, open, valid bool) {
		s, open = strings.CutPrefix(s, "(")
		f, err := strconv.ParseFloat(s, 64)
		return f, open, err == nil
	}
	from, openFrom, valid := bound(low)
	to, openTo, other := bound(high)
	if !valid || !other {
		return nil, false
	}
	var out []pair
	for _, p := range list {
		if (p.score > from || p.score == from && !openFrom) && (p.score < to || p.score == to && !openTo) {
			out = append(out, p)
		}
	}
	return out, true
}

func ranged(e *entry, a []string) any {
	o := options(a[2:], "REV", "BYSCORE", "WITHSCORES", "BYLEX")
	_, reverse := o["REV"]
	_, byScore := o["BYSCORE"]
	_, withScores := o["WITHSCORES"]
	list := slices.Clone(e.pairs)
	first, last := a[0], a[1]
	if reverse {
		slices.Reverse(list)
		if byScore {
			first, last = last, first
		}
	}
	if byScore {
		var valid bool
		if list, valid = between(list, first, last); !valid {
			return Fault("ERR min or max is not a float")
		}
	} else {
		from, to, valid := span(first, last, len(list))
		if !valid {
			return notInt
		}
		list = list[from:to]
	}
	out := List{}
	for _, p := range list {
		out = append(out, p.name)
		if withScores {
			out = append(out, p.score)
		}
	}
	if withScores {
		return Scores(out)
	}
	return out
}
