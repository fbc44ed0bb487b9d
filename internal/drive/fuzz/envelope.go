package fuzz

import (
	"fmt"
	"strings"
)

// params are requests whose parameters have the wrong type.
func params(_ *Target) []Message {
	var list []Message
	for _, method := range []string{"tools/call", "tools/list", "initialize", "resources/read", "prompts/get", "completion/complete", "logging/setLevel"} {
		for _, p := range []struct{ what, json string }{{"a text", `"text"`}, {"null", `null`}, {"a list", `[]`}, {"a number", `-1`}} {
			list = append(list, Message{
				Why: fmt.Sprintf("the parameters of %s are %s", method, p.what), Family: Params, Method: method,
				Balanced: method == "tools/call" && p.json == `"text"` || method == "tools/list" && p.json == `null`,
				wire:     constant(func(id int64) string { return request(id, method, p.json) }),
			})
		}
		list = append(list, Message{
			Why: method + " without parameters", Family: Params, Method: method,
			wire: constant(func(id int64) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%s}`, id, text(method)) }),
		})
	}
	return append(list,
		Message{
			Why: "a cursor that is none", Family: Params, Method: "tools/list",
			wire: constant(func(id int64) string { return request(id, "tools/list", `{"cursor":{"a":1}}`) }),
		},
		Message{
			Why: "a token for progress that is a list", Family: Params, Method: "tools/list",
			wire: constant(func(id int64) string { return request(id, "tools/list", `{"_meta":{"progressToken":[1]}}`) }),
		})
}

// keys are messages with fields of unusual names.
func keys(_ *Target) []Message {
	ask := func(why, params string) Message {
		return Message{
			Why: why, Family: Keys, Method: "tools/list",
			wire: constant(func(id int64) string { return request(id, "tools/list", params) }),
		}
	}
	return []Message{
		ask("a parameter called __proto__", `{"__proto__":{"a":1}}`),
		ask("parameters called like what all objects have", `{"constructor":{"prototype":{"a":1}},"toString":null,"hasOwnProperty":1}`),
		ask("a parameter without a name", `{"":1}`),
		ask("a parameter twice", `{"cursor":null,"cursor":null}`),
		{Why: "the message has a field called __proto__", Family: Keys, Balanced: true, Method: "ping", wire: constant(func(id int64) string {
			return fmt.Sprintf(`{"__proto__":{"method":"ping"},"jsonrpc":"2.0","id":%d,"method":"ping","params":{}}`, id)
		})},
		{Why: "the message has its method twice", Family: Keys, Method: "ping", wire: constant(func(id int64) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping","method":"ping","params":{}}`, id)
		})},
		{Why: "the message has ten thousand fields", Family: Keys, size: 10_000, Method: "ping", wire: func(id int64, n int) []byte {
			var b strings.Builder
			fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"ping"`, id)
			for i := range n {
				fmt.Fprintf(&b, `,"k%d":0`, i)
			}
			return []byte(b.String() + "}")
		}},
	}
}

// envelopes are messages whose JSON-RPC fields are wrong.
func envelopes(t *Target) []Message {
	odd := func(balanced bool, why string, wire func(int64, int) []byte) Message {
		return Message{Why: why, Family: Envelope, Balanced: balanced, wire: wire}
	}
	list := []Message{
		odd(true, "an empty object", fixed(`{}`)),
		odd(true, "null in place of a message", fixed(`null`)),
		odd(true, "a method that does not exist", constant(func(id int64) string { return request(id, "no/such/method", `{}`) })),
		odd(true, "an id that is an object", withID(`{"a":1}`)),
		odd(true, "a method that is a number", constant(func(id int64) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":7,"params":{}}`, id)
		})),
		odd(true, "a batch", constant(func(id int64) string { return "[" + ping(id) + "," + ping(id+other) + "]" })),
		odd(true, "two requests with one id", constant(func(id int64) string { return ping(id) + "\n" + t.asked(id) })),
		odd(false, "an empty batch", fixed(`[]`)),
		odd(false, "a batch of what are no messages", fixed(`[1,null,"text",[],{}]`)),
		odd(false, "a text in place of a message", fixed(`"text"`)),
		odd(false, "a number in place of a message", fixed(`7`)),
		odd(false, "true in place of a message", fixed(`true`)),
		odd(false, "no version of JSON-RPC", constant(func(id int64) string { return fmt.Sprintf(`{"id":%d,"method":"ping","params":{}}`, id) })),
		odd(false, "another version of JSON-RPC", constant(func(id int64) string { return strings.Replace(ping(id), "2.0", "1.0", 1) })),
		odd(false, "a version of JSON-RPC that is a number", constant(func(id int64) string { return strings.Replace(ping(id), `"2.0"`, "2.0", 1) })),
		odd(false, "a method that is null", constant(func(id int64) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":null}`, id) })),
		odd(false, "a method without a name", constant(func(id int64) string { return request(id, "", `{}`) })),
		odd(false, "no method", constant(func(id int64) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"params":{}}`, id) })),
		odd(false, "a method called __proto__", constant(func(id int64) string { return request(id, "__proto__", `{}`) })),
		odd(false, "a request and an answer in one", constant(func(id int64) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping","result":{},"error":{}}`, id)
		})),
	}
	for _, id := range []struct{ why, id string }{
		{"null", `null`}, {"an empty text", `""`}, {"a text", `"text"`}, {"a fraction", `1.5`}, {"negative", `-1`}, {"true", `true`},
		{"a list", `[1]`}, {"beyond what a double holds", `9007199254740993`}, {"beyond 64 bits", `18446744073709551617`}, {"beyond all numbers", `1e400`},
	} {
		list = append(list, odd(false, "an id that is "+id.why, withID(id.id)))
	}
	return append(list,
		Message{Why: "an id of very many digits", Family: Envelope, size: 10_000, wire: func(_ int64, n int) []byte {
			return withID(strings.Repeat("9", n))(0, 0)
		}},
		Message{Why: "an id that is a very long text", Family: Envelope, size: 100_000, wire: func(_ int64, n int) []byte {
			return withID(`"`+strings.Repeat("a", n)+`"`)(0, 0)
		}},
		Message{Why: "a batch of a thousand", Family: Envelope, size: 1000, wire: func(id int64, n int) []byte {
			one := ping(id + other)
			return []byte("[" + strings.Repeat(one+",", n-1) + one + "]")
		}},
	)
}
