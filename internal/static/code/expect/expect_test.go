package expect

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/flow"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
)

// answers reads a source in this process.
func answers(t testing.TB, src string, isPython bool) []mcpsf.ExpectedAnswer {
	t.Helper()
	f := &ir.File{Path: "a.js", Language: ir.JavaScript, Funcs: []ir.Func{{In: -1, Handler: -1}}}
	if isPython {
		f.Path, f.Language = "a.py", ir.Python
		f.Flow = flow.Read(python.Read([]byte(src)), true)
	} else {
		f.Flow = flow.Read(script.Read([]byte(src), script.JavaScript), false)
	}
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	read, err := ir.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return Answers([]*ir.File{read}, nil)
}

// check finds what must not be in a result.
func check(t testing.TB, list []mcpsf.ExpectedAnswer) {
	t.Helper()
	if len(list) > 4*maxAnswers { // those of JSON, those of other formats, replies, and declared ones
		t.Errorf("%d answers", len(list))
	}
	name := regexp.MustCompile(`^[\w$.-]{1,64}$`)
	members := 0
	var walk func(s *mcpsf.Shape, depth int)
	walk = func(s *mcpsf.Shape, depth int) {
		if s == nil {
			return
		}
		if depth > max(maxCost, (maxLevel+1)*memberCost) {
			t.Errorf("deeper than %d", maxLevel)
			return
		}
		for _, w := range s.Accepted {
			if !harmless(w) {
				t.Errorf("accepts %q", w)
			}
		}
		for n, m := range s.Members {
			if members++; !name.MatchString(n) {
				t.Errorf("a member %q", n)
			}
			walk(m, depth+memberCost)
		}
		walk(s.Element, depth+1)
	}
	for _, a := range list {
		if a.Shape == nil && a.Status == 0 && a.Headers == nil {
			t.Errorf("%s%s has no shape", a.Host, a.Path)
		}
		walk(a.Shape, 0)
		for n, s := range a.Headers {
			if !headerName.MatchString(n) {
				t.Errorf("a header %q", n)
			}
			walk(s, 0)
		}
	}
	if members > 2*maxMembers {
		t.Errorf("%d members", members)
	}
}

func FuzzAnswers(f *testing.F) {
	for _, s := range []string{
		"const r = await fetch(`https://a.example/${x}/y`); const d = await r.json(); if (d.status !== 'OK') throw 1; d.items.map(i => i.name.trim());",
		"class A { b = 'https://a.example'; async r(p) { return (await fetch(this.b + p)).json() } async u() { return (await this.r('/u')).x.y.z.length } }",
		"const S = z.object({a: z.array(z.lazy(() => S)), b: z.union([z.literal('x'), z.number()])}).extend({c: S.shape}); S.parse(await r.json())",
		"import {a} from './a.js'; export const f = (g) => g(f(g)); a(f).then(f).data.map(f)",
		"let a; a = a.b = a.c = a; a.json().a[0].b = a; a.json().forEach(a => a.json())",
		"const L = new Set(['a', 'b']); const d = await r.json(); if (!L.has(d.x) || d.y.length < 3 || !/^a+$/.test(d.z)) throw new Error(`x`)",
		"const v = ajv.compile({type: 'object', properties: {a: {type: 'array', items: {enum: ['x', '--y']}, minItems: 3}}}); const d = await (await fetch('https://a.example/b', {method: 'DELETE'})).json(); if (!v(d)) throw 1; const k = !(d.a == null); if (k) throw 1",
		"switch (x.y) { case 'a': case 'b': } for (const [k, {v = 1}] of Object.entries(JSON.parse(t))) v.w()",
	} {
		f.Add(s, false)
	}
	for _, s := range []string{
		"import httpx\nasync def f(p):\n    async with httpx.AsyncClient(base_url='https://a.example') as c:\n        return (await c.get(p)).json()\nasync def g():\n    d = await f('/x')\n    return [i['a'].strip() for i in d.get('b', [])]\n",
		"class M(BaseModel):\n    a: Optional[list['M']]\n    b: Literal['x', '--y']\nM(**requests.get('http://b.example/c').json())\n",
		"import xml.etree.ElementTree as ET\nd = ET.fromstring(requests.get('https://a.example/b').text)\nfor e in d.findall('{http://www.w3.org/2005/Atom}a/b', d): e.find('c').text.strip()\n",
		"d = requests.delete('https://a.example/b').json()\nwhile d['a'] not in ('x', 'y') and not d['b']: pass\nassert d['c'] >= 2 and re.match(r'^[a-z]{3}$', d['e'])\n",
		"x = json.loads(x)\nx['a'] = x\nfor x in x['a']: x = x['b']\n",
	} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, src string, isPython bool) {
		if len(src) > 8<<10 {
			return
		}
		first := answers(t, src, isPython)
		check(t, first)
		if d := cmp.Diff(first, answers(t, src, isPython)); d != "" {
			t.Errorf("another result the second time: %s", d)
		}
	})
}

// TestHostile reads sources that are made to take long or to fill the result.
func TestHostile(t *testing.T) {
	many := func(n int, f func(i string) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(strings.Repeat("i", i%50) + string(rune('a'+i%26)) + strings.Repeat("k", i/26%60)))
		}
		return b.String()
	}
	calls := many(2000, func(i string) string {
		return "function f" + i + "(x) { return f" + i + "a(g(x)).y + fetch(x + '/" + i + "') }\n"
	})
	doubling := func(n int) string {
		var b strings.Builder
		b.WriteString("const f0 = (x) => x.a.b;\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "const f%d = (x) => ({ l: f%d(x.a), r: f%d(x.b), m: fetch(x.u) });\n", i, i-1, i-1)
		}
		fmt.Fprintf(&b, "f%d(await (await fetch('https://a.example/b')).json())", n-1)
		return b.String()
	}
	named := func(n int) string {
		var b strings.Builder
		b.WriteString("const d = await (await fetch('https://a.example/b')).json(); const c0 = d.a === 1;\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, "const c%d = !(c%d && c%d);\n", i, i-1, i-1)
		}
		fmt.Fprintf(&b, "if (c%d) throw 1;", n-1)
		return b.String()
	}
	for name, src := range map[string]string{
		"many members": "const d = await (await fetch('https://a.example/b')).json();" + many(20_000, func(i string) string { return "d.m" + i + ".n.trim();" }),
		"many answers": many(5_000, func(i string) string {
			return "(await (await fetch('https://a.example/" + i + "')).json()).x.map(y => y.z);"
		}),
		"a deep chain":             "(await (await fetch('https://a.example/b')).json())" + strings.Repeat(".a", 900) + ".trim()",
		"functions":                calls,
		"doubling":                 doubling(60),
		"a long switch":            "switch (" + strings.Repeat("a+", 5_000) + "x.json().y) {" + many(3_000, func(i string) string { return "case '" + i + "': break;" }) + "}",
		"nested typeof":            strings.Repeat("typeof (", 400) + "x" + strings.Repeat(") == 's'", 400),
		"texts of texts":           "let t0 = `/${x}`;" + strings.Repeat("t0 = `${t0}${t0}${t0}${t0}`;", 2_000) + "fetch(t0).then(r => r.json()).then(d => d.a.b)",
		"conditions of conditions": "const d = await (await fetch('https://a.example/b')).json(); let c0 = d.a === 1;" + many(2_000, func(i string) string { return "c0 = !(c0 && c0 || !c0);" }) + "if (!c0) throw 1;",
		"named conditions":         named(60),
		"comparisons":              "const d = await (await fetch('https://a.example/b')).json();" + many(5_000, func(i string) string { return "if (d.x !== '" + i + "' || d.x < 5 || L.includes(d.x)) throw 1;" }),
		"expressions of texts": "const d = await (await fetch('https://a.example/b')).json(); if (!/((a{30}){30}|(b+)+){1}$/.test(d.x) || !/" + strings.Repeat("(", 50) + "a" + strings.Repeat(")*", 50) + "/.test(d.y)) throw 1;" +
			many(2_000, func(i string) string { return "if (!d.m" + i + ".startsWith('" + i + "')) throw 1;" }),
		"branches of branches": "const d = await (await fetch('https://a.example/b')).json();" + strings.Repeat("if (d.a === 1) { return 2 } else ", 900) + "throw 1;" + strings.Repeat("if (d.b !== 1) {", 300) + strings.Repeat("}", 300),
		"schemas of schemas":   "const validate = ajv.compile(" + strings.Repeat("{type: 'object', properties: {a: ", 300) + "{type: 'string'}" + strings.Repeat("}}", 300) + "); validate(await r.json())",
		"models of models":     "const m = z.object({a: z.string()});" + strings.Repeat("m = z.object({a: m, b: m.extend({c: m})});", 1_000) + "m.parse(await r.json())",
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			check(t, answers(t, src, false))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func TestHarmless(t *testing.T) {
	for word, want := range map[string]bool{
		"OK": true, "ZERO_RESULTS": true, "in progress": true, "v1.2": true, "200": true,
		"": false, "a/b": false, "C:": false, "evil.example": false, "--force": false, "-x": false, "~": false, "a@b": false, "localhost": false, "192.0.2.1": false,
		"..": false, "a\nb": false, "failed": false, strings.Repeat("x", 61): false, "$(id)": false, "`id`": false,
	} {
		if harmless(word) != want {
			t.Errorf("%q: %t", word, !want)
		}
	}
}

// A set is often made with nothing in it.
func TestNoArguments(t *testing.T) {
	const src = "import httpx\nseen = set()\nr = httpx.get('https://a.example/x').json()\nseen.add(r['id'])\nprint(r['name'])\n"
	if got := answers(t, src, true); len(got) != 1 {
		t.Errorf("%d answers", len(got))
	}
}

func TestSplit(t *testing.T) {
	const hole = ir.Hole
	for url, want := range map[string][2]string{
		"https://A.example:8443/b/" + hole + "?q=" + hole: {"a.example", "/b/{}"},
		hole + "/v1/x": {"", "/v1/x"}, "https://" + hole + ".a.example/w": {"", "/w"}, "https://a.example" + hole: {"a.example", ""}, hole: {"", ""},
		"https://a.example/" + hole: {"a.example", ""}, "http://localhost/x": {"", "/x"}, "/x//y-" + hole + "/z": {"", "/x/{}/z"}, "application/json": {"", ""},
	} {
		host, path := split(url)
		if d := cmp.Diff(want, [2]string{host, path}); d != "" {
			t.Errorf("%q: %s", url, d)
		}
	}
}
