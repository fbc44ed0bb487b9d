package keyvalue

import (
	"math"
	"strconv"
	"strings"
)

// get is the text of a key, nil if there is none.
func get(c *Session, a []string) any {
	e, fits := c.typed(a[0], "string")
	switch {
	case !fits:
		return wrongType
	case e == nil:
		return nil
	}
	return e.text
}

// stringCommands read and write whole texts.
func stringCommands() map[string]command {
	return map[string]command{
		"GET": {1, 1, get}, "SET": {2, -1, set},
		"GETEX": {1, -1, get},
		"SETNX": {2, 2, func(c *Session, a []string) any {
			if c.get(a[0]) != nil {
				return int64(0)
			}
			set(c, a)
			return int64(1)
		}},
		"SETEX":  {3, 3, func(c *Session, a []string) any { return set(c, []string{a[0], a[2], "EX", a[1]}) }},
		"PSETEX": {3, 3, func(c *Session, a []string) any { return set(c, []string{a[0], a[2], "PX", a[1]}) }},
		"GETSET": {2, 2, func(c *Session, a []string) any {
			was := get(c, a)
			set(c, a)
			return was
		}},
		"GETDEL": {1, 1, func(c *Session, a []string) any {
			was := get(c, a)
			if _, failed := was.(Fault); !failed {
				c.remove(a[0])
			}
			return was
		}},
		"MGET": {1, -1, func(c *Session, a []string) any {
			list, size := List{}, 0
			for _, key := range a {
				v := get(c, []string{key})
				s, isText := v.(string)
				if size += len(s); size > maxReply {
					return noRoom
				}
				if !isText {
					v = nil
				}
				list = append(list, v)
			}
			return list
		}},
		"MSET": {2, -1, func(c *Session, a []string) any {
			if len(a)%2 != 0 {
				return Fault("ERR wrong number of arguments for 'mset' command")
			}
			for i := 0; i+1 < len(a); i += 2 {
				if reply := set(c, a[i:i+2]); reply != ok {
					return reply
				}
			}
			return ok
		}},
	}
}

// counterCommands are about parts of texts, and those that are numbers.
func counterCommands() map[string]command {
	return map[string]command{
		"APPEND": {2, 2, func(c *Session, a []string) any {
			return c.change(a[0], "string", func(e *entry) any {
				e.text += a[1]
				return int64(len(e.text))
			})
		}},
		"STRLEN": {1, 1, func(c *Session, a []string) any {
			if e, fits := c.typed(a[0], "string"); !fits {
				return wrongType
			} else if e != nil {
				return int64(len(e.text))
			}
			return int64(0)
		}},
		"GETRANGE": {3, 3, func(c *Session, a []string) any {
			e, fits := c.typed(a[0], "string")
			if !fits || e == nil {
				return map[bool]any{false: wrongType, true: ""}[fits]
			}
			from, to, valid := span(a[1], a[2], len(e.text))
			if !valid {
				return notInt
			}
			return e.text[from:to]
		}},
		"INCR":   {1, 1, func(c *Session, a []string) any { return count(c, a[0], "1", 1) }},
		"DECR":   {1, 1, func(c *Session, a []string) any { return count(c, a[0], "1", -1) }},
		"INCRBY": {2, 2, func(c *Session, a []string) any { return count(c, a[0], a[1], 1) }},
		"DECRBY": {2, 2, func(c *Session, a []string) any { return count(c, a[0], a[1], -1) }},
		"INCRBYFLOAT": {2, 2, func(c *Session, a []string) any {
			return c.change(a[0], "string", func(e *entry) any {
				n, err := strconv.ParseFloat(a[1], 64)
				was, other := strconv.ParseFloat(e.text, 64)
				if err != nil || other != nil && e.text != "" || math.IsInf(n+was, 0) || math.IsNaN(n+was) {
					return Fault("ERR value is not a valid float")
				}
				e.text = number(was + n)
				return e.text
			})
		}},
	}
}

func set(c *Session, a []string) any {
	old := c.get(a[0])
	e := &entry{kind: "string", text: a[1]}
	isGet := false
	for words := a[2:]; len(words) > 0; words = words[1:] {
		switch word := strings.ToUpper(words[0]); word {
		case "NX", "XX":
			if (old != nil) == (word == "NX") {
				return nil
			}
		case "GET":
			isGet = true
		case "KEEPTTL":
			if old != nil {
				e.ttl = old.ttl
			}
		case "EX", "PX", "EXAT", "PXAT":
			if len(words) < 2 {
				return syntax
			}
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil || n <= 0 {
				return Fault("ERR invalid expire time in 'set' command")
			}
			if strings.HasPrefix(word, "P") {
				n = max(n/1000, 1)
			}
			e.ttl = n
			words = words[1:]
		default:
			return syntax
		}
	}
	if !c.put(a[0], e) {
		return noRoom
	}
	if isGet {
		if old == nil {
			return nil
		}
		return old.text
	}
	return ok
}

func count(c *Session, key, by string, sign int64) any {
	return c.change(key, "string", func(e *entry) any {
		n, err := strconv.ParseInt(by, 10, 64)
		if e.text == "" {
			e.text = "0"
		}
		was, other := strconv.ParseInt(e.text, 10, 64)
		if err != nil || other != nil || n > math.MaxInt64/2 || n < -math.MaxInt64/2 || was > math.MaxInt64/2 || was < -math.MaxInt64/2 {
			return notInt
		}
		e.text = strconv.FormatInt(was+sign*n, 10)
		return was + sign*n
	})
}
