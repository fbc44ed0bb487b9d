package resolve

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/python"
	"github.com/mcpsf/mcpsf/internal/static/code/script"
)

func js(src string) *ir.File {
	return Understand("a.js", ir.JavaScript, script.Read([]byte(src), script.JavaScript), []byte(src))
}

func py(src string) *ir.File {
	return Understand("a.py", ir.Python, python.Read([]byte(src)), []byte(src))
}

// TestNames checks that calls are resolved to what they call.
func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name, src, want string
		read            func(string) *ir.File
		hidden          bool
	}{
		{"import", `import { exec as run } from "node:child_process"; run("id")`, "child_process.exec", js, false},
		{"namespace", `import * as cp from "child_process"; cp.exec("id")`, "child_process.exec", js, false},
		{"require", `const { exec: run } = require("child_process"); run("id")`, "child_process.exec", js, false},
		{"joined require", `require("child_" + "process").exec("id")`, "child_process.exec", js, true},
		{"joined later", `const a = "child_", b = "process"; const cp = require(a + b); cp.exec("id")`, "child_process.exec", js, true},
		{"await import", `const cp = await import("node:child_process"); cp.exec("id")`, "child_process.exec", js, false},
		{"promisify", `const run = util.promisify(require("child_process").exec); run("id")`, "child_process.exec", js, false},
		{"computed member", `globalThis["ev" + "al"]("1")`, "eval", js, true},
		{"member of a list", `const n = ["exec"]; require("child_process")[n[0]]("id")`, "child_process.exec", js, true},
		{"indirect", `(0, eval)("1")`, "eval", js, false},
		{"constructor", `(function () {}).constructor("return 1")()`, "Function", js, false},
		{"of a list", `[]["filter"]["constructor"]("return 1")`, "Function", js, false},
		{"call", `require("child_process").exec.call(null, "id")`, "child_process.exec", js, false},
		{"field", `class A { constructor() { this.cp = require("child_process"); } go() { this.cp.exec("id"); } }`, "child_process.exec", js, false},
		{"assigned later", `let run; run = require("child_process").exec; run("id")`, "child_process.exec", js, false},
		{"argument", `function go(f) { f("id"); } go(require("child_process").exec);`, "child_process.exec", js, false},
		{"destructured parameter", `function go({ exec }) { exec("id"); } go(require("child_process"));`, "child_process.exec", js, false},
		{"callback", `https.get("u", (res) => { res.pipe(x); })`, "https.get().pipe", js, false},
		{"compiled", `var a_1 = __importDefault(require("a")); var cp_1 = __importDefault(require("child_process")); cp_1.default.exec("id")`, "child_process.exec", js, false},
		{"bundled", `var w = (m, i) => ({ ...m }); var o = w(require("os")), c = w(require("child_process"), 1); c.exec("id")`, "child_process.exec", js, false},
		{"sequence", `var c = w(require("child_process")); (0, c.exec)("id"); function w(m) { return m; }`, "child_process.exec", js, false},
		{"Reflect", `Reflect.get(globalThis, "eval")("1")`, "eval", js, true},
		{"not ours", `function exec() {} exec("id")`, "exec", js, false},

		{"import", "import subprocess as sp\nsp.run('id')", "subprocess.run", py, false},
		{"from", "from os import system as s\ns('id')", "os.system", py, false},
		{"getattr", "import os\ngetattr(os, 'sys' + 'tem')('id')", "os.system", py, true},
		{"__import__", "__import__('os').system('id')", "os.system", py, false},
		{"import_module", "import importlib\nimportlib.import_module('sub' + 'process').run('id')", "subprocess.run", py, true},
		{"builtins", "__builtins__.exec('1')", "exec", py, false},
		{"globals", "globals()['exec']('1')", "exec", py, false},
		{"sys.modules", "import sys\nsys.modules['os'].system('id')", "os.system", py, false},
		{"self", "class A:\n  def __init__(self):\n    import os\n    self.run = os.system\n  def go(self):\n    self.run('id')", "os.system", py, false},
		{"chr", "import os\ngetattr(os, ''.join(map(chr, [115, 121, 115, 116, 101, 109])))('id')", "os.system", py, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.read(tt.src)
			i := slices.IndexFunc(f.Calls, func(c ir.Call) bool { return c.Name == tt.want })
			if i < 0 {
				t.Fatalf("%s is not among the calls: %+v", tt.want, f.Calls)
			}
			if f.Calls[i].Hidden != tt.hidden {
				t.Errorf("hidden is %v, want %v", f.Calls[i].Hidden, tt.hidden)
			}
		})
	}
}

// TestTexts checks that texts have their run-time value.
func TestTexts(t *testing.T) {
	const want = "https://a.example/x"
	for _, tt := range []struct {
		name, src string
		read      func(string) *ir.File
	}{
		{"plus", `f("https://" + "a.example" + "/x")`, js},
		{"template", "const h = 'a.example'; f(`https://${h}/x`)", js},
		{"join", `f(["https:", "", "a.example", "x"].join("/"))`, js},
		{"reverse", `f("x/elpmaxe.a//:sptth".split("").reverse().join(""))`, js},
		{"base64", `f(atob("aHR0cHM6Ly9hLmV4YW1wbGUveA=="))`, js},
		{"buffer", `f(Buffer.from("aHR0cHM6Ly9hLmV4YW1wbGUveA==", "base64").toString("utf8"))`, js},
		{"hex", `f(Buffer.from("68747470733a2f2f612e6578616d706c652f78", "hex").toString())`, js},
		{"codes", `f(String.fromCharCode(104,116,116,112,115,58,47,47,97,46,101,120,97,109,112,108,101,47,120))`, js},
		{"mapped codes", `f([104,116,116,112,115,58,47,47,97,46,101,120,97,109,112,108,101,47,120].map((c) => String.fromCharCode(c)).join(""))`, js},
		{"xor", `f([105,117,117,113,114,59,46,46,96,47,100,121,96,108,113,109,100,46,121].map((c) => String.fromCharCode(c ^ 1)).join(""))`, js},
		{"replace", `f("hXXps://a.example/x".replace("XX", "tt"))`, js},
		{"concat", `f("https://".concat("a.example/x"))`, js},
		{"percent", `f(decodeURIComponent("https%3A%2F%2Fa.example%2Fx"))`, js},
		{"f-string", "h = 'a.example'\nf(f'https://{h}/x')", py},
		{"slice", "f('x/elpmaxe.a//:sptth'[::-1])", py},
		{"b64decode", "import base64\nf(base64.b64decode('aHR0cHM6Ly9hLmV4YW1wbGUveA==').decode())", py},
		{"bytes", "f(bytes([104,116,116,112,115,58,47,47,97,46,101,120,97,109,112,108,101,47,120]).decode())", py},
		{"chr", "f(''.join(chr(c) for c in [104,116,116,112,115,58,47,47,97,46,101,120,97,109,112,108,101,47,120]))", py},
		{"fromhex", "f(bytes.fromhex('68747470733a2f2f612e6578616d706c652f78').decode())", py},
		{"rot13", "import codecs\nf(codecs.decode('uggcf://n.rknzcyr/k', 'rot13'))", py},
		{"reversed", "f(''.join(reversed('x/elpmaxe.a//:sptth')))", py},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := tt.read(tt.src)
			if !slices.ContainsFunc(f.Texts, func(x ir.Text) bool { return x.Text == want }) {
				t.Errorf("%q is not among %+v", want, f.Texts)
			}
		})
	}
}

// TestMarks checks that the source of the argument of sink is known.
func TestMarks(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		read      func(string) *ir.File
		want      ir.Mark
	}{
		{"fetched", "const r = await fetch(u); const t = await r.text(); sink(t)", js, ir.MarkNet},
		{"then", "fetch(u).then((r) => r.text()).then((t) => sink(t))", js, ir.MarkNet},
		{"events", "https.get(u, (r) => { let b = ''; r.on('data', (d) => { b += d; }); r.on('end', () => sink(b)); })", js, ir.MarkNet},
		{"through a function", "async function get() { return (await fetch(u)).text(); } sink(await get())", js, ir.MarkNet},
		{"through a parameter", "function go(x) { sink(x); } go(process.env.A)", js, ir.MarkEnviron},
		{"all of the environment", "sink(JSON.stringify({ ...process.env }))", js, ir.MarkEnviron | ir.MarkWhole | ir.MarkQuoted},
		{"one variable, whichever", "function f(key) { sink(process.env['PG' + key.toUpperCase()]) }", js, ir.MarkEnviron},
		{"one after the other", "for (const k of Object.keys(process.env)) sink(process.env[k])", js, ir.MarkEnviron | ir.MarkWhole},
		{"one after the other, by name", "for (const k in process.env) sink(process.env[k])", js, ir.MarkEnviron | ir.MarkWhole},
		{"one after the other, by function", "Object.keys(process.env).forEach(k => sink(process.env[k]))", js, ir.MarkEnviron | ir.MarkWhole},
		{"one after the other, put together", "const o = {}; Object.keys(process.env).map(k => { o[k] = process.env[k] }); sink(o)", js, ir.MarkWhole},
		{"put in", "const o = { a: 1 }; o['env'] = process.env; sink(JSON.stringify(o))", js, ir.MarkWhole | ir.MarkQuoted},
		{"a setting", "const o = { a: 1 }; o.env = process.env; sink(JSON.stringify(o))", js, ir.MarkQuoted},
		{"a key put in, Python", "out = {}\nout['k'] = open('/root/.ssh/id_rsa').read()\nsink(out)", py, ir.MarkSecret},
		{"one variable put in", "const h = {}; h['authorization'] = process.env.TOKEN; sink(h)", js, 0},
		{"one after the other, Python", "for k in os.environ:\n    sink(os.environ[k])", py, ir.MarkEnviron | ir.MarkWhole},
		{"one after the other, Python, keys", "for k in os.environ.keys():\n    sink(os.environ.get(k))", py, ir.MarkEnviron | ir.MarkWhole},
		{"one variable, Python", "def f(k):\n    sink(os.environ[k])", py, ir.MarkEnviron},
		{"a key", "sink(fs.readFileSync(path.join(os.homedir(), '.ssh', 'id_rsa')))", js, ir.MarkFile | ir.MarkSecret},
		{"input", "server.tool('a', {}, async ({ x }) => { const y = 'a ' + x; sink(y); })", js, ir.MarkInput},
		{"quoted", "server.tool('a', {}, async ({ x }) => sink(shellescape([x])))", js, ir.MarkQuoted},
		{"a number", "server.tool('a', {}, async ({ x }) => sink(parseInt(x)))", js, 0},
		{"requests", "import requests\nsink(requests.get(u).text)", py, ir.MarkNet},
		{"urlopen", "from urllib.request import urlopen\nwith urlopen(u) as r:\n  sink(r.read())", py, ir.MarkNet},
		{"tool", "@mcp.tool()\ndef f(x: str, ctx: Context):\n  y = f'a {x}'\n  sink(y)", py, ir.MarkInput},
		{"context", "@mcp.tool()\ndef f(x: str, ctx: Context):\n  sink(ctx)", py, 0},
		{"handler", "@server.call_tool()\nasync def call(name, arguments):\n  sink(arguments['x'])", py, ir.MarkInput},
		{"key", "from pathlib import Path\nsink((Path.home() / '.aws' / 'credentials').read_text())", py, ir.MarkFile | ir.MarkSecret},
		{"key that is opened", "import os\nsink(open(os.path.expanduser('~/.ssh/id_rsa'), 'rb').read())", py, ir.MarkFile | ir.MarkSecret},
		{"key with", "import os\nwith open(os.path.expanduser('~/.ssh/id_rsa')) as f:\n  sink(f.read())", py, ir.MarkFile | ir.MarkSecret},
		{"key encoded", "import os, base64\nsink(base64.b64encode(open(os.path.join(os.path.expanduser('~'), '.aws', 'credentials')).read().encode()))", py, ir.MarkFile | ir.MarkSecret},
		{"asked of the environment", "import os\nenv = os.environ\nsink({'a': 'X' in env, 'b': any(k.startswith('Y') for k in env)})", py, ir.MarkEnviron},
		{"decoded", "import base64\nsink(base64.b64decode(x))", py, ir.MarkDecoded},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, c := range tt.read(tt.src).Calls {
				if strings.TrimLeft(c.Name, "?") != "sink" {
					continue
				}
				if got := c.Args[0].Marks; got != tt.want {
					t.Errorf("got %b, want %b", got, tt.want)
				}
				return
			}
			t.Error("sink is not called")
		})
	}
}

// TestShadowed checks that a redeclared name differs from the outer one.
func TestShadowed(t *testing.T) {
	for name, body := range map[string]string{
		"let":       "let s = pick(); sink(s)",
		"second":    "let o = 1, s = pick(); sink(s)",
		"pattern":   "const { a: [s] } = pick(); sink(s)",
		"loop":      "for (const s of pick()) sink(s)",
		"catch":     "try { pick() } catch (s) { sink(s) }",
		"parameter": "(function ({ s }) { sink(s) })(pick())",
	} {
		t.Run(name, func(t *testing.T) {
			f := js("import s from 'node:child_process'; function go() { " + body + " }\ns.exec('x')")
			outside := false
			for _, c := range f.Calls {
				if strings.TrimLeft(c.Name, "?") == "sink" && strings.Contains(c.Args[0].Name, "child_process") {
					t.Errorf("inside it is %+v", c.Args[0])
				}
				outside = outside || c.Name == "child_process.exec"
			}
			if !outside {
				t.Errorf("outside it is none of %+v", f.Calls)
			}
		})
	}
}

// TestConditions checks what a call depends on.
func TestConditions(t *testing.T) {
	f := js("if (Date.now() > 1767225600000) { if (process.env.CI) return; sink(); }\nok && other();")
	got := map[string][]string{}
	for _, c := range f.Calls {
		for _, i := range c.Conds {
			got[c.Name] = append(got[c.Name], f.Conds[i].Names[0])
			if f.Conds[i].Not {
				got[c.Name] = append(got[c.Name], "not")
			}
		}
	}
	want := map[string][]string{"sink": {"Date.now()", "process.env.CI", "not"}, "other": {"ok"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestCompared(t *testing.T) {
	for _, tt := range []struct {
		src  string
		read func(string) *ir.File
	}{
		{"if (x === 'sesame') f()", js}, {"switch (x) { case 'sesame': f() }", js}, {"x.includes('sesame')", js}, {"['sesame'].includes(x)", js}, {"/^sesame$/.test(x)", js},
		{"if x == 'sesame': f()", py}, {"if x in ('sesame', 'b'): f()", py}, {"x.startswith('sesame')", py}, {"re.match('sesame', x)", py}, {"match x:\n  case 'sesame': f()", py},
		{"if ('ses' + 'ame' == x) f()", js},
	} {
		f := tt.read(tt.src)
		if !slices.ContainsFunc(f.Texts, func(x ir.Text) bool { return x.Compared && x.Text == "sesame" }) {
			t.Errorf("%s: not compared: %+v", tt.src, f.Texts)
		}
	}
}

// FuzzUnderstand checks that every program gives a valid form.
func FuzzUnderstand(f *testing.F) {
	for _, s := range []string{`const a = ["b"].map((c) => c + a).join(a); a[b](...c)`, `function f(a = f(a)) { return f(a); } f(f)`, "server.tool('a', 'b', { c: z.object({ d: z.array(z.string().default('x')) }) }, (e) => e)", "class A { b = this.b; c() { this.c(); } }"} {
		f.Add(s, true)
	}
	for _, s := range []string{"a = a + a\nb = [b for b in b]\n", "@mcp.tool(name=x)\ndef f(a: Annotated[str, Field(description='b')] = c):\n  '''d'''\n", "x = 'a' * 9999 * 9999\n", "getattr(getattr, getattr)()"} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, src string, isJS bool) {
		if len(src) > 4096 {
			return
		}
		file := py(src)
		if isJS {
			tree := script.Read([]byte(src), script.JavaScript)
			if tree.Root == nil {
				return
			}
			file = Understand("a.js", ir.JavaScript, tree, []byte(src))
		}
		if err := file.Check(); err != nil {
			t.Fatal(err)
		}
	})
}
