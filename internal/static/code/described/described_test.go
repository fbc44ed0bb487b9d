package described

import (
	"strings"
	"testing"
)

// The files are a stranger's: reading them ends, whatever is in them.
func FuzzAnswers(f *testing.F) {
	f.Add("a.json", `{"openapi":"3.0.0","servers":[{"url":"https://a.example/{v}"}],"paths":{"/x/{id}":{"get":{"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}}}}},"components":{"schemas":{"A":{"allOf":[{"$ref":"#/components/schemas/A"}],"properties":{"a":{"$ref":"#/components/schemas/A"}}}}}}`)
	f.Add("a.yaml", "swagger: '2.0'\nhost: a.example\npaths: {/x: {get: {responses: {200: {schema: {type: [string, 'null']}}}}}}\n")
	f.Add("list-response.schema.json", `{"properties":{"a":{"items":{"$ref":"#/$defs/b"}}},"$defs":{"b":{"$ref":"#/$defs/b"}}}`)
	f.Add("a.graphql", "type Query { a(b: [C!]!): [[A!]] }\ntype A { a: A b: E }\nenum E { X }")
	f.Add("a.d.ts", "interface AResponse { a: AResponse[]; b: { c: Array<string>; d: 'x' | 'y' } }")
	f.Fuzz(func(t *testing.T, name, text string) {
		if len(Answers(name, []byte(text))) > maxAnswers {
			t.Error("too many answers")
		}
	})
}

// Types that contain each other many times do not multiply without end.
func TestBounds(t *testing.T) {
	types := "type Query {\n a: A0\n}\n"
	declared := "interface Response { a: A0 }\n"
	for i := range 40 {
		from, to := string(rune('A'+i)), string(rune('A'+i+1))
		types += "type " + from + "0 {\n" + strings.Repeat(" x: "+to+"0\n y: [A0]\n z: "+to+"0\n", 20) + "}\n"
		declared += "interface " + from + "0 {\n" + strings.Repeat(" x: "+to+"0;\n y: A0[];\n", 20) + "}\n"
	}
	Answers("a.graphql", []byte(types))
	Answers("a.d.ts", []byte(declared))
	Answers("b.d.ts", []byte(strings.Repeat("interface AResponse {\n", 20_000)))
}
