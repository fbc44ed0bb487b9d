package protocols

import (
	"context"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/keyvalue"
)

// cacheLine matches the first line of a memcached client in text mode. Its
// commands are lower case, unlike HTTP methods.
var cacheLine = lazyregexp.New(`^(?:(?:set|add|replace|append|prepend) \S{1,250} \d+ -?\d+ \d+|(?:get|gets|gat|delete|incr|decr|touch|mg|ms|md) \S|stats|version|flush_all|mn)[ \r\n\w:/.-]*\n`)

func memcached() speaker {
	return speaker{
		name: "memcached",
		match: func(first []byte) match {
			if cacheLine.Match(first[:min(len(first), 2<<10)]) {
				return yes
			}
			return matchCacheBinary(first)
		},
		serve: func(_ context.Context, w *wire) error { return serveCache(w) },
	}
}

func matchCacheBinary(first []byte) match {
	if len(first) == 0 || first[0] != cacheRequest || len(first) > 1 && first[1] > 0x48 {
		return no
	}
	if len(first) < 24 {
		return maybe
	}
	if first[5] != 0 || binary.BigEndian.Uint32(first[8:]) > budget {
		return no
	}
	return yes
}

const (
	cacheRequest = 0x80
	cacheAnswer  = 0x81
)

// cache is a session with the values of the run. Only the text protocol stores.
type cache struct {
	*wire

	session *keyvalue.Session
}

func serveCache(w *wire) error {
	first, err := w.in.Peek(1)
	if err != nil {
		return err
	}
	if first[0] == cacheRequest {
		return cacheBinary(w)
	}
	c := &cache{w, w.stored().Keys.Cache()}
	for {
		line, err := w.line()
		if err != nil {
			return err
		}
		w.tell("query")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if fields[0] == "quit" {
			return nil
		}
		if err := c.command(fields); err != nil {
			return err
		}
	}
}

func (c *cache) command(fields []string) error {
	w := c.wire
	quiet := fields[len(fields)-1] == "noreply"
	var answer string
	switch fields[0] {
	case "set", "add", "replace", "append", "prepend", "cas":
		p, err := c.value(fields, 4)
		if err != nil {
			return err
		}
		answer = c.set(fields, p)
	case "ms":
		answer = "HD"
		if _, err := c.value(fields, 2); err != nil {
			return err
		}
	case "get", "gets":
		answer = c.get(fields)
	case "gat", "gats", "stats":
		answer = "END"
	case "delete", "incr", "decr", "touch":
		answer = c.change(fields)
	case "mg":
		answer = "EN"
	case "md", "ma":
		answer = "NF"
	case "mn":
		answer = "MN"
	case "version":
		answer = "VERSION 1.6.18"
	case "flush_all", "verbosity":
		answer = "OK"
	default:
		answer = "ERROR"
	}
	if !quiet {
		w.printf("%s\r\n", answer)
	}
	return nil
}

// value reads a value to store, and keeps it if it is short. One of the fields is its
// length.
func (c *cache) value(fields []string, length int) ([]byte, error) {
	if len(fields) <= length {
		return nil, errStray
	}
	n, err := strconv.ParseInt(fields[length], 10, 64)
	if err != nil || n < 0 || n > budget {
		return nil, errStray
	}
	if n+2 > tellAt {
		return nil, c.pour("query", n+2) // with the end of the line
	}
	p, err := c.take(int(n) + 2)
	c.tell("query")
	return p[:n], err
}

// set stores a value with its flags in front. What is too long is taken, and gone at
// once: a cache may forget.
func (c *cache) set(fields []string, p []byte) string {
	key, flags := fields[1], fields[2]
	old, there := c.session.Do([]string{"GET", key}).(string)
	if there != (fields[0] != "add") && fields[0] != "set" {
		return "NOT_STORED"
	}
	_, was, _ := strings.Cut(old, " ")
	text := string(p)
	switch fields[0] {
	case "append":
		text = was + text
	case "prepend":
		text += was
	}
	if p == nil {
		c.session.Do([]string{"DEL", key})
		return "STORED"
	}
	if _, failed := c.session.Do([]string{"SET", key, flags + " " + text}).(keyvalue.Fault); failed {
		return "SERVER_ERROR out of memory storing object"
	}
	return "STORED"
}

func (c *cache) get(fields []string) string {
	var b strings.Builder
	for _, key := range fields[1:min(len(fields), wordsMax)] {
		v, found := c.session.Do([]string{"GET", key}).(string)
		if !found || c.mute {
			continue
		}
		flags, text, _ := strings.Cut(v, " ")
		unique := ""
		if fields[0] == "gets" {
			unique = " 1"
		}
		b.WriteString("VALUE " + key + " " + flags + " " + strconv.Itoa(len(text)) + unique + "\r\n" + text + "\r\n")
	}
	return b.String() + "END"
}

// change deletes or counts.
func (c *cache) change(fields []string) string {
	if len(fields) < 2 {
		return "ERROR"
	}
	v, found := c.session.Do([]string{"GET", fields[1]}).(string)
	switch {
	case !found:
		return "NOT_FOUND"
	case fields[0] == "delete":
		c.session.Do([]string{"DEL", fields[1]})
		return "DELETED"
	case fields[0] == "touch":
		return "TOUCHED"
	case len(fields) < 3:
		return "ERROR"
	}
	flags, text, _ := strings.Cut(v, " ")
	n, err := strconv.ParseInt(text, 10, 62)
	by, other := strconv.ParseInt(fields[2], 10, 62)
	if err != nil || other != nil {
		return "CLIENT_ERROR cannot increment or decrement non-numeric value"
	}
	if fields[0] == "decr" {
		by = -by
	}
	text = strconv.FormatInt(max(n+by, 0), 10)
	c.session.Do([]string{"SET", fields[1], flags + " " + text})
	return text
}

// cacheBinary speaks the older binary protocol with fixed headers.
func cacheBinary(w *wire) error {
	for {
		head, err := w.take(24)
		if err != nil {
			return err
		}
		size := int64(binary.BigEndian.Uint32(head[8:]))
		if head[0] != cacheRequest || size > budget {
			return errStray
		}
		op, part := head[1], "query"
		if op == 0x21 || op == 0x22 { // logging in
			part = "login"
		}
		if err := w.pour(part, size); err != nil {
			return err
		}
		if op == 0x07 || op == 0x17 { // quit
			return nil
		}
		cacheReply(w, op, head)
	}
}

func cacheReply(w *wire, op byte, head []byte) {
	var status, body = byte(0), ""
	switch op {
	case 0x00, 0x0c, 0x04, 0x1c, 0x1d, 0x23: // read or delete a key, which does not exist
		status, body = 1, "Not found"
	case 0x0b:
		body = "1.6.18"
	case 0x20:
		body = "PLAIN"
	case 0x05, 0x06:
		body = "\x00\x00\x00\x00\x00\x00\x00\x01"
	case 0x09, 0x0d, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1a, 0x1e, 0x24: // quiet
		return
	}
	w.put(cacheAnswer, op, 0, 0, 0, 0, 0, status, 0, 0, 0, byte(len(body)))
	w.put(head[12:16]...) // the client's request id
	w.put(0, 0, 0, 0, 0, 0, 0, 1)
	w.printf("%s", body)
}
