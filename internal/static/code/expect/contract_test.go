package expect

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code/contract"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
)

// contractFile reads what a source declares, as the parent process gets it.
func contractFile(t testing.TB, path, src string) *ir.File {
	t.Helper()
	f := &ir.File{Path: path}
	if strings.HasSuffix(path, ".py") {
		f.Contract = contract.Read(python.Read([]byte(src)), true)
	} else {
		f.Contract = contract.Read(script.Read([]byte(src), script.TypeScript), false)
	}
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ir.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// operation is a source with one operation that accepts a schema.
func operation(schema string) string {
	return schema + "\nasync function $do(client) { const path = pathToFunc('/v1/things/{id}')(p); client._createRequest(c, { method: 'GET', path }); return M.match(M.json(200, A$inboundSchema))(response); }"
}

func TestDeclared(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{
			"what must be there", `const A$inboundSchema = z.object({ _id: z.string(), n: z.number().int(), at: z.string().datetime().nullable(), on: z.boolean(), role: z.enum(["admin", "user"]) });`,
			`{"type":"object","members":{"_id":{"type":"string"},"at":{"type":"string","format":"date-time"},"n":{"type":"number","format":"integer"},"on":{"type":"boolean"},"role":{"type":"string","accepted":["admin","user"],"required":true}}}`,
		},
		{
			"errors and pages that may be missing are, others are there", `const A$inboundSchema = z.object({ error: z.string().optional(), next: z.string(), size: z.number().optional() });`,
			`{"type":"object","members":{"error":{"absent":true},"next":{"type":"string","required":true},"size":{"type":"number"}}}`,
		},
		{
			"a tree ends", `const A$inboundSchema = z.object({ name: z.string(), kids: z.array(z.lazy(() => A$inboundSchema)), up: z.lazy(() => A$inboundSchema).optional(), top: z.lazy(() => A$inboundSchema).nullable() });`,
			`{"type":"object","members":{"kids":{"type":"array","accepted":["0"]},"name":{"type":"string"},"top":{"type":"null"},"up":{"absent":true}}}`,
		},
		{
			"the first alternative that can be written", `const A$inboundSchema = z.object({ a: z.union([z.literal("/etc/passwd"), z.number()]), b: z.union([z.literal("x"), z.literal("y")]), c: z.union([z.null(), z.string()]) });`,
			`{"type":"object","members":{"a":{"type":"number"},"b":{"type":"string","accepted":["x","y"],"required":true},"c":{"type":"string"}}}`,
		},
		{
			"records, closed objects, lengths", `const A$inboundSchema = z.object({ of: z.record(z.string(), z.object({ v: z.number().min(10) })), code: z.string().length(2), two: z.array(z.string()).min(3) }).strict();`,
			`{"type":"object","members":{"code":{"type":"string","accepted":["aa"],"required":true},"of":{"type":"object","members":{"alpha":{"type":"object","members":{"v":{"type":"number","accepted":["10"],"required":true}}}},"closed":true},"two":{"type":"array","element":{"type":"string"},"accepted":["3"]}},"closed":true}`,
		},
		{
			"made of others", `const Base = z.object({ id: z.string(), gone: z.string() });
				const A$inboundSchema = Base.omit({ gone: true }).extend({ id: z.number() });`,
			`{"type":"object","members":{"id":{"type":"number"}}}`,
		},
		{
			"told apart by a member", `const A$inboundSchema = z.array(z.discriminatedUnion("type", [z.object({ type: z.literal("one"), a: z.string() }), z.object({ type: z.literal("two") })]));`,
			`{"type":"array","element":{"type":"object","members":{"a":{"type":"string"},"type":{"type":"string","accepted":["one"],"required":true}}}}`,
		},
		{
			"names as long as generators make them", "const " + strings.Repeat("Very", 30) + "LongSchema = z.object({ a: z.string() });\nconst A$inboundSchema = z.object({ of: " + strings.Repeat("Very", 30) + "LongSchema });",
			`{"type":"object","members":{"of":{"type":"object","members":{"a":{"type":"string"}}}}}`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			list := declared([]*ir.File{contractFile(t, "a.ts", operation(tt.src))})
			if len(list) != 1 || list[0].Method != http.MethodGet || list[0].Path != "/v1/things/{}" || list[0].Status != 200 {
				t.Fatalf("%+v", list)
			}
			check(t, list)
			got, err := json.Marshal(list[0].Shape)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A form may be in another file, of which the nearest counts, and the same operation in
// several formats is one.
func TestDeclaredElsewhere(t *testing.T) {
	use := "async function $do(c) { const path = f('/v1/a'); r(c, { method: 'POST', path }); return M.match(M.json(201, components.A$inboundSchema), M.nil(204, z.void()))(response); }"
	list := declared([]*ir.File{
		contractFile(t, "sdk/esm/funcs/a.js", "const pathToFunc = 1;"+strings.Replace(use, "f('", "pathToFunc('", 1)),
		contractFile(t, "other/models/a.js", "export const A$inboundSchema = z.object({ wrong: z.string() });"),
		contractFile(t, "sdk/esm/models/a.js", "export const A$inboundSchema = z.object({ right: z.string() });"),
		contractFile(t, "sdk/src/funcs/a.ts", strings.Replace(use, "f('", "pathToFunc('", 1)),
	})
	if len(list) != 1 || list[0].Status != 201 || list[0].Shape.Members["right"] == nil {
		t.Errorf("%+v", list)
	}
	models := contractFile(t, "x/models.py", "class Item(BaseModel):\n    id: UUID\n    tags: List[str] = []\n    parent: Optional['Item']\n")
	client := contractFile(t, "x/sdk.py", "class Sdk:\n    def get(self, id):\n        req = self._build_request(method=\"GET\", path=\"/v1/items/{id}\")\n        if utils.match_response(res, \"200\", \"application/json\"):\n            return unmarshal_json_response(models.Item, res)\n")
	list = declared([]*ir.File{models, client})
	if len(list) != 1 || list[0].Status != 200 || list[0].Shape.Members["id"].Format != "uuid" || list[0].Shape.Members["parent"].Type != "null" {
		t.Errorf("%+v", list)
	}
}

// Forms that double with each level, and names that lead to each other, are bounded.
func TestDeclaredBounds(t *testing.T) {
	var doubling, loop strings.Builder
	for i := range 60 {
		fmt.Fprintf(&doubling, "const F%dSchema = z.object({ a: F%dSchema, b: F%dSchema.optional(), c: z.union([F%dSchema, F%dSchema]) });\n", i, i+1, i+1, i+1, i+1)
		fmt.Fprintf(&loop, "const L%dSchema = L%dSchema;\n", i, (i+1)%60)
	}
	wide := "const A$inboundSchema = z.object({" + strings.Repeat("a: F0Schema,", 10) + "});"
	for name, src := range map[string]string{
		"doubling": doubling.String() + operation("const A$inboundSchema = z.array(F0Schema);"),
		"loop":     loop.String() + operation("const A$inboundSchema = z.object({ a: L0Schema, b: z.array(L1Schema) });"),
		"wide":     doubling.String() + operation(wide),
		"itself":   operation("const A$inboundSchema = z.intersection(A$inboundSchema, A$inboundSchema);"),
		"many":     doubling.String() + "const A$inboundSchema = F0Schema;" + strings.Repeat("function f() { q({method: 'GET', path: '/a/b'}); json(200, F0Schema); }\n", 500),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			list := declared([]*ir.File{contractFile(t, "a.ts", src)})
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			check(t, list)
		})
	}
}
