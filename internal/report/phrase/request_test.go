package phrase

import "testing"

func TestReadable(t *testing.T) {
	for request, want := range map[string]string{
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}`:        `tools/call add {"a":1}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a\u001b[2J","arguments":{}}}`:      `tools/call a\u001b[2J {}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"notes://1"}}`:                   `resources/read "notes://1"`,
		`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"a","arguments":{"b":"c"}}}`:       `prompts/get a {"b":"c"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`:                                        `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":"yyyyyyyyyyy…`: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"x":"yyyyyyyyyyy…`,
		"start the server": "start the server",
	} {
		if got := Request(request); got != want {
			t.Errorf("%s is shown as %s", request, got)
		}
	}
}
