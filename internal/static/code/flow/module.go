package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// modules follows imports and exports.
type modules struct {
	*walker

	// exports are the names that other files see.
	exports map[string]*syntax.Node
}

// imports declares the names that come from elsewhere.
func (b *modules) imports(n *syntax.Node) {
	for _, p := range n.Kids {
		if !p.Kid(0).Is(syntax.Name) {
			continue
		}
		b.declare(p.Kid(0).Text, b.imported(n.Text, p.Text))
	}
}

// imported is a name of a module: of the package, or of a library.
func (b *modules) imported(module, name string) val {
	module = strings.TrimPrefix(module, "node:")
	b.readsXML = b.readsXML || strings.HasPrefix(module, "xml.etree") || strings.HasPrefix(module, "lxml") || strings.HasPrefix(module, "defusedxml")
	v := val{path: module + "." + name}
	if name == "*" || name == "default" && !b.python {
		v.path = module
	}
	if v.path == "urllib.request" || module == "urllib" && name == "request" {
		v.path = "urllib.request"
	}
	switch {
	case strings.HasPrefix(module, ".") && !b.python, strings.HasPrefix(module, ".") && b.python:
		v.path = ""
	case b.python && !standard(module) && !isClient(module):
	default:
		return v
	}
	v.node = b.freshIn(0)
	b.out.Imports = append(b.out.Imports, ir.FlowImport{Module: module, Name: name, Node: v.node})
	return v
}

// required is what require("./x") returns.
func (b *modules) required(args []*syntax.Node) (val, bool) {
	if len(args) == 0 || !args[0].Is(syntax.String) {
		return val{}, false
	}
	return b.imported(args[0].Text, "*"), true
}

// exported follows an export.
func (b *modules) exported(n *syntax.Node) {
	for _, k := range n.Kids {
		switch {
		case k.Is(syntax.Pair) && n.Text != "": // from another file
			v := b.imported(n.Text, nameOf(k.Kid(0)))
			b.exportNode(k.Text, v.node)
		case k.Is(syntax.Pair) && k.Kid(0).Is(syntax.Name):
			b.exports[k.Text] = k.Kid(0)
		case k.Is(syntax.Pair):
			b.exportNode(k.Text, b.store(b.expr(k.Kid(0))))
		default:
			b.statement(k)
			b.exportDeclared(k)
		}
	}
}

func nameOf(n *syntax.Node) string {
	if n.Is(syntax.Name) {
		return n.Text
	}
	return ""
}

// exportDeclared exports the names that a statement declares.
func (b *modules) exportDeclared(k *syntax.Node) {
	switch {
	case k.Is(syntax.Func), k.Is(syntax.Class):
		b.exports[k.Text] = &syntax.Node{Kind: syntax.Name, Text: k.Text}
	case k.Is(syntax.Assign) && k.Kid(0).Is(syntax.Name):
		b.exports[k.Kid(0).Text] = k.Kid(0)
	case k.Is(syntax.Block):
		for _, a := range k.Kids {
			if a.Is(syntax.Assign) {
				b.exportDeclared(a)
			}
		}
	}
}

// exportMember follows exports.x = ... and module.exports = ...
func (b *modules) exportMember(target *syntax.Node, v val) {
	if !target.Is(syntax.Member) || b.python {
		return
	}
	on := target.Kid(0)
	switch {
	case on.Is(syntax.Name) && on.Text == "exports", on.Is(syntax.Member) && on.Text == "exports":
		b.exportNode(target.Text, b.store(v))
	case target.Text == "exports" && on.Is(syntax.Name) && on.Text == "module":
		b.exportNode("*", b.store(v))
	}
}

func (b *modules) exportNode(name string, node int) {
	if node == 0 || len(name) > maxName {
		return
	}
	if old, ok := b.out.Exports[name]; ok {
		b.same(old, node)
		return
	}
	b.out.Exports[name] = node
}

// export records what other files see, after everything was followed.
func (b *modules) export() {
	if b.python {
		for _, name := range slices.Sorted(maps.Keys(b.scope.names)) {
			b.exportNode(name, b.store(b.lookup(name)))
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(b.exports)) {
		b.exportNode(name, b.store(b.lookup(b.exports[name].Text)))
	}
}

// prune empties the graph of a file that has nothing to do with answers: it
// makes no request, reads no JSON, describes no data, and other files cannot use
// it for that.
func (b *modules) prune() {
	if len(b.out.Requests) > 0 || len(b.out.Imports) > 0 {
		return
	}
	for _, l := range b.out.Links {
		if l.Name == JSON || l.Name == Parsed || l.Name == Schema || l.Name == Elements || l.Name == Objects || l.Name == Table {
			return
		}
	}
	if len(b.out.Exports) > 0 {
		return
	}
	b.out.Nodes = b.out.Nodes[:1]
}
