package fuzz

import "fmt"

const hello = `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"client","version":"1"}}`

// orders are messages at the wrong time.
func orders(t *Target) []Message {
	again := func(balanced bool, why, params string) Message {
		return Message{
			Why: why, Family: Order, Method: "initialize", Balanced: balanced,
			wire: constant(func(id int64) string { return request(id, "initialize", params) }),
		}
	}
	return []Message{
		{
			Why: "a tool is called before initialize", Family: Order, Method: "tools/call", Tool: t.Tool, Early: true, Balanced: true,
			wire: constant(t.asked),
		},
		{
			Why: "the tools are listed before initialize", Family: Order, Method: "tools/list", Early: true,
			wire: constant(func(id int64) string { return request(id, "tools/list", `{}`) }),
		},
		{
			Why: "initialized is said before initialize", Family: Order, Early: true,
			wire: fixed(notice("notifications/initialized", `{}`)),
		},
		again(true, "initialize is asked for a second time", hello),
		again(false, "initialize without anything", `{}`),
		again(false, "initialize with a version that is a number", `{"protocolVersion":1,"capabilities":{},"clientInfo":{"name":"client","version":"1"}}`),
		again(false, "initialize with an unknown version", `{"protocolVersion":"1999-12-31","capabilities":{},"clientInfo":{"name":"client","version":"1"}}`),
		again(false, "initialize with capabilities that are null", `{"protocolVersion":"2025-06-18","capabilities":null,"clientInfo":null}`),
		{Why: "initialized is said a second time", Family: Order, wire: fixed(notice("notifications/initialized", `{}`))},
	}
}

// notices are unexpected notifications.
func notices(t *Target) []Message {
	notification := func(balanced bool, why, method, params string) Message {
		return Message{Why: why, Family: Notice, Method: method, Balanced: balanced, wire: fixed(notice(method, params))}
	}
	cancel := func(id int64) string {
		return notice("notifications/cancelled", fmt.Sprintf(`{"requestId":%d,"reason":"no longer needed"}`, id))
	}
	return []Message{
		notification(true, "a request that was never made is cancelled", "notifications/cancelled", `{"requestId":123456,"reason":"no longer needed"}`),
		{
			Why: "a call is cancelled while it runs", Family: Notice, Method: "tools/call", Tool: t.Tool, Balanced: true,
			wire: constant(func(id int64) string { return t.asked(id) + "\n" + cancel(id) }),
		},
		{
			Why: "a call is cancelled before it is made", Family: Notice, Method: "tools/call", Tool: t.Tool,
			wire: constant(func(id int64) string { return cancel(id) + "\n" + t.asked(id) }),
		},
		{
			Why: "a call is cancelled twice", Family: Notice, Method: "tools/call", Tool: t.Tool,
			wire: constant(func(id int64) string { return t.asked(id) + "\n" + cancel(id) + "\n" + cancel(id) }),
		},
		notification(false, "something without a name is cancelled", "notifications/cancelled", `{}`),
		notification(false, "something is cancelled that cannot be", "notifications/cancelled", `{"requestId":{"a":[1]}}`),
		notification(false, "progress of nothing", "notifications/progress", `{"progressToken":"none","progress":-1,"total":0}`),
		notification(false, "progress that is a text", "notifications/progress", `{"progressToken":null,"progress":"half"}`),
		notification(false, "a notification that does not exist", "notifications/no_such_notification", `{}`),
		notification(false, "a request as a notification", "tools/list", `{}`),
		{Why: "a notification without parameters", Family: Notice, wire: fixed(`{"jsonrpc":"2.0","method":"notifications/cancelled"}`)},
		{Why: "an answer that nobody waits for", Family: Notice, wire: fixed(`{"jsonrpc":"2.0","id":123456,"result":{}}`)},
		{Why: "an error that nobody waits for", Family: Notice, wire: fixed(`{"jsonrpc":"2.0","id":123456,"error":{"code":-32603,"message":"no"}}`)},
		{Why: "an error that belongs to nothing", Family: Notice, wire: fixed(`{"jsonrpc":"2.0","id":null,"error":null}`)},
	}
}
