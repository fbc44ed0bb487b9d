package fuzz

import (
	"fmt"
	"strings"
)

// calls are requests for an existing tool with unexpected arguments.
func calls(t *Target) []Message {
	name := text(t.Tool)
	var list []Message
	add := func(balanced bool, why, arguments string) {
		list = append(list, Message{
			Why: why, Family: Call, Call: true, Method: "tools/call", Tool: t.Tool, Balanced: balanced,
			wire: constant(func(id int64) string { return call(id, name, arguments) }),
		})
	}
	add(true, "no arguments", `{}`)
	add(true, "the arguments are a text", `"text"`)
	add(true, "every argument is null", t.each(`null`))
	add(true, "every argument is an object", t.each(`{"a":1}`))
	add(false, "the arguments are null", `null`)
	add(false, "the arguments are a list", `["text"]`)
	add(false, "the arguments are a number", `-1`)
	add(false, "every argument is a list", t.each(`[]`))
	add(false, "every argument is a list of itself", t.each(`[["text"]]`))
	add(false, "every argument is a number", t.each(`-1`))
	add(false, "every argument is an empty text", t.each(`""`))
	add(false, "every argument is true", t.each(`true`))
	add(false, "every argument names what all objects have", t.each(`{"length":-1,"toString":null,"constructor":null,"then":1}`))
	add(false, "an argument that nobody asked for", `{"__mcpsf__":1}`)
	add(false, "an argument called __proto__", `{"__proto__":{"a":1}}`)

	value := func(why, value string) {
		list = append(list, Message{
			Why: why, Family: Call, Call: true, Method: "tools/call", Tool: t.Tool,
			wire:    constant(func(id int64) string { return call(id, name, t.each(value)) }),
			control: constant(func(id int64) string { return request(id, "ping", `{"value":`+value+`}`) }),
		})
	}
	value("every argument is beyond all numbers", `1e400`)
	value("every argument is a number of many digits", strings.Repeat("9", 400))
	value("every argument is NUL", `"\u0000"`)
	value("every argument is half a character", `"\ud800"`)

	sized := func(balanced bool, size int, why string, value func(n int) string) {
		list = append(list, Message{
			Why: fmt.Sprintf(why, size), Family: Call, Call: true, Method: "tools/call", Tool: t.Tool, Balanced: balanced, size: size,
			wire:    func(id int64, n int) []byte { return []byte(call(id, name, t.each(value(n)))) },
			control: func(id int64, n int) []byte { return []byte(request(id, "ping", `{"value":`+value(n)+`}`)) },
		})
	}
	sized(true, 1<<20, "every argument is a text of %d characters", func(n int) string { return `"` + strings.Repeat("a", n) + `"` })
	sized(false, 100_000, "every argument is a list of %d", func(n int) string { return `[` + strings.Repeat("0,", n) + `0]` })
	sized(false, 1000, "every argument is %d lists deep", nested)
	return list
}

// nested is a list in a list, n deep.
func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// names are requests for tools that do not exist.
func names(_ *Target) []Message {
	var list []Message
	add := func(balanced, proper bool, why, name string) {
		list = append(list, Message{
			Why: why, Family: Tool, Call: proper, Method: "tools/call", Balanced: balanced,
			wire: constant(func(id int64) string { return call(id, name, `{}`) }),
		})
	}
	add(true, true, "a tool that does not exist", `"no_such_tool"`)
	add(true, true, "a tool called like what all objects have", `"__proto__"`)
	add(false, true, "a tool called like a function of all objects", `"constructor"`)
	add(false, true, "a tool without a name", `""`)
	add(false, true, "a tool whose name has format characters", `"%s%n%x{0}${a}"`)
	add(false, false, "the name of the tool is null", `null`)
	add(false, false, "the name of the tool is a number", `7`)
	add(false, false, "the name of the tool is an object", `{"a":1}`)
	list = append(list, Message{
		Why: "the name of the tool is very long", Family: Tool, Call: true, Method: "tools/call", size: 100_000,
		wire: func(id int64, n int) []byte {
			return []byte(call(id, `"`+strings.Repeat("a", n)+`"`, `{}`))
		},
	})
	return append(list, Message{
		Why: "no name of a tool", Family: Tool, Method: "tools/call",
		wire: constant(func(id int64) string { return request(id, "tools/call", `{"arguments":{}}`) }),
	})
}
