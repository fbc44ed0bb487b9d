package contract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
)

func read(src string, isPython bool) *ir.Contract {
	if isPython {
		return Read(python.Read([]byte(src)), true)
	}
	return Read(script.Read([]byte(src), script.TypeScript), false)
}

// short writes a form in a form that is easy to read.
func short(f *ir.Form) string {
	if f == nil {
		return "?"
	}
	var parts []string
	for _, of := range f.Of {
		parts = append(parts, short(of))
	}
	for _, m := range f.Members {
		parts = append(parts, m.Name+":"+short(m.Form))
	}
	out := f.Kind
	switch {
	case f.Kind == ir.FormRef:
		return "@" + f.Name
	case f.Kind == ir.FormOptional && len(parts) == 1:
		return parts[0] + "?"
	case f.Kind == "object":
		out = "{" + strings.Join(parts, " ") + "}"
	case len(parts) > 0:
		out += "(" + strings.Join(parts, " ") + ")"
	}
	if len(f.Words) > 0 {
		out += "=" + strings.Join(f.Words, "|")
	}
	for _, t := range f.Tests {
		out += t.Op + t.Value
	}
	if f.Closed {
		out += "!"
	}
	return out
}

// lines writes the operations and forms of a file.
func lines(c *ir.Contract) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, o := range c.Operations {
		line := fmt.Sprintf("%s %s %d %s", o.Method, o.URL, o.Status, short(o.Answer))
		if o.Key != "" {
			line += " ." + o.Key
		}
		out = append(out, line)
	}
	for _, name := range sorted(c.Forms) {
		out = append(out, name+" "+short(c.Forms[name]))
	}
	return out
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name   string
		python bool
		src    string
		want   []string
	}{
		{"an operation with matchers", false, `
			export const Kind = { A: "a", B: "b" } as const;
			export const Kind$inboundSchema: z.ZodNativeEnum<typeof Kind> = z.nativeEnum(Kind);
			export const Item$inboundSchema: z.ZodType<Item> = z.object({
				_id: z.string(), kind: Kind$inboundSchema, size: z.number().int().optional(),
				more: z.lazy(() => Item$inboundSchema).nullable(),
			}).transform((v) => remap$(v, {_id: "id"}));
			async function $do(client, request) {
				const parsed = safeParse(request, (value) => ops.CreateRequest$outboundSchema.parse(value));
				const path = pathToFunc("/v1/items/{itemId}")(pathParams);
				const req = client._createRequest(context, { method: "POST", path, headers });
				const [result] = await M.match(
					M.json(201, components.Item$inboundSchema, { key: "Result" }),
					M.jsonErr([400, 404], errors.E$inboundSchema), M.fail("4XX"),
				)(response, req);
			}`, []string{
			"POST /v1/items/{itemId} 201 @components.Item$inboundSchema .Result",
			"Item$inboundSchema {_id:string kind:@Kind$inboundSchema size:integer? more:nullable(@Item$inboundSchema)}",
			"Kind string=a|b", "Kind$inboundSchema @Kind",
		}},
		{"names of a bundler", false, `
			var User$inboundSchema, init = __esm(() => {
				User$inboundSchema = objectType({ at: stringType().datetime(), tags: arrayType(stringType()), kind: literalType("user") }).strict();
			});
			async function $do7(client) {
				const path = pathToFunc2("/users")();
				client._createRequest(context, { method: "GET", path });
				return match(nil(204, voidType()), fail("4XX"))(response);
			}`, []string{
			"GET /users 204 ?",
			"User$inboundSchema {at:stringformatdate-time tags:array(string) kind:string=user}!",
		}},
		{"zod 4 by its functions", false, `
			const User = object2({ id: uuid2(), role: _enum2(["a", "b"]), of: record(string2(), number2().min(3)), one: union([string2(), number2()]), x: optional(string2()) });`, []string{
			"User {id:stringformatuuid role:string=a|b of:record(number>=3) one:union(string number) x:string?}",
		}},
		{"made of others", false, `
			const Base = z.object({ id: z.string(), secret: z.string() });
			const A = Base.omit({ secret: true }).extend({ n: z.number() });
			const BSchema = z.object({ ...Base.shape, b: z.coerce.date() }).partial();
			const C = z.discriminatedUnion("type", [z.object({ type: z.literal("x") }), BSchema]);`, []string{
			"A all({n:number} omit(@Base)=secret)", "BSchema partial(all({b:stringformatdate} @Base))",
			"Base {id:string secret:string}", "C union({type:string=x} @BSchema)",
		}},
		{"a table of routes", false, `
			const api = makeApi([{ method: "get", path: "/users/:id", alias: "getUser", response: UserSchema }]);
			const other = contract.router({ list: { method: "GET", path: "/posts", responses: { 200: z.array(Post), 404: Nothing } } });
			export const call = (o) => client.get({ url: "/pets/{id}", responseValidator: async (data) => await zPet.parseAsync(data) });`, []string{
			"GET /users/{} 0 @UserSchema", "GET /posts 200 array(@Post)", "GET /pets/{id} 0 @zPet",
		}},
		{"serializers", false, `
			export const User = core.serialization.object({ userName: core.serialization.property("user_name", core.serialization.string()), all: core.serialization.list(Item).optional() });
			class Client { async get(id) {
				const _response = await core.fetcher({ url: urlJoin(await core.Supplier.get(this._options.environment), ` + "`v1/users/${encodeURIComponent(id)}`" + `), method: "GET", contentType: "application/json" });
				if (_response.ok) { return serializers.User.parseOrThrow(_response.body, { unrecognizedObjectKeys: "passthrough" }); }
				throw new Error(serializers.Bad.parseOrThrow(_response.error.body));
			} }`, []string{
			"GET v1/users/{} 0 @serializers.User", "User {user_name:string all:array(@Item)?}",
		}},
		{"checked by hand", false, `
			const ListSchema = v.object({ items: v.array(v.string()), n: v.pipe(v.number(), v.minValue(2)) });
			async function list(q) {
				const response = await fetch(` + "`https://api.example/v2/list?q=${q}`" + `, { method: "GET" });
				return v.parse(ListSchema, await response.json());
			}`, []string{
			"GET https://api.example/v2/list?q={} 0 @ListSchema", "ListSchema {items:array(string) n:number>=2}",
		}},
		{"a generated client of Python", true, `
class Kind(str, Enum):
    A = "a"
    B = "b"

class User(BaseModel):
    id: StrictInt
    user_name: StrictStr = Field(alias="userName", description="x")
    kind: Kind
    at: Optional[datetime] = None
    other: Annotated[Optional[List["User"]], pydantic.Field(alias="others")]
    n: int = Field(default=3, ge=1)

class Api:
    def get_user(self, user_id):
        _param = self._get_user_serialize(user_id=user_id)
        _response_types_map: Dict[str, Optional[str]] = {'200': "List[User]", '404': None}
        return self.api_client.response_deserialize(response_data=response_data, response_types_map=_response_types_map).data

    def _get_user_serialize(self, user_id):
        return self.api_client.param_serialize(method='GET', resource_path='/users/{userId}', path_params=_path_params)
`, []string{
			"GET /users/{userId} 200 array(@User)", "Kind string=a|b",
			"User {id:integer userName:string kind:@Kind at:nullable(stringformatdate-time)? others:nullable(array(@User)) n:integer>=1?}",
		}},
		{"matched in Python", true, `
class Sdk:
    def create(self, *, name: str) -> models.Item:
        req = self._build_request(method="POST", path="/v1/items", base_url=base_url)
        http_res = self.do_request(request=req, error_status_codes=["4XX", "5XX"])
        if utils.match_response(http_res, "201", "application/json"):
            return unmarshal_json_response(models.Item, http_res)
        if utils.match_response(http_res, "4XX", "*"):
            raise models.APIError("x", http_res)
`, []string{"POST /v1/items 201 @models.Item"}},
		{"checked in Python", true, `
@dataclass
class Page:
    items: list[dict[str, int]]
    next: str | None

async def pages(client):
    response = await client.get("/v1/pages")
    return Page.from_dict(response.json())
`, []string{"GET /v1/pages 0 @Page", "Page {items:array(record(integer)) next:nullable(string)}"}},
		{"an input is no answer", false, `
			app.post("/v1/x", async (req, res) => { const input = InputSchema.parse(req.body); });
			const Plain = { a: 1, b: f() };`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := lines(read(tt.src, tt.python))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What a source can make large is bounded, and the time grows with its size only.
func TestBounds(t *testing.T) {
	for name, src := range map[string]string{
		"many forms":  strings.Repeat("x = z.object({a: z.string(), b: z.array(z.number())});\n", 15_000),
		"a chain":     "const a = z.object({x: z.string()})" + strings.Repeat(".optional()", 20_000) + ";",
		"deep":        "const a = " + strings.Repeat("z.array(", 800) + "z.string()" + strings.Repeat(")", 800) + ";",
		"operations":  strings.Repeat("function f() { q({method: 'GET', path: '/a/b'}); json(200, z.object({})); }\n", 5_000),
		"many words":  "const a = z.enum([" + strings.Repeat("'a',", 100_000) + "]);",
		"one union":   "const a = z.union([" + strings.Repeat("z.object({a: z.union([z.string(), z.number()])}),", 20_000) + "]);",
		"enumeration": strings.Repeat("E['a'] = 'b';\n", 50_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			c := read(src, false)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
			if c == nil {
				return
			}
			left := 4 * maxForms
			var walk func(f *ir.Form, depth int)
			walk = func(f *ir.Form, depth int) {
				if left--; f == nil || left < 0 || depth > 4*maxForm {
					return
				}
				if len(f.Words) > maxMembers || len(f.Members) > maxMembers || len(f.Of) > maxMembers+1 || len(f.Tests) > maxWords {
					t.Errorf("%d words, %d members, %d parts, %d tests", len(f.Words), len(f.Members), len(f.Of), len(f.Tests))
				}
				for _, of := range slices.Concat(f.Of) {
					walk(of, depth+1)
				}
				for _, m := range f.Members {
					walk(m.Form, depth+1)
				}
			}
			for _, f := range c.Forms {
				walk(f, 0)
			}
			if len(c.Operations) > maxOperations || left < 0 {
				t.Errorf("%d operations, %d left", len(c.Operations), left)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	f.Add("const a = z.object({b: z.lazy(() => a)}); function f() { q({method: 'GET', path: '/a'}); json(200, a); }", false)
	f.Add("class A(BaseModel):\n    b: Optional['A'] = None\n", true)
	f.Fuzz(func(t *testing.T, src string, isPython bool) {
		if len(src) < 1<<16 {
			read(src, isPython)
		}
	})
}
