package resolve

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// manyValues is the number of assignments from which a name no longer stands
// for one value: minified code reuses names.
const manyValues = 4

// taint follows values back to their sources: the network, the environment, a
// tool's input.
type taint struct {
	symbols *symbols
	values  *evaluator
	budget  *budget
	memo    map[*syntax.Node]ir.Mark
	sources map[string]ir.Mark // by resolved name
}

// returned computes the marks of each function's results. Functions that call
// each other get marks that depend on the order, so they are processed in file
// order: the same file always gives the same result.
func (t *taint) returned() {
	funcs := t.symbols.out.f.Funcs
	nodes := make([]*syntax.Node, len(funcs))
	for node, i := range t.symbols.funcs {
		nodes[i] = node
	}
	for i, node := range nodes {
		if node != nil {
			funcs[i].Returns = t.returns(node, 0)
		}
	}
}

// marks finds the sources of a value.
func (t *taint) marks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	if n == nil || depth > maxEval || !t.budget.spend() {
		return 0
	}
	switch n.Kind {
	case syntax.String, syntax.Number, syntax.Regexp, syntax.Func, syntax.Class:
		return 0
	case syntax.Name:
		return t.nameMarks(n.Text, sc, depth)
	case syntax.Assign:
		return t.marks(n.Kid(1), sc, depth+1)
	case syntax.If:
		return t.marks(n.Kid(1), sc, depth+1) | t.marks(n.Kid(2), sc, depth+1)
	}
	if m, ok := t.memo[n]; ok {
		return m
	}
	t.memo[n] = 0 // breaks recursion meanwhile
	m := t.compoundMarks(n, sc, depth)
	t.memo[n] = m
	return m
}

func (t *taint) compoundMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	var m ir.Mark
	switch n.Kind {
	case syntax.Call:
		return t.callMarks(n, sc, depth)
	case syntax.Member, syntax.Index:
		if n.Text == "length" || n.Text == "status" || n.Text == "ok" || n.Text == "statusCode" || n.Text == "status_code" {
			return 0
		}
		if v := t.values.eval(n, sc, depth+1); v.kind == path {
			if m = t.sourceOf(v.text); m&ir.MarkEnviron != 0 {
				return m | t.keyMarks(n, sc, depth)&ir.MarkWhole // one variable, unless the loop goes through all
			}
		}
		return m | t.marks(n.Kid(0), sc, depth+1)
	case syntax.Binary:
		if compares(n.Text) {
			return (t.marks(n.Kid(0), sc, depth+1) | t.marks(n.Kid(1), sc, depth+1)) &^ content
		}
	case syntax.Comprehension:
		return t.marks(n.Kid(0), sc, depth+1) | t.marks(n.Kid(1), sc, depth+1)
	}
	for _, k := range n.Kids {
		m |= t.marks(k, sc, depth+1)
	}
	return m
}

// keyMarks returns the marks of an index expression's key.
func (t *taint) keyMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	if n.Kind != syntax.Index {
		return 0
	}
	return t.marks(n.Kid(1), sc, depth+1)
}

// content are the marks about the content of a value. The result of a
// comparison does not have them.
const content = ir.MarkWhole | ir.MarkSecret | ir.MarkInput

// partMarks returns the marks that an object gets from what is stored in it:
// variables of the environment, and credentials that are read right there.
// Values of other variables are not followed, because everything would then be
// connected.
func (t *taint) partMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	switch n.Kind {
	case syntax.Call:
		return t.marks(n, sc, depth+1) & ir.MarkSecret
	case syntax.Index, syntax.Member:
		if v := t.values.eval(n, sc, depth+1); v.kind == path && t.sourceOf(v.text)&ir.MarkEnviron != 0 {
			return (t.sourceOf(v.text) | t.keyMarks(n, sc, depth)) & ir.MarkWhole
		}
	}
	return 0
}

func compares(op string) bool {
	switch op {
	case "==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "not in", "is", "is not", "instanceof":
		return true
	}
	return false
}

func (t *taint) nameMarks(name string, sc *scope, depth int) ir.Mark {
	b := sc.find(name)
	if b == nil {
		return t.sourceOf(name)
	}
	if b.summed || b.busy {
		return b.marks
	}
	b.busy = true
	m := b.marks
	if b.input {
		m |= ir.MarkInput
	}
	if b.counted {
		m |= ir.MarkCount
	}
	if b.path != "" {
		m |= t.sourceOf(b.path)
	}
	for _, at := range b.values {
		m |= t.marks(at.node, at.sc, depth+1)
	}
	for _, at := range b.parts {
		m |= t.partMarks(at.node, at.sc, depth+1)
	}
	if len(b.values) >= manyValues {
		m &^= ir.MarkDecoded
	}
	b.busy, b.summed, b.marks = false, true, m
	return m
}

func (t *taint) callMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	callee := t.values.eval(n.Kid(0), sc, depth+1)
	name := ""
	switch callee.kind {
	case path:
		name = callee.text
		if v := t.values.eval(n, sc, depth+1); v.kind == path && v.text != name+"()" {
			if m := t.sourceOf(v.text); m != 0 {
				return m
			}
		}
		if m := t.sourceOf(name + "()"); m != 0 {
			if m&ir.MarkEnviron != 0 {
				m |= t.argMarks(n, sc, depth) & ir.MarkWhole
			}
			return m | t.secretArg(n, name, sc, depth)
		}
	case function:
		m := t.returns(callee.node, depth+1) | t.argMarks(n, sc, depth)&(ir.MarkInput|ir.MarkNet)
		if quotes("", callee.node.Text) {
			return m&^ir.MarkInput | ir.MarkQuoted
		}
		return m
	}
	m := t.argMarks(n, sc, depth)
	last := name
	if c := n.Kid(0); c.Is(syntax.Member) {
		last = c.Text
		m |= t.marks(c.Kid(0), sc, depth+1)
	}
	last = last[strings.LastIndexByte(last, '.')+1:]
	if c := n.Kid(0); c.Is(syntax.Member) && strings.HasPrefix(last, "read") {
		if v := t.values.eval(c.Kid(0), sc, depth+1); v.kind == text {
			m |= ir.MarkFile
			if SecretPath(v.text) != "" {
				m |= ir.MarkSecret
			}
		}
	}
	switch {
	case quotes(name, last):
		return m&^ir.MarkInput | ir.MarkQuoted
	case slices.Contains([]string{"parseInt", "parseFloat", "Number", "int", "float", "bool", "len", "isinstance", "Boolean", "includes", "has", "startsWith", "indexOf"}, last):
		return m &^ ir.MarkInput
	case last == "any" || last == "all":
		return m &^ content
	case decodes(name, last):
		return m | ir.MarkDecoded
	}
	return m
}

// argMarks joins the marks of all arguments that are not functions.
func (t *taint) argMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	var m ir.Mark
	for _, a := range n.Kids[1:] {
		m |= t.marks(a, sc, depth+1)
	}
	return m
}

// secretArg marks data read from a place where credentials are stored, directly
// or through an opened file.
func (t *taint) secretArg(n *syntax.Node, name string, sc *scope, depth int) ir.Mark {
	if c := n.Kid(0); c.Is(syntax.Member) && t.marks(c.Kid(0), sc, depth+1)&ir.MarkSecret != 0 {
		return ir.MarkSecret
	}
	if !strings.Contains(name, "read") && name != "open" {
		return 0
	}
	if v := t.values.eval(n.Kid(1), sc, depth+1); v.kind == text && SecretPath(v.text) != "" {
		return ir.MarkSecret
	}
	return 0
}

// returns joins the marks of everything that a function returns.
func (t *taint) returns(fn *syntax.Node, depth int) ir.Mark {
	if m, ok := t.memo[fn]; ok {
		return m
	}
	t.memo[fn] = 0
	sc := t.symbols.scopes[fn]
	if sc == nil {
		return 0
	}
	var m ir.Mark
	if fn.Op == "arrow" {
		m = t.marks(fn.Kid(1), sc, depth+1)
	} else {
		m = t.returnMarks(fn.Kid(1), sc, depth, 0)
	}
	m &^= ir.MarkInput // depends on the caller
	t.memo[fn] = m
	return m
}

func (t *taint) returnMarks(n *syntax.Node, sc *scope, depth, level int) ir.Mark {
	if n == nil || n.Kind == syntax.Func || level > 200 || !t.budget.spend() {
		return 0
	}
	if n.Kind == syntax.Return && n.Text == "" {
		return t.marks(n.Kid(0), sc, depth+1)
	}
	var m ir.Mark
	for i, k := range n.Kids {
		// The result of a function that tests something depends on its
		// conditions.
		if n.Kind == syntax.If && i == 0 && k != nil && n.Kid(1).Is(syntax.Block) && leaves(n.Kid(1)) {
			m |= t.marks(k, sc, depth+1) &^ (ir.MarkInput | ir.MarkNet | ir.MarkFile)
		}
		switch k := n.Kids[i]; {
		case k == nil:
		case k.Kind == syntax.Block || k.Kind == syntax.If || k.Kind == syntax.Loop || k.Kind == syntax.Return:
			m |= t.returnMarks(k, sc, depth, level+1)
		}
	}
	return m
}

func quotes(name, last string) bool {
	switch name {
	case "shlex.quote", "pipes.quote", "shell-quote.quote", "shell-quote.quote()", "shellescape", "shell-escape", "shlex.join", "encodeURIComponent", "encodeURI", "JSON.stringify", "json.dumps", "urllib.parse.quote", "html.escape":
		return true
	}
	l := strings.ToLower(last)
	return strings.Contains(l, "escape") && !strings.Contains(l, "unescape") || strings.Contains(l, "quote") && !strings.Contains(l, "unquote") || strings.Contains(l, "sanitize") || strings.Contains(l, "sanitise")
}

func decodes(name, last string) bool {
	switch last {
	case "atob", "b64decode", "unhexlify", "decompress", "inflateSync", "gunzipSync", "brotliDecompressSync", "fromhex", "b85decode", "b32decode", "a2b_base64", "urlsafe_b64decode", "unzipSync", "fromCharCode":
		return true
	}
	return strings.HasPrefix(name, "crypto.createDecipher") || strings.HasPrefix(name, "cryptography.fernet.Fernet().decrypt") || name == "marshal.loads" || name == "codecs.decode" || name == "Buffer.from"
}
