package resolve

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// manyValues is the number of assignments to a name from which on it is not
// one thing any more: minified code uses a name again and again.
const manyValues = 4

// marks finds out where a value comes from.
func (r *reader) marks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	if n == nil || depth > maxEval || !r.spend() {
		return 0
	}
	switch n.Kind {
	case syntax.String, syntax.Number, syntax.Regexp, syntax.Func, syntax.Class:
		return 0
	case syntax.Name:
		return r.nameMarks(n.Text, sc, depth)
	case syntax.Assign:
		return r.marks(n.Kid(1), sc, depth+1)
	case syntax.If:
		return r.marks(n.Kid(1), sc, depth+1) | r.marks(n.Kid(2), sc, depth+1)
	}
	if m, ok := r.sums[n]; ok {
		return m
	}
	r.sums[n] = 0 // while it is being found out
	m := r.compoundMarks(n, sc, depth)
	r.sums[n] = m
	return m
}

func (r *reader) compoundMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	var m ir.Mark
	switch n.Kind {
	case syntax.Call:
		return r.callMarks(n, sc, depth)
	case syntax.Member, syntax.Index:
		if n.Text == "length" || n.Text == "status" || n.Text == "ok" || n.Text == "statusCode" || n.Text == "status_code" {
			return 0
		}
		if v := r.eval(n, sc, depth+1); v.kind == path {
			if m = r.sourceOf(v.text); m&ir.MarkEnviron != 0 {
				return m | r.keyMarks(n, sc, depth)&ir.MarkWhole // one variable, unless all are gone through
			}
		}
		return m | r.marks(n.Kid(0), sc, depth+1)
	case syntax.Binary:
		if compares(n.Text) {
			return (r.marks(n.Kid(0), sc, depth+1) | r.marks(n.Kid(1), sc, depth+1)) &^ content
		}
	case syntax.Comprehension:
		return r.marks(n.Kid(0), sc, depth+1) | r.marks(n.Kid(1), sc, depth+1)
	}
	for _, k := range n.Kids {
		m |= r.marks(k, sc, depth+1)
	}
	return m
}

// keyMarks are those of what stands in the brackets.
func (r *reader) keyMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	if n.Kind != syntax.Index {
		return 0
	}
	return r.marks(n.Kid(1), sc, depth+1)
}

// content are the marks of what a value holds, which its comparison with
// something else does not.
const content = ir.MarkWhole | ir.MarkSecret | ir.MarkInput

// partMarks are those that something has because of what is put into it: the
// environment, variable by variable or as it is, and keys where they are read.
// What comes by way of other names is not followed: everything would lead to
// everything.
func (r *reader) partMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	switch n.Kind {
	case syntax.Call:
		return r.marks(n, sc, depth+1) & ir.MarkSecret
	case syntax.Index, syntax.Member:
		if v := r.eval(n, sc, depth+1); v.kind == path && r.sourceOf(v.text)&ir.MarkEnviron != 0 {
			return (r.sourceOf(v.text) | r.keyMarks(n, sc, depth)) & ir.MarkWhole
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

func (r *reader) nameMarks(name string, sc *scope, depth int) ir.Mark {
	b := sc.find(name)
	if b == nil {
		return r.sourceOf(name)
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
		m |= r.sourceOf(b.path)
	}
	for _, at := range b.values {
		m |= r.marks(at.node, at.sc, depth+1)
	}
	for _, at := range b.parts {
		m |= r.partMarks(at.node, at.sc, depth+1)
	}
	if len(b.values) >= manyValues {
		m &^= ir.MarkDecoded
	}
	b.busy, b.summed, b.marks = false, true, m
	return m
}

func (r *reader) callMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	callee := r.eval(n.Kid(0), sc, depth+1)
	name := ""
	switch callee.kind {
	case path:
		name = callee.text
		if v := r.eval(n, sc, depth+1); v.kind == path && v.text != name+"()" {
			if m := r.sourceOf(v.text); m != 0 {
				return m
			}
		}
		if m := r.sourceOf(name + "()"); m != 0 {
			if m&ir.MarkEnviron != 0 {
				m |= r.argMarks(n, sc, depth) & ir.MarkWhole
			}
			return m | r.secretArg(n, name, sc, depth)
		}
	case function:
		m := r.returns(callee.node, depth+1) | r.argMarks(n, sc, depth)&(ir.MarkInput|ir.MarkNet)
		if quotes("", callee.node.Text) {
			return m&^ir.MarkInput | ir.MarkQuoted
		}
		return m
	}
	m := r.argMarks(n, sc, depth)
	last := name
	if c := n.Kid(0); c.Is(syntax.Member) {
		last = c.Text
		m |= r.marks(c.Kid(0), sc, depth+1)
	}
	last = last[strings.LastIndexByte(last, '.')+1:]
	if c := n.Kid(0); c.Is(syntax.Member) && strings.HasPrefix(last, "read") {
		if v := r.eval(c.Kid(0), sc, depth+1); v.kind == text {
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
func (r *reader) argMarks(n *syntax.Node, sc *scope, depth int) ir.Mark {
	var m ir.Mark
	for _, a := range n.Kids[1:] {
		m |= r.marks(a, sc, depth+1)
	}
	return m
}

// secretArg marks what is read from a place where credentials are kept, at once
// or from what was opened there.
func (r *reader) secretArg(n *syntax.Node, name string, sc *scope, depth int) ir.Mark {
	if c := n.Kid(0); c.Is(syntax.Member) && r.marks(c.Kid(0), sc, depth+1)&ir.MarkSecret != 0 {
		return ir.MarkSecret
	}
	if !strings.Contains(name, "read") && name != "open" {
		return 0
	}
	if v := r.eval(n.Kid(1), sc, depth+1); v.kind == text && SecretPath(v.text) != "" {
		return ir.MarkSecret
	}
	return 0
}

// returns joins the marks of all that a function returns.
func (r *reader) returns(fn *syntax.Node, depth int) ir.Mark {
	if m, ok := r.sums[fn]; ok {
		return m
	}
	r.sums[fn] = 0
	sc := r.scopes[fn]
	if sc == nil {
		return 0
	}
	var m ir.Mark
	if fn.Op == "arrow" {
		m = r.marks(fn.Kid(1), sc, depth+1)
	} else {
		m = r.returnMarks(fn.Kid(1), sc, depth, 0)
	}
	m &^= ir.MarkInput // that depends on the caller
	r.sums[fn] = m
	return m
}

func (r *reader) returnMarks(n *syntax.Node, sc *scope, depth, level int) ir.Mark {
	if n == nil || n.Kind == syntax.Func || level > 200 || !r.spend() {
		return 0
	}
	if n.Kind == syntax.Return && n.Text == "" {
		return r.marks(n.Kid(0), sc, depth+1)
	}
	var m ir.Mark
	for i, k := range n.Kids {
		// What a condition looks at decides what a test returns.
		if n.Kind == syntax.If && i == 0 && k != nil && n.Kid(1).Is(syntax.Block) && leaves(n.Kid(1)) {
			m |= r.marks(k, sc, depth+1) &^ (ir.MarkInput | ir.MarkNet | ir.MarkFile)
		}
		switch k := n.Kids[i]; {
		case k == nil:
		case k.Kind == syntax.Block || k.Kind == syntax.If || k.Kind == syntax.Loop || k.Kind == syntax.Return:
			m |= r.returnMarks(k, sc, depth, level+1)
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
