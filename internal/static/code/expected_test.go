package code_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

// expected reads files and returns what they expect, one line for each answer.
func expected(t testing.TB, files map[string]string) []string {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var got []mcpsf.ExpectedAnswer
	_, err := code.Read(t.Context(), fsys, &code.Options{
		Self: self(t, "read-source"), FileTime: time.Minute, Expected: func(a []mcpsf.ExpectedAnswer) { got = a },
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range got {
		out = append(out, strings.TrimSpace(a.Host+a.Path+" "+short(t, a.Shape)))
	}
	return out
}

// short writes a shape in a form that is easy to read.
func short(t testing.TB, s *mcpsf.Shape) string {
	t.Helper()
	switch {
	case s == nil:
		return "?"
	case s.Absent:
		return "absent"
	case len(s.Members) > 0:
		members := map[string]string{}
		for name, m := range s.Members {
			members[name] = short(t, m)
		}
		text, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		return strings.NewReplacer(`"`, "", `\`, "").Replace(string(text))
	case s.Type == "array" && s.Element != nil:
		return "[" + short(t, s.Element) + "]"
	case s.Type == "array":
		return "[]"
	}
	out := s.Type
	if out == "" {
		out = "?"
	}
	if len(s.Accepted) > 0 {
		out += "=" + strings.Join(s.Accepted, "|")
	}
	return out
}

func TestExpectedAnswers(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a status that is compared", map[string]string{"index.js": `
			async function geocode(address) {
				const url = new URL("https://maps.example/api/geocode/json");
				url.searchParams.append("address", address);
				const response = await fetch(url.toString());
				const data = await response.json();
				if (data.status !== "OK") {
					return { isError: true, text: data.error_message || data.status };
				}
				return data.results.map((r) => ({ a: r.formatted_address.trim(), lat: r.geometry.location.lat.toFixed(2) }));
			}`},
			[]string{"maps.example/api/geocode/json {results:[{formatted_address:string,geometry:{location:{lat:number}}}],status:string=OK}"}},
		{"a service with a method for all requests", map[string]string{"service.js": `
			export class Figma {
				baseUrl = "https://api.figma.example/v1";
				async request(endpoint) {
					const response = await fetch(` + "`${this.baseUrl}${endpoint}`" + `, { headers: {} });
					if (!response.ok) throw new HttpError(response.status, await response.text());
					return await response.json();
				}
				async file(key) { return await this.request(` + "`/files/${key}?depth=1`" + `); }
				async images(key) { const { images } = await this.request(` + "`/images/${key}`" + `); return images.length; }
			}`, "tool.js": `
			import { Figma } from "./service.js";
			export async function outline(key) {
				const response = await new Figma().file(key);
				return walk(response.document.children, response.name);
			}
			function walk(children, name) {
				return name.toLowerCase() + children.filter((c) => c.visible === true).map((c) => c.type === "TEXT" ? c.characters.split(" ") : "");
			}`},
			[]string{
				"api.figma.example/v1/images/{} {images:[]}",
				"api.figma.example/v1/files/{} {document:{children:[{characters:string,type:string=TEXT,visible:boolean}]},name:string}",
			}},
		{"a client with an address", map[string]string{"index.js": `
			import axios from "axios";
			class Search {
				urls = { search: "https://api.search.example/search" };
				constructor() { this.http = axios.create({ headers: {} }); }
				async search(q) {
					const response = await this.http.post(this.urls.search, { q });
					return response.data;
				}
			}
			const client = axios.create({ baseURL: "https://api.other.example/v2/" });
			export const user = (id) => client.get("/users/" + id).then(({ data }) => data.login.trim());
			new Search().search("x").then((response) => {
				response.results.forEach((r) => console.log("Title: " + r.title, r.score * 2));
			});`},
			[]string{
				"api.search.example/search {results:[{score:number,title:string}]}",
				"api.other.example/v2/users/{} {login:string}",
			}},
		{"schemas of answers and of inputs", map[string]string{"types.js": `
			import { z } from "zod";
			const Base = z.object({ id: z.string(), level: z.enum(["read", "edit"]), tags: z.array(z.string()).optional() });
			export const ListBases = z.object({ bases: z.array(Base), offset: z.string().optional() });
			export const CreateInput = z.object({ secret: z.string() });
			export const Webhook = z.object({ kind: z.literal("push"), count: z.number().int() });`,
			"index.js": `
			import { z } from "zod";
			import { ListBases, CreateInput } from "./types.js";
			async function api(path, schema, base = "https://api.table.example") {
				const res = await fetch(base + path);
				const text = await res.text();
				if (!res.ok) { ErrorBody.parse(JSON.parse(text)); throw new Error(text); }
				return schema.parse(JSON.parse(text));
			}
			const ErrorBody = z.object({ reason: z.string() });
			export const bases = () => api("/v0/meta/bases", ListBases);
			server.tool("create", CreateInput.shape, async (args) => (await api(` + "`/v0/${args.base}/records`" + `, z.object({ records: z.array(z.object({ id: z.string() })) }))).records);`},
			[]string{
				"api.table.example/v0/{}/records {reason:string,records:[{id:string}]}",
				"api.table.example/v0/meta/bases {bases:[{id:string,level:string=read|edit,tags:[string]}],reason:string}",
				"{count:number,kind:string=push}",
			}},
		{"a bundle in one line", map[string]string{"index.js": `async function a(e){let t=await fetch("https://w.example/v1/now?q="+e);if(!t.ok)throw Error(t.status);return t.json()}var b=async e=>{let{current:t,hourly:n}=await a(e);return n.time.slice(0,5).map((r,o)=>r.split("T")[1]+t.wind*2)};export{b as c};`},
			[]string{"w.example/v1/now {current:{wind:number},hourly:{time:[string]}}"}},
		{"callbacks", map[string]string{"index.js": `
			const https = require("https");
			https.get("https://old.example/list.json", (res) => {
				let data = "";
				res.on("data", (chunk) => { data += chunk; });
				res.on("end", () => { for (const x of JSON.parse(data).items) console.log(x.name.trim()); });
			});
			retry(() => fetch("https://old.example/again")).then((r) => r.json()).then((d) => d.list.join(","));
			async function retry(run) { return await run(); }`},
			[]string{"old.example/list.json {items:[{name:string}]}", "old.example/again {list:[]}"}},
		{"a library whose requests are not known", map[string]string{"index.js": `
			import { Octokit } from "@octokit/rest";
			const octokit = new Octokit();
			export async function list() {
				const { data } = await octokit.rest.issues.listForRepo({ owner: "a" });
				return data.map((i) => i.labels.map((l) => l.name.trim()));
			}`},
			[]string{"[{labels:[{name:string}]}]"}},
		{"what is no answer", map[string]string{"index.js": `
			import { readFileSync } from "fs";
			const config = JSON.parse(readFileSync("config.json", "utf8"));
			config.servers.map((s) => s.url.trim());
			server.setRequestHandler(CallToolRequestSchema, async (request) => { const { name, arguments: args } = request.params; return args.items.map((i) => i.id); });
			const args = process.argv.slice(2).map((a) => a.split("="));`}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, expected(t, tt.files)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestExpectedAnswersPython(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"models", map[string]string{"server.py": `
import httpx
from pydantic import BaseModel, Field
from typing import Literal, Optional
from .models import Page

class Item(BaseModel):
    title: str
    score: Optional[float] = None
    kind: Literal["a", "b"]
    made: str = Field(alias="createdAt")

BASE = "https://api.items.example"

async def fetch(path: str):
    async with httpx.AsyncClient() as client:
        response = await client.get(f"{BASE}{path}", params={"q": 1})
        response.raise_for_status()
        return response.json()

@mcp.tool()
async def items(query: str) -> str:
    data = await fetch("/v1/items")
    return "\n".join(i.title for i in [Item(**x) for x in data["items"]])

@mcp.tool()
async def page(slug: str) -> str:
    return Page.model_validate(await fetch(f"/v1/pages/{slug}")).text
`, "models.py": "from pydantic import BaseModel\nclass Page(BaseModel):\n    text: str\n    links: list[str]\nclass ToolInput(BaseModel):\n    query: str\n"},
			[]string{
				"api.items.example/v1/pages/{} {links:[string],text:string}",
				"api.items.example/v1/items {items:[{createdAt:string,kind:string=a|b,score:number,title:string}]}",
			}},
		{"dictionaries", map[string]string{"server.py": `
import requests
class Wiki:
    def __init__(self, language="en"):
        self.url = f"https://{language}.wiki.example/w/api.php"
    def call(self, params):
        r = requests.get(self.url, params=params)
        data = r.json()
        if "error" in data:
            raise ValueError(data["error"])
        if data.get("blocked"):
            raise ValueError("blocked")
        return data, None
    def search(self, q):
        data, problem = self.call({"srsearch": q})
        found = (data or {}).get("query", {}).get("search", [])
        return [{"t": x.get("title", ""), "n": x.get("size", 0), "s": x["snippet"].replace("<", "")} for x in found if x.get("ns") == 0]
`},
			[]string{"/w/api.php {blocked:absent,error:absent,query:{search:[{ns:number=0,size:number,snippet:string,title:string}]}}"}},
		{"the standard library", map[string]string{"server.py": `
import json
import urllib.request
from urllib.parse import urljoin
def rates(base):
    req = urllib.request.Request(urljoin("https://rates.example", "/latest"), headers={})
    with urllib.request.urlopen(req) as r:
        data = json.loads(r.read().decode("utf-8"))
    if data["result"] != "success":
        raise RuntimeError("no rates")
    for entry in sorted(data["rates"], key=lambda e: e["value"] * 2):
        print(entry["code"].upper())
`},
			[]string{"rates.example/latest {rates:[{code:string,value:number}],result:string=success}"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, expected(t, tt.files)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Documents in the package describe answers, too.
func TestDescribedAnswers(t *testing.T) {
	got := expected(t, map[string]string{
		"package.json": `{"openapi": "no", "paths": {}}`,
		"api/openapi.yaml": "openapi: 3.0.0\nservers: [{url: 'https://api.pets.example/v1'}]\npaths:\n  /pets/{id}:\n    get:\n      responses:\n        '200':\n          content:\n" +
			"            application/json:\n              schema: {$ref: '#/components/schemas/Pet'}\n        '404': {description: none}\n" +
			"components:\n  schemas:\n    Pet:\n      type: object\n      properties:\n        name: {type: string}\n        age: {type: integer}\n        state: {type: string, enum: [sold, /etc/passwd]}\n        friends: {type: array, items: {type: string}}\n",
		"schema.graphql": "type Query {\n  user(id: ID!): User!\n}\ntype User {\n  name: String!\n  posts: [Post!]!\n  role: Role\n}\ntype Post { likes: Int }\nenum Role { ADMIN GUEST }\n",
		"types.d.ts":     "export interface Options { key: string }\n/** An answer. */\nexport interface ListResponse {\n  items: Item[];\n  total?: number;\n}\ninterface Item { id: string; kind: 'a' | 'b'; sub: { flag: boolean } }\n",
	})
	want := []string{
		"api.pets.example/v1/pets/{} {age:number,friends:[string],name:string,state:string=sold}",
		"/graphql {data:{user:{name:string,posts:[{likes:number}],role:string=ADMIN|GUEST}}}",
		"{items:[{id:string,kind:string=a|b,sub:{flag:boolean}}],total:number}",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
