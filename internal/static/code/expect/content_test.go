package expect

import "testing"

// TestContent has what tools write into their results as text: it must be one.
func TestContent(t *testing.T) {
	for name, tt := range map[string]struct {
		src    string
		python bool
		member string
		want   string
	}{
		"a result of JavaScript": {`async function f() { const d = (await (await fetch('https://a.example/b')).json()); return {content: [{type: 'text', text: d.made}]} }`, false, "made", "string"},
		"text before its type":   {`async function f() { const d = (await (await fetch('https://a.example/b')).json()); return {text: d.made, type: 'text'} }`, false, "made", "string"},
		"another type":           {`async function f() { const d = (await (await fetch('https://a.example/b')).json()); return {type: 'tree', text: d.made} }`, false, "made", ""},
		"what is read says more": {`async function f() { const d = (await (await fetch('https://a.example/b')).json()); d.made.map(x => x); return {type: 'text', text: d.made} }`, false, "made", "array"},
		"a class of Python":      {"import httpx\ndef f():\n    d = httpx.get('https://a.example/b').json()\n    return [types.TextContent(type='text', text=d['made'])]\n", true, "made", "string"},
		"an annotation":          {"import httpx\ndef f() -> str:\n    return httpx.get('https://a.example/b').json()['made']\n", true, "made", "string"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			for _, a := range answers(t, tt.src, tt.python) {
				if m := a.Shape; m != nil && m.Members[tt.member] != nil {
					got = m.Members[tt.member].Type
				}
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
