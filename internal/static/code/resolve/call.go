package resolve

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// call evaluates a call: to a constant if that can be computed, otherwise to
// the path of the callee with "()".
func (e *evaluator) call(n *syntax.Node, sc *scope, depth int) value {
	callee := e.eval(n.Kid(0), sc, depth+1)
	args := n.Kids[1:]
	if wraps(n, callee) {
		return e.eval(args[0], sc, depth+1)
	}
	if callee.kind == path {
		if v := e.builtin(callee, n, args, sc, depth); v.kind != unknown {
			return v
		}
	}
	if m := n.Kid(0); m.Is(syntax.Member) {
		on := e.eval(m.Kid(0), sc, depth+1)
		if on.kind == text || on.kind == list || on.kind == unknown && m.Text == "join" {
			if v := e.method(on, m.Text, args, sc, depth); v.kind != unknown {
				return v
			}
		}
	}
	switch callee.kind {
	case path:
		return pathValue(callee.text + "()")
	case class:
		return value{kind: class, node: callee.node}
	case function:
		return e.called(callee.node, depth)
	}
	return value{}
}

// wraps reports whether a call is the interop helper of a compiler or bundler,
// which only converts between CommonJS and ES modules: recognised by its name,
// or because its argument is a call of require.
func wraps(n *syntax.Node, callee value) bool {
	if len(n.Kids) < 2 || len(n.Kids) > 3 {
		return false
	}
	switch last(n.Kid(0)) {
	case "__importDefault", "__importStar", "__toESM", "_interopRequireDefault", "_interopRequireWildcard", "_interopDefault", "_interopNamespace", "_interopDefaultLegacy":
		return true
	}
	arg := n.Kid(1)
	return callee.kind == function && arg.Is(syntax.Call) && arg.Kid(0).Is(syntax.Name) && arg.Kid(0).Text == "require"
}

// called returns the value that a function of this file returns, if it has only
// one return.
func (e *evaluator) called(fn *syntax.Node, depth int) value {
	sc := e.symbols.scopes[fn]
	if sc == nil || depth > maxEval/2 {
		return value{}
	}
	body := fn.Kid(1)
	if fn.Op == "arrow" {
		return e.eval(body, sc, depth+1)
	}
	if !body.Is(syntax.Block) || len(body.Kids) == 0 || len(body.Kids) > 8 {
		return value{}
	}
	last := body.Kids[len(body.Kids)-1]
	if !last.Is(syntax.Return) || last.Text != "" {
		return value{}
	}
	v := e.eval(last.Kid(0), sc, depth+10)
	if v.kind == text && !v.whole() {
		return value{}
	}
	return v
}

// builtin computes the results of known functions.
func (e *evaluator) builtin(callee value, n *syntax.Node, args []*syntax.Node, sc *scope, depth int) value {
	arg := func(i int) value {
		if i >= len(args) {
			return value{}
		}
		return e.eval(args[i], sc, depth+1)
	}
	name := callee.text
	switch name {
	case "require", "module.require", "process.mainModule.require", "import", "__import__", "importlib.import_module", "importlib.__import__",
		"module.createRequire()", "createRequire()", "process.getBuiltinModule", "process.binding", "require.main.require", "module.constructor._load":
		if v := arg(0); v.whole() {
			p := pathValue(strings.TrimPrefix(v.text, "node:"))
			p.made = v.made || args[0].Kind != syntax.String
			return p
		}
		return pathValue(name + "()")
	case "getattr", "Reflect.get", "operator.getitem":
		on, key := arg(0), arg(1)
		if key.whole() {
			v := e.member(on, key.text, depth)
			// getattr with a default is a feature test, not hiding.
			v.made = key.made || len(args) < 3 || name != "getattr"
			return v
		}
		return value{}
	case "util.promisify", "functools.partial", "asyncio.coroutine", "asyncio.to_thread":
		if v := arg(0); v.kind == path || v.kind == function {
			return v
		}
	case "os.getenv", "os.environ.get", "Deno.env.get", "os.environ.__getitem__":
		if v := arg(0); v.whole() {
			return pathValue("os.environ." + v.text)
		}
	case "os.homedir", "os.userInfo().homedir":
		return textValue("~", true)
	case "os.path.expanduser", "pathlib.Path.expanduser", "str", "pathlib.Path", "Path", "pathlib.PurePath", "os.fspath", "String", "decodeURIComponent", "unescape", "os.path.expandvars", "os.path.normpath", "path.normalize", "os.path.abspath", "bytes.fromhex", "bytearray.fromhex", "URL":
		if strings.HasSuffix(name, "fromhex") {
			return decoded("hex", arg(0))
		}
		if name == "decodeURIComponent" || name == "unescape" {
			return decoded("url", arg(0))
		}
		if v := arg(0); v.kind == text {
			v.made = true
			return v
		}
		return value{}
	case "pathlib.Path.home", "Path.home":
		return textValue("~", true)
	case "path.join", "path.resolve", "os.path.join", "path.posix.join":
		return e.pathJoin(args, sc, depth)
	}
	return e.decoder(name, n, arg)
}

func (e *evaluator) pathJoin(args []*syntax.Node, sc *scope, depth int) value {
	var parts []string
	known := false
	for _, a := range args {
		v := e.eval(a, sc, depth+1)
		if v.kind == list {
			for _, e := range v.list {
				parts = append(parts, e.partial())
			}
			continue
		}
		known = known || v.kind == text
		if p := v.partial(); p != "" {
			parts = append(parts, strings.TrimSuffix(p, "/"))
		}
	}
	if !known {
		return value{}
	}
	return textValue(strings.Join(parts, "/"), true)
}
