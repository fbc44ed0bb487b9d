package keyvalue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func streamCommands() map[string]command {
	const kind = "stream"
	return map[string]command{
		"XADD":   {4, -1, addEntry},
		"XLEN":   reading(kind, 1, 1, int64(0), func(e *entry, _ []string) any { return int64(len(e.pairs)) }),
		"XRANGE": reading(kind, 3, 5, List{}, func(e *entry, a []string) any { return entries(e.pairs, a[0], a[1], a[2:]) }),
		"XREVRANGE": reading(kind, 3, 5, List{}, func(e *entry, a []string) any {
			list := slices.Clone(e.pairs)
			slices.Reverse(list)
			return entries(list, a[1], a[0], a[2:])
		}),
		"XDEL": {2, -1, func(c *Session, a []string) any {
			return c.change(a[0], kind, func(e *entry) any {
				n := len(e.pairs)
				e.pairs = slices.DeleteFunc(slices.Clone(e.pairs), func(p pair) bool { return slices.Contains(a[1:], p.name) })
				return int64(n - len(e.pairs))
			})
		}},
		"XREAD":  {3, -1, readEntries},
		"XTRIM":  {2, -1, func(*Session, []string) any { return int64(0) }},
		"XGROUP": {1, -1, func(*Session, []string) any { return ok }},
		"XACK":   {3, -1, func(*Session, []string) any { return int64(0) }},
		"XINFO":  {1, -1, func(*Session, []string) any { return List{} }}, "XPENDING": {2, -1, func(*Session, []string) any { return List{int64(0), nil, nil, nil} }},
		"XREADGROUP": {1, -1, func(*Session, []string) any { return nil }},
	}
}

// place is an entry's number: milliseconds and a count.
func place(id string) (ms, n int64, valid bool) {
	first, second, _ := strings.Cut(id, "-")
	ms, err := strconv.ParseInt(first, 10, 64)
	if second != "" && err == nil {
		n, err = strconv.ParseInt(second, 10, 64)
	}
	return ms, n, err == nil && ms >= 0 && n >= 0
}

func before(a, b string) bool {
	x, n, _ := place(a)
	y, m, _ := place(b)
	return x < y || x == y && n < m
}

func addEntry(c *Session, a []string) any {
	key, args := a[0], a[1:]
	for len(args) > 0 && (strings.EqualFold(args[0], "NOMKSTREAM") || strings.EqualFold(args[0], "MAXLEN") || strings.EqualFold(args[0], "MINID")) {
		skip := 1
		if !strings.EqualFold(args[0], "NOMKSTREAM") {
			skip = 2
			if len(args) > 1 && (args[1] == "~" || args[1] == "=") {
				skip = 3
			}
		}
		args = args[min(skip, len(args)):]
	}
	if len(args) < 3 || len(args)%2 == 0 {
		return Fault("ERR wrong number of arguments for 'xadd' command")
	}
	return c.change(key, "stream", func(e *entry) any {
		id := args[0]
		last := "0-0"
		if len(e.pairs) > 0 {
			last = e.pairs[len(e.pairs)-1].name
		}
		if strings.HasSuffix(id, "*") { // one after the last, from a fixed time on: there is no clock
			ms, n, _ := place(last)
			if ms == 0 {
				ms = 1716200000000 - 1
			}
			id = fmt.Sprintf("%d-%d", ms+1, n*0)
		}
		if _, _, valid := place(id); !valid {
			return Fault("ERR Invalid stream ID specified as stream command argument")
		}
		if !strings.Contains(id, "-") {
			id += "-0"
		}
		if !before(last, id) {
			return Fault("ERR The ID specified in XADD is equal or smaller than the target stream top item")
		}
		e.pairs = append(slices.Clip(e.pairs), pair{name: id, fields: slices.Clone(args[1:])})
		return id
	})
}

func entries(list []pair, from, to string, rest []string) any {
	most := maxElements
	if o := options(rest, "COUNT"); o["COUNT"] != "" {
		if n, err := strconv.Atoi(o["COUNT"]); err == nil {
			most = max(n, 0)
		}
	}
	out := List{}
	for _, p := range list {
		ms, _, _ := place(p.name)
		end, _, hasEnd := place(to)
		if from != "-" && before(p.name, from) || to != "+" && (!hasEnd || before(to, p.name) && (strings.Contains(to, "-") || ms > end)) {
			continue
		}
		if len(out) >= most {
			break
		}
		out = append(out, List{p.name, texts(p.fields)})
	}
	return out
}

// readEntries does not wait for more.
func readEntries(c *Session, a []string) any {
	i := slices.IndexFunc(a, func(s string) bool { return strings.EqualFold(s, "STREAMS") })
	if i < 0 || (len(a)-i-1)%2 != 0 || i+1 >= len(a) {
		return syntax
	}
	keys := a[i+1:]
	n := len(keys) / 2
	out := Map{}
	for k := range n {
		e, fits := c.typed(keys[k], "stream")
		if !fits {
			return wrongType
		}
		if e == nil || keys[n+k] == "$" {
			continue
		}
		list := slices.DeleteFunc(slices.Clone(e.pairs), func(p pair) bool { return !before(keys[n+k], p.name) })
		if len(list) > 0 {
			out = append(out, keys[k], entries(list, "-", "+", a[:i]))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
