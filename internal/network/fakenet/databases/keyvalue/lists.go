package keyvalue

import (
	"slices"
	"strconv"
	"strings"
)

// list is the kind of lists, as TYPE names it.
const list = "list"

// listCommands add to lists, take from them and read them.
func listCommands() map[string]command {
	zero := int64(0)
	push := func(left, only bool) command {
		return command{2, -1, func(c *Session, a []string) any {
			if only && c.get(a[0]) == nil {
				return zero
			}
			return c.change(a[0], list, func(e *entry) any {
				added := slices.Clone(a[1:])
				if left {
					slices.Reverse(added)
					e.list = append(added, e.list...)
				} else {
					e.list = append(slices.Clip(e.list), added...)
				}
				return int64(len(e.list))
			})
		}}
	}
	return map[string]command{
		"LPUSH": push(true, false), "RPUSH": push(false, false), "LPUSHX": push(true, true), "RPUSHX": push(false, true),
		"LPOP": {1, 2, func(c *Session, a []string) any { return pop(c, a, true) }}, "RPOP": {1, 2, func(c *Session, a []string) any { return pop(c, a, false) }},
		"BLPOP": {2, -1, func(c *Session, a []string) any { return blockingPop(c, a, true) }}, "BRPOP": {2, -1, func(c *Session, a []string) any { return blockingPop(c, a, false) }},
		"LLEN": reading(list, 1, 1, zero, func(e *entry, _ []string) any { return int64(len(e.list)) }),
		"LRANGE": reading(list, 3, 3, List{}, func(e *entry, a []string) any {
			from, to, valid := span(a[0], a[1], len(e.list))
			if !valid {
				return notInt
			}
			return texts(e.list[from:to])
		}),
		"LINDEX": reading(list, 2, 2, nil, func(e *entry, a []string) any {
			n, err := strconv.Atoi(a[0])
			if err != nil {
				return notInt
			}
			if n < 0 {
				n += len(e.list)
			}
			if n < 0 || n >= len(e.list) {
				return nil
			}
			return e.list[n]
		}),
		"LPOS": reading(list, 2, -1, nil, func(e *entry, a []string) any {
			if n := slices.Index(e.list, a[0]); n >= 0 {
				return int64(n)
			}
			return nil
		}),
	}
}

// listChanges are those that change lists in other places than their ends.
func listChanges() map[string]command {
	return map[string]command{
		"LSET": {3, 3, func(c *Session, a []string) any {
			return c.change(a[0], list, func(e *entry) any {
				n, err := strconv.Atoi(a[1])
				if n < 0 {
					n += len(e.list)
				}
				if err != nil || n < 0 || n >= len(e.list) {
					return Fault("ERR index out of range")
				}
				e.list = slices.Clone(e.list)
				e.list[n] = a[2]
				return ok
			})
		}},
		"LREM": {3, 3, func(c *Session, a []string) any {
			return c.change(a[0], list, func(e *entry) any {
				n := len(e.list)
				e.list = slices.DeleteFunc(slices.Clone(e.list), func(s string) bool { return s == a[2] })
				return int64(n - len(e.list))
			})
		}},
		"LTRIM": {3, 3, func(c *Session, a []string) any {
			return c.change(a[0], list, func(e *entry) any {
				from, to, valid := span(a[1], a[2], len(e.list))
				if !valid {
					return notInt
				}
				e.list = slices.Clone(e.list[from:to])
				return ok
			})
		}},
		"LINSERT": {4, 4, func(c *Session, a []string) any {
			return c.change(a[0], list, func(e *entry) any {
				n := slices.Index(e.list, a[2])
				if n < 0 {
					return int64(-1)
				}
				if strings.EqualFold(a[1], "AFTER") {
					n++
				}
				e.list = slices.Insert(slices.Clone(e.list), n, a[3])
				return int64(len(e.list))
			})
		}},
	}
}

// pop takes elements from an end of a list: one, or as many as are asked for.
func pop(c *Session, a []string, left bool) any {
	if c.get(a[0]) == nil {
		return nil
	}
	return c.change(a[0], "list", func(e *entry) any {
		n := 1
		if len(a) > 1 {
			var err error
			if n, err = strconv.Atoi(a[1]); err != nil || n < 0 {
				return notInt
			}
		}
		n = min(n, len(e.list))
		var taken []string
		if left {
			taken, e.list = slices.Clone(e.list[:n]), slices.Clone(e.list[n:])
		} else {
			taken, e.list = slices.Clone(e.list[len(e.list)-n:]), slices.Clone(e.list[:len(e.list)-n])
			slices.Reverse(taken)
		}
		if len(a) == 1 {
			return taken[0]
		}
		return texts(taken)
	})
}

// blockingPop does not wait: nobody else would push.
func blockingPop(c *Session, a []string, left bool) any {
	for _, key := range a[:len(a)-1] {
		if e := c.get(key); e != nil {
			v := pop(c, []string{key}, left)
			if _, failed := v.(Fault); failed {
				return v
			}
			return List{key, v}
		}
	}
	return nil
}

func setCommands() map[string]command {
	const kind = "set"
	zero := int64(0)
	members := reading(kind, 1, 1, List{}, func(e *entry, _ []string) any { return texts(e.list) })
	return map[string]command{
		"SADD": {2, -1, func(c *Session, a []string) any {
			return c.change(a[0], kind, func(e *entry) any {
				n := int64(0)
				e.list = slices.Clone(e.list)
				for _, s := range a[1:] {
					if !slices.Contains(e.list, s) {
						e.list = append(e.list, s)
						n++
					}
				}
				return n
			})
		}},
		"SREM": {2, -1, func(c *Session, a []string) any {
			return c.change(a[0], kind, func(e *entry) any {
				n := len(e.list)
				e.list = slices.DeleteFunc(slices.Clone(e.list), func(s string) bool { return slices.Contains(a[1:], s) })
				return int64(n - len(e.list))
			})
		}},
		"SMEMBERS": members, "SRANDMEMBER": reading(kind, 1, 2, nil, func(e *entry, a []string) any {
			if len(a) > 0 {
				return texts(e.list[:min(len(e.list), 10)])
			}
			return e.list[0]
		}),
		"SCARD":     reading(kind, 1, 1, zero, func(e *entry, _ []string) any { return int64(len(e.list)) }),
		"SISMEMBER": reading(kind, 2, 2, zero, func(e *entry, a []string) any { return flag(slices.Contains(e.list, a[0])) }),
		"SPOP": {1, 1, func(c *Session, a []string) any {
			if c.get(a[0]) == nil {
				return nil
			}
			return c.change(a[0], kind, func(e *entry) any {
				first := e.list[0]
				e.list = slices.Clone(e.list[1:])
				return first
			})
		}},
		"SSCAN": reading(kind, 2, -1, List{"0", List{}}, func(e *entry, a []string) any {
			pattern, said := options(a, "MATCH")["MATCH"]
			list := List{}
			for _, s := range e.list {
				if !said || glob(pattern, s) {
					list = append(list, s)
				}
			}
			return List{"0", list}
		}),
		"SUNION": {1, -1, func(c *Session, a []string) any { return combine(c, a, "union") }},
		"SINTER": {1, -1, func(c *Session, a []string) any { return combine(c, a, "inter") }},
		"SDIFF":  {1, -1, func(c *Session, a []string) any { return combine(c, a, "diff") }},
	}
}

// combine joins sets.
func combine(c *Session, keys []string, how string) any {
	var out []string
	in := map[string]int{}
	for i, key := range keys {
		e, fits := c.typed(key, "set")
		if !fits {
			return wrongType
		}
		if e == nil {
			e = &entry{}
		}
		for _, s := range e.list {
			if in[s]++; in[s] == 1 && (i == 0 || how == "union") {
				out = append(out, s)
			}
		}
	}
	return texts(slices.DeleteFunc(out, func(s string) bool {
		return how == "inter" && in[s] < len(keys) || how == "diff" && in[s] > 1
	}))
}
