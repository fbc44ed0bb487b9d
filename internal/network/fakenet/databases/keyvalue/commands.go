package keyvalue

import (
	"maps"
	"math"
	"strconv"
	"strings"
)

// command is a command with the number of its arguments; most -1: any number.
type command struct {
	least, most int
	run         func(c *Session, args []string) any
}

// commands are all commands by their names.
func commands() map[string]command {
	all := map[string]command{}
	for _, group := range []map[string]command{keyCommands(), nameCommands(), stringCommands(), counterCommands(), hashCommands(), hashReads(), listCommands(), listChanges(), setCommands(), sortedCommands(), streamCommands(), jsonCommands()} {
		maps.Copy(all, group)
	}
	return all
}

// keyCommands are about whether keys exist, and how long.
func keyCommands() map[string]command {
	remove := command{1, -1, func(c *Session, a []string) any {
		n := int64(0)
		for _, key := range a {
			if c.remove(key) {
				n++
			}
		}
		return n
	}}
	exists := command{1, -1, func(c *Session, a []string) any {
		n := int64(0)
		for _, key := range a {
			if c.get(key) != nil {
				n++
			}
		}
		return n
	}}
	expire := func(divisor int64) command {
		return command{2, 3, func(c *Session, a []string) any {
			n, err := strconv.ParseInt(a[1], 10, 64)
			e := c.get(a[0])
			switch {
			case err != nil:
				return notInt
			case e == nil:
				return int64(0)
			case n <= 0:
				c.remove(a[0])
				return int64(1)
			}
			e.ttl = max(n/divisor, 1)
			return int64(1)
		}}
	}
	ttl := func(factor int64) command {
		return command{1, 1, func(c *Session, a []string) any {
			e := c.get(a[0])
			switch {
			case e == nil:
				return int64(-2)
			case e.ttl == 0:
				return int64(-1)
			}
			return e.ttl * factor
		}}
	}
	return map[string]command{
		"DEL": remove, "UNLINK": remove, "EXISTS": exists, "TOUCH": exists, "EXPIRE": expire(1), "PEXPIRE": expire(1000), "EXPIREAT": expire(1), "PEXPIREAT": expire(1000),
		"TTL": ttl(1), "PTTL": ttl(1000), "EXPIRETIME": ttl(1),
		"PERSIST": {1, 1, func(c *Session, a []string) any {
			e := c.get(a[0])
			if e == nil || e.ttl == 0 {
				return int64(0)
			}
			e.ttl = 0
			return int64(1)
		}},
	}
}

// nameCommands are about the names of keys, and what stands behind them.
func nameCommands() map[string]command {
	return map[string]command{
		"TYPE": {1, 1, func(c *Session, a []string) any {
			if e := c.get(a[0]); e != nil {
				return Status(e.kind)
			}
			return Status("none")
		}},
		"KEYS": {1, 1, func(c *Session, a []string) any {
			list := List{}
			for _, name := range c.names() {
				if glob(a[0], name) {
					list = append(list, name)
				}
			}
			return list
		}},
		"SCAN":   {1, -1, scanKeys},
		"DBSIZE": {0, 0, func(c *Session, _ []string) any { return int64(len(c.names())) }},
		"RANDOMKEY": {0, 0, func(c *Session, _ []string) any {
			if list := c.names(); len(list) > 0 {
				return list[0]
			}
			return nil
		}},
		"RENAME": {2, 2, rename}, "RENAMENX": {2, 2, rename}, "COPY": {2, -1, duplicate},
		"FLUSHDB": {0, 1, flush}, "FLUSHALL": {0, 1, flush},
		"SELECT": {1, 1, func(c *Session, a []string) any {
			n, err := strconv.Atoi(a[0])
			if err != nil || n < 0 || n > 15 {
				return Fault("ERR DB index is out of range")
			}
			c.db = strconv.Itoa(n) + ":"
			return ok
		}},
		"OBJECT": {1, -1, func(c *Session, a []string) any {
			if len(a) > 1 && c.get(a[1]) != nil {
				return "embstr"
			}
			return nil
		}},
		"MEMORY": {1, -1, func(c *Session, a []string) any {
			if len(a) > 1 && c.get(a[1]) != nil {
				return int64(c.get(a[1]).size())
			}
			return nil
		}},
	}
}

func flush(c *Session, _ []string) any {
	for _, key := range c.names() {
		c.remove(key)
	}
	return ok
}

func rename(c *Session, a []string) any {
	e := c.get(a[0])
	if e == nil {
		return Fault("ERR no such key")
	}
	c.remove(a[0])
	if !c.put(a[1], e) {
		return noRoom
	}
	return ok
}

func duplicate(c *Session, a []string) any {
	e := c.get(a[0])
	if e == nil || c.get(a[1]) != nil {
		return int64(0)
	}
	other := *e
	return flag(c.put(a[1], &other))
}

// options are the words behind the first arguments, as "MATCH" with its value.
func options(args []string, names ...string) map[string]string {
	found := map[string]string{}
	for i := range args {
		for _, n := range names {
			if strings.EqualFold(args[i], n) {
				found[n] = ""
				if i+1 < len(args) {
					found[n] = args[i+1]
				}
			}
		}
	}
	return found
}

// scanKeys answers all keys at once: the cursor is at the end.
func scanKeys(c *Session, a []string) any {
	o := options(a[1:], "MATCH", "TYPE")
	list := List{}
	for _, name := range c.names() {
		if pattern, said := o["MATCH"]; said && !glob(pattern, name) {
			continue
		}
		if kind, said := o["TYPE"]; said && !strings.EqualFold(c.get(name).kind, kind) {
			continue
		}
		list = append(list, name)
	}
	return List{"0", list}
}

// glob matches *, ?, [abc] and \x. It goes back to the last * only.
func glob(pattern, s string) bool {
	i, j, star, from := 0, 0, -1, 0
	for i < len(s) {
		if j < len(pattern) && pattern[j] == '*' {
			star, from = j, i
			j++
			continue
		}
		if n := globOne(pattern[j:], s[i]); n > 0 {
			i, j = i+1, j+n
			continue
		}
		if star < 0 {
			return false
		}
		from++
		i, j = from, star+1
	}
	for j < len(pattern) && pattern[j] == '*' {
		j++
	}
	return j == len(pattern)
}

// globOne is how much of a pattern matches one byte; 0 if it does not.
func globOne(pattern string, c byte) int {
	if pattern == "" {
		return 0
	}
	switch pattern[0] {
	case '?':
		return 1
	case '\\':
		if len(pattern) > 1 && pattern[1] == c {
			return 2
		}
		return 0
	case '[':
		set, _, closed := strings.Cut(pattern[1:], "]")
		if !closed {
			return 0
		}
		body := strings.TrimPrefix(set, "^")
		hit := strings.IndexByte(body, c) >= 0
		for k := 0; k+2 < len(body); k++ {
			hit = hit || body[k+1] == '-' && c >= body[k] && c <= body[k+2]
		}
		if hit == (body != set) {
			return 0
		}
		return len(set) + 2
	}
	if pattern[0] == c {
		return 1
	}
	return 0
}

// span is a range of a list of n elements; negative places count from its end.
func span(first, last string, n int) (from, to int, valid bool) {
	a, err := strconv.Atoi(first)
	b, other := strconv.Atoi(last)
	if err != nil || other != nil {
		return 0, 0, false
	}
	if a < 0 {
		a = max(a+n, 0)
	}
	if b < 0 {
		b += n
	}
	b = min(b, n-1)
	if a > b || a < 0 {
		return 0, 0, true
	}
	return a, b + 1, true
}

// number writes a score.
func number(f float64) string {
	if math.IsInf(f, 0) {
		return map[bool]string{true: "inf", false: "-inf"}[f > 0]
	}
	return strconv.FormatFloat(f, 'g', 17, 64)
}
