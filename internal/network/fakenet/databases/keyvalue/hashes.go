package keyvalue

import (
	"slices"
	"strconv"
)

// at is the place of a name, -1 if it is not there.
func at(list []pair, name string) int {
	return slices.IndexFunc(list, func(p pair) bool { return p.name == name })
}

// reading makes a command that reads a key of a kind; none is its reply for a key that
// does not exist.
func reading(kind string, least, most int, none any, f func(e *entry, a []string) any) command {
	return command{least, most, func(c *Session, a []string) any {
		e, fits := c.typed(a[0], kind)
		switch {
		case !fits:
			return wrongType
		case e == nil:
			return none
		}
		return f(e, a[1:])
	}}
}

// hash is the kind of hashes, as TYPE names it.
const hash = "hash"

// hashCommands are those that change hashes.
func hashCommands() map[string]command {
	write := func(reply func(n int64) any) command {
		return command{3, -1, func(c *Session, a []string) any {
			if len(a)%2 == 0 {
				return Fault("ERR wrong number of arguments for 'hset' command")
			}
			return c.change(a[0], hash, func(e *entry) any {
				n := int64(0)
				e.pairs = slices.Clone(e.pairs)
				for i := 1; i+1 < len(a); i += 2 {
					if k := at(e.pairs, a[i]); k >= 0 {
						e.pairs[k].value = a[i+1]
						continue
					}
					e.pairs = append(e.pairs, pair{name: a[i], value: a[i+1]})
					n++
				}
				return reply(n)
			})
		}}
	}
	return map[string]command{
		"HSET": write(func(n int64) any { return n }), "HMSET": write(func(int64) any { return ok }),
		"HSETNX": {3, 3, func(c *Session, a []string) any {
			return c.change(a[0], hash, func(e *entry) any {
				if at(e.pairs, a[1]) >= 0 {
					return int64(0)
				}
				e.pairs = append(slices.Clip(e.pairs), pair{name: a[1], value: a[2]})
				return int64(1)
			})
		}},
		"HDEL": {2, -1, func(c *Session, a []string) any {
			return c.change(a[0], hash, func(e *entry) any {
				n := len(e.pairs)
				e.pairs = slices.DeleteFunc(slices.Clone(e.pairs), func(p pair) bool { return slices.Contains(a[1:], p.name) })
				return int64(n - len(e.pairs))
			})
		}},
		"HINCRBY": {3, 3, func(c *Session, a []string) any {
			return c.change(a[0], hash, func(e *entry) any {
				by, err := strconv.ParseInt(a[2], 10, 32)
				if err != nil {
					return notInt
				}
				e.pairs = slices.Clone(e.pairs)
				k := at(e.pairs, a[1])
				if k < 0 {
					k, e.pairs = len(e.pairs), append(e.pairs, pair{name: a[1], value: "0"})
				}
				was, err := strconv.ParseInt(e.pairs[k].value, 10, 62)
				if err != nil {
					return Fault("ERR hash value is not an integer")
				}
				e.pairs[k].value = strconv.FormatInt(was+by, 10)
				return was + by
			})
		}},
	}
}

// hashReads are those that only read them.
func hashReads() map[string]command {
	zero := int64(0)
	return map[string]command{
		"HGET": reading(hash, 2, 2, nil, func(e *entry, a []string) any {
			if k := at(e.pairs, a[0]); k >= 0 {
				return e.pairs[k].value
			}
			return nil
		}),
		"HMGET": {2, -1, func(c *Session, a []string) any {
			e, fits := c.typed(a[0], hash)
			if !fits {
				return wrongType
			}
			list, size := List{}, 0
			for _, name := range a[1:] {
				var v any
				if e != nil {
					if k := at(e.pairs, name); k >= 0 {
						v = e.pairs[k].value
						size += len(e.pairs[k].value)
					}
				}
				if list = append(list, v); size > maxReply {
					return noRoom
				}
			}
			return list
		}},
		"HGETALL": reading(hash, 1, 1, Map{}, func(e *entry, _ []string) any {
			out := Map{}
			for _, p := range e.pairs {
				out = append(out, p.name, p.value)
			}
			return out
		}),
		"HKEYS": reading(hash, 1, 1, List{}, func(e *entry, _ []string) any {
			out := List{}
			for _, p := range e.pairs {
				out = append(out, p.name)
			}
			return out
		}),
		"HVALS": reading(hash, 1, 1, List{}, func(e *entry, _ []string) any {
			out := List{}
			for _, p := range e.pairs {
				out = append(out, p.value)
			}
			return out
		}),
		"HLEN":    reading(hash, 1, 1, zero, func(e *entry, _ []string) any { return int64(len(e.pairs)) }),
		"HEXISTS": reading(hash, 2, 2, zero, func(e *entry, a []string) any { return flag(at(e.pairs, a[0]) >= 0) }),
		"HSTRLEN": reading(hash, 2, 2, zero, func(e *entry, a []string) any {
			if k := at(e.pairs, a[0]); k >= 0 {
				return int64(len(e.pairs[k].value))
			}
			return int64(0)
		}),
		"HSCAN": reading(hash, 2, -1, List{"0", List{}}, func(e *entry, a []string) any {
			pattern, said := options(a, "MATCH")["MATCH"]
			list := List{}
			for _, p := range e.pairs {
				if !said || glob(pattern, p.name) {
					list = append(list, p.name, p.value)
				}
			}
			return List{"0", list}
		}),
	}
}
