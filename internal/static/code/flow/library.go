package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// library follows a call of something outside of the package that is known;
// false if it is not.
func (b *libraries) library(path string, on val, args []*syntax.Node) (val, bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "node:"), "globalThis.")
	if v, ok := b.request(path, on, args); ok {
		return v, true
	}
	if v, ok := b.document(path, args); ok {
		return v, true
	}
	if v, ok := b.models.checkedBy(path, args); ok {
		return v, true
	}
	if path == "TextContent" || strings.HasSuffix(path, ".TextContent") {
		b.contents(args)
		return val{}, true
	}
	switch path {
	case "require", "import":
		return b.modules.required(args)
	case "JSON.parse", "json.loads", "json.load", "orjson.loads", "ujson.loads", "simplejson.loads":
		return b.parsed(args), true
	case "Set", "frozenset", "Object.freeze":
		if v := b.first(args); v.words != nil || path == "Object.freeze" {
			return v, true
		}
		return val{}, true
	case "re.compile", "RegExp":
		if len(args) > 0 {
			return b.compiled(args[0]), true
		}
	case "TypeAdapter", "pydantic.TypeAdapter":
		if len(args) > 0 {
			node := b.fresh()
			b.same(b.member(node, Schema), b.models.annotation(args[0], 0))
			return val{node: node}, true
		}
	case "__awaiter", "tslib.__awaiter":
		return b.awaiter(args), true
	}
	return b.passing(path, args)
}

// first follows all arguments, and returns the first.
func (b *libraries) first(args []*syntax.Node) val {
	if len(args) == 0 {
		return val{}
	}
	v := val{}
	if args[0].Is(syntax.Func) || args[0].Is(syntax.Keyword) {
		v.node = b.calls.argument(args[0])
	} else {
		v = b.expr(args[0])
	}
	b.calls.arguments(args[1:])
	return v
}

// passing follows the functions that return what they are given, or parts of it.
func (b *libraries) passing(path string, args []*syntax.Node) (val, bool) {
	switch path {
	case "Promise.all", "Promise.allSettled", "Promise.resolve", "Promise.race", "Array.from", "structuredClone", "list", "tuple", "reversed", "iter", "asyncio.run", "asyncio.wait_for", "asyncio.shield", "asyncio.create_task", "typing.cast", "cast":
		if strings.HasSuffix(path, "cast") && len(args) > 1 {
			args = args[1:]
		}
		return b.first(args), true
	case "asyncio.gather":
		return b.list(&syntax.Node{Kind: syntax.List, Kids: args}), true
	case "asyncio.to_thread":
		if len(args) > 0 {
			return b.calls.plainCall(args[0], args[1:]), true
		}
	case "sorted":
		return b.sorted(args), true
	case "enumerate":
		out := b.fresh()
		v := b.first(args)
		b.use(v.node, ir.UseArray)
		b.same(b.member(b.member(out, Element), place(1)), b.read(v.node, Element))
		return val{node: out}, true
	case "map", "filter":
		if b.python && len(args) == 2 {
			return b.calls.each(b.expr(args[1]), path, args[:1]), true
		}
	case "next":
		return val{node: b.member(b.first(args).node, Element)}, true
	case "URL", "url.URL", "str", "String", "Request", "urllib.request.Request", "yarl.URL", "httpx.URL", "encodeURI":
		return b.address(args), true
	case "urllib.parse.urljoin", "urljoin":
		if len(args) == 2 {
			return val{text: append(b.textNode(args[0]), b.textNode(args[1])...)}, true
		}
	}
	return b.typing(path, args)
}

// compiled follows a text that is read as a regular expression.
func (b *libraries) compiled(text *syntax.Node) val {
	v := b.expr(text)
	if v.pattern == "" && len(v.text) == 1 {
		v.pattern = v.text[0].Text
	}
	return val{pattern: v.pattern}
}

// typing reads types from the functions that a value is passed to.
func (b *libraries) typing(path string, args []*syntax.Node) (val, bool) {
	var use ir.Uses
	switch path {
	case "Array.isArray", "sum", "max", "min", "zip", "any", "all", "set":
		use = ir.UseArray
	case "len":
		use = ir.UseSized
	case "Object.keys", "Object.values", "Object.entries", "dict":
		use = ir.UseObject
	case "Date", "Date.parse", "Buffer.from", "atob", "base64.b64decode", "datetime.fromisoformat", "datetime.datetime.fromisoformat", "dateutil.parser.parse", "decodeURIComponent", "html.unescape", "re.sub":
		use = ir.UseString
	case "Number", "parseFloat", "parseInt", "int", "float", "round", "abs", "isNaN", "isFinite", "Number.isFinite", "Number.isInteger", "Number.isSafeInteger", "math.isfinite", "math.isnan", "math.floor", "math.ceil", "datetime.fromtimestamp", "datetime.datetime.fromtimestamp":
		use = ir.UseNumber
	case "isinstance":
		if len(args) == 2 {
			b.instance(args)
			return val{}, true
		}
	default:
		if !strings.HasPrefix(path, "Math.") {
			return val{}, false
		}
		use = ir.UseNumber
	}
	var node int
	for _, a := range args {
		node = b.calls.argument(a)
		if path == "Date" || path == "Date.parse" || strings.Contains(path, "fromisoformat") {
			b.test(node, ir.FlowTest{Op: "format", Value: "date-time"})
		}
		if path != "re.sub" || a == args[len(args)-1] {
			b.use(node, use)
		}
	}
	if use == ir.UseObject && path != "dict" {
		b.use(node, ir.UseKeys)
	}
	switch {
	case use == ir.UseNumber && len(args) == 1 && (path == "Number" || path == "float" || path == "int" || path == "parseFloat"):
		return val{node: node}, true
	case path == "len" && len(args) == 1:
		return val{sized: node}, true
	case path == "set" && len(args) > 0:
		if v := b.expr(args[0]); v.words != nil {
			return v, true
		}
	}
	if len(args) == 1 {
		if words := b.wordsOf(path, args[0]); words != nil {
			return val{words: words}, true
		}
	}
	if path == "Object.keys" {
		return val{keyed: node}, true
	}
	if path == "Object.values" || path == "Object.entries" || path == "dict" {
		return b.valuesOf(node, path), true
	}
	return val{}, true
}

// wordsOf returns the names or the values of an object of constants, nil if it is none.
func (b *libraries) wordsOf(path string, object *syntax.Node) []string {
	switch path {
	case "Object.values":
		return b.expr(object).values
	case "Object.keys":
		if v := b.expr(object); len(v.names) > 0 {
			return v.names
		}
	}
	return nil
}

// valuesOf follows what an object has, whatever the names.
func (b *libraries) valuesOf(node int, path string) val {
	if path == "dict" {
		return val{node: node}
	}
	out := b.fresh()
	value := b.member(out, Element)
	if path == "Object.entries" {
		value = b.member(value, place(1))
	}
	b.same(value, b.member(node, Computed))
	return val{node: out}
}

// awaiter follows what TypeScript makes of an async function.
func (b *libraries) awaiter(args []*syntax.Node) val {
	if len(args) == 0 || !args[len(args)-1].Is(syntax.Func) {
		return val{}
	}
	awaits := b.awaits
	b.awaits = true
	result := b.inline(args[len(args)-1])
	b.awaits = awaits
	return val{node: result}
}

func (b *libraries) instance(args []*syntax.Node) {
	node := b.calls.argument(args[0])
	types := []*syntax.Node{args[1]}
	if args[1].Is(syntax.List) {
		types = args[1].Kids
	}
	if len(types) == 1 && types[0].Is(syntax.Name) && !b.leaves {
		b.ops.typed(node, types[0].Text)
	}
}

func (b *libraries) sorted(args []*syntax.Node) val {
	if len(args) == 0 {
		return val{}
	}
	v := b.expr(args[0])
	b.use(v.node, ir.UseArray)
	b.calls.keyed(args[1:], b.read(v.node, Element))
	return v
}

// parsed follows a text that is read as JSON.
func (b *libraries) parsed(args []*syntax.Node) val {
	if len(args) == 0 {
		return val{}
	}
	v := b.expr(args[0])
	b.calls.arguments(args[1:])
	node := v.node
	if node == 0 {
		if len(v.text) > 0 && v.text[0].Node != 0 && len(v.text) == 1 { // JSON.parse(text.trim())
			node = v.text[0].Node
		} else {
			node = b.fresh()
		}
	}
	out := b.read(node, Parsed)
	if isFile(v.path) || isFile(b.calledName(args[0])) {
		b.use(out, ir.UseFile)
	}
	return val{node: out}
}

// calledName is the method that makes a value.
func (b *libraries) calledName(n *syntax.Node) string {
	for range 4 {
		if n.Is(syntax.Unary) {
			n = n.Kid(0)
		}
		if !n.Is(syntax.Call) || !n.Kid(0).Is(syntax.Member) {
			return ""
		}
		if name := n.Kid(0).Text; isFile(name) {
			return name
		}
		n = n.Kid(0).Kid(0)
	}
	return ""
}

func isFile(path string) bool {
	for _, s := range [...]string{"readFile", "read_text", "read_bytes", "open()", "Path(", "localStorage", "sys.stdin", "process.env", "os.environ", "os.getenv", "JSON.stringify", "json.dumps", "execSync", "subprocess."} {
		if strings.Contains(path, s) {
			return true
		}
	}
	return false
}

// standard reports the parts of a language and its library whose results are no
// answers.
func standard(path string) bool {
	first := path
	if i := strings.IndexAny(path, ".("); i >= 0 {
		first = path[:i]
	}
	switch first {
	case "console", "process", "Object", "Array", "String", "Number", "Boolean", "Symbol", "Error", "TypeError", "Map", "Set", "WeakMap", "Reflect", "Proxy", "Promise", "setTimeout", "setInterval", "clearTimeout",
		"require", "import", "Buffer", "URLSearchParams", "Headers", "FormData", "AbortController", "AbortSignal", "TextEncoder", "TextDecoder", "RegExp", "Date", "Math", "JSON", "Intl", "BigInt", "queueMicrotask",
		"fs", "path", "os", "crypto", "child_process", "util", "events", "readline", "stream", "zlib", "url", "assert", "http", "https", "net", "tls", "dns", "worker_threads", "async_hooks", "module", "timers", "fs/promises", "buffer", "perf_hooks", "vm", "v8", "querystring", "string_decoder", "tty",
		"print", "len", "range", "open", "super", "type", "isinstance", "hasattr", "getattr", "setattr", "str", "repr", "bool", "bytes", "Exception", "ValueError", "RuntimeError", "KeyError",
		"logging", "re", "sys", "pathlib", "datetime", "time", "asyncio", "subprocess", "typing", "collections", "functools", "itertools", "hashlib", "uuid", "random", "argparse", "contextlib", "dataclasses", "enum", "shutil", "tempfile", "textwrap", "urllib", "json", "base64", "html", "string", "threading", "socket", "traceback", "copy", "inspect", "abc", "warnings",
		"dotenv", "click", "mcp", "fastmcp", "winston", "pino", "chalk", "zod", "pydantic", "loguru", "this", "self":
		return true
	}
	return strings.HasPrefix(path, "@modelcontextprotocol/") || strings.HasPrefix(path, "node:")
}
