package fuzz

import (
	"fmt"
	"strings"
)

// texts are messages that are valid except for unusual characters.
func texts(_ *Target) []Message {
	in := func(balanced bool, why, raw string) Message {
		return Message{
			Why: why, Family: Text, Balanced: balanced, Method: "ping",
			wire: constant(func(id int64) string { return request(id, "ping", `{"value":"`+raw+`"}`) }),
		}
	}
	return []Message{
		in(true, "bytes that are not UTF-8", "a\xff\xfe\x80z"),
		in(true, "half a character", `a\ud800z`),
		in(false, "a slash in a longer form than it has", "a\xc0\xafz"),
		in(false, "a character that is cut off", "a\xe2\x82"),
		in(false, "the halves of a character in the wrong order", `a\udc00\ud800z`),
		in(false, "NUL as an escape", `a\u0000z`),
		in(false, "NUL as it is", "a\x00z"),
		in(false, "control characters as they are", "a\x01\x1b[2J\tz"),
		in(false, "ends of lines that only some see", "a\u2028\u2029\u0085z"),
		in(false, "a carriage return as it is", "a\rz"),
	}
}

// sizes are messages with very long values.
func sizes(_ *Target) []Message {
	long := func(balanced bool, why string, size int) Message {
		return Message{
			Why: fmt.Sprintf(why, size), Family: Size, Balanced: balanced, size: size, Method: "ping",
			wire: func(id int64, n int) []byte {
				return []byte(request(id, "ping", `{"value":"`+strings.Repeat("a", n)+`"}`))
			},
		}
	}
	return []Message{
		long(false, "a text of %d characters", 100_000),
		long(true, "a text of %d characters", 1<<20),
		long(false, "a text of %d characters", 4<<20),
		{Why: "a method with a very long name", Family: Size, size: 1 << 20, wire: func(id int64, n int) []byte {
			return []byte(request(id, strings.Repeat("a", n), `{}`))
		}},
		{Why: "very much white space", Family: Size, size: 1 << 20, Method: "ping", wire: func(id int64, n int) []byte {
			return []byte(strings.Replace(ping(id), ",", ","+strings.Repeat(" ", n), 1))
		}},
	}
}

// depths are messages with deeply nested values.
func depths(_ *Target) []Message {
	deep := func(balanced bool, n int, why, open, end string) Message {
		return Message{
			Why: fmt.Sprintf(why, n), Family: Depth, Balanced: balanced, size: n, Method: "ping",
			wire: func(id int64, n int) []byte {
				return []byte(request(id, "ping", `{"value":`+strings.Repeat(open, n)+`0`+strings.Repeat(end, n)+`}`))
			},
		}
	}
	return []Message{
		deep(true, 1000, "lists in lists %d deep", "[", "]"),
		deep(false, 1000, "objects in objects %d deep", `{"a":`, "}"),
		deep(true, 100_000, "lists in lists %d deep", "[", "]"),
		deep(false, 100_000, "objects in objects %d deep", `{"a":`, "}"),
		deep(false, 1_000_000, "lists in lists %d deep", "[", "]"),
	}
}

// lines are not JSON, or not exactly one message per line.
func lines(_ *Target) []Message {
	line := func(balanced bool, why, raw string) Message {
		return Message{Why: why, Family: JSON, Balanced: balanced, wire: fixed(raw)}
	}
	two := func(balanced bool, why, between string) Message {
		return Message{Why: why, Family: JSON, Balanced: balanced, Method: "ping", wire: constant(func(id int64) string { return ping(id) + between + ping(id+other) })}
	}
	return []Message{
		line(true, "half a message", `{`),
		line(false, "an empty line", ""),
		line(false, "a blank line", " \t "),
		two(true, "two messages in one line", ""),
		two(false, "two messages with a comma", ","),
		{Why: "a carriage return at the end", Family: JSON, Method: "ping", wire: constant(func(id int64) string { return ping(id) + "\r" })},
		{
			Why: "a message in three writes", Family: JSON, Method: "ping", cuts: []int{1, 20},
			wire: constant(ping),
		},
		{Why: "a message over several lines", Family: JSON, Method: "ping", wire: constant(func(id int64) string { return strings.ReplaceAll(ping(id), ",", ",\n") })},
		{Why: "a mark of the byte order", Family: JSON, Method: "ping", wire: constant(func(id int64) string { return "\ufeff" + ping(id) })},
		line(false, "a word", `hello`),
		line(false, "the beginning of a message", `{"jsonrpc":"2.0","id":1,"meth`),
		line(false, "a comma too many", `{"jsonrpc":"2.0","method":"ping",}`),
		line(false, "other quotes", `{'jsonrpc':'2.0','method':'ping'}`),
		line(false, "what is not a number", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`),
		line(false, "a comment", `// {"jsonrpc":"2.0"}`),
		line(false, "brackets that do not belong together", `{"jsonrpc":"2.0"]`),
		line(false, "a request of HTTP", "GET / HTTP/1.1\r\nHost: localhost\r\n\r"),
		line(false, "a head as other protocols have it", "Content-Length: 2\r\n\r\n{}"),
		line(false, "bytes of no meaning", "\x00\x01\xff\xfe\x16\x03\x01"),
	}
}
