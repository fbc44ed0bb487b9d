// Package flow finds out where the values of a source file come from and how
// they are used.
//
// It takes a tree of package syntax and returns an ir.Flow: a graph whose nodes
// are values. It follows variables, members, callbacks and functions, and knows
// the usual HTTP clients and validation libraries. It decides nothing: package
// expect joins the files of a package and says what the answers to its requests
// must look like. Its time is proportional to the tree.
//
// A link of the graph has the name of a member, or one of these, which no
// member can have:
//
//	[]        each element            #0 #1     an element of a tuple
//	[?]       a member that is computed
//	()        the result of a call    (0 (1     a parameter
//	json()    the JSON of a response  text()    its text
//	parsed()  the JSON of a text      schema()  what a schema describes
//	new()     an instance of a class  base()    the address of a client
//	xml() xmlobject() csv()           a text that is read as that
package flow

import (
	"slices"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Names of the links that are no members.
const (
	Element  = "[]"
	Computed = "[?]"
	Result   = "()"
	JSON     = "json()"
	Text     = "text()"
	Parsed   = "parsed()"
	Schema   = "schema()"
	Instance = "new()"
	Base     = "base()"
	Param    = "("
	Place    = "#"
	// Elements and Objects are the XML of a text, with attributes apart or not, Table
	// is a text with values between commas.
	Elements = "xml()"
	Objects  = "xmlobject()"
	Table    = "csv()"
)

// no gap: what is not found out about answers is only answered as usual
const (
	// maxNodes bounds the graph of a file, maxDepth the depth of the walked tree.
	maxNodes = 200_000
	maxDepth = 1_000
	// maxAccepted bounds the constants of one node, maxWord the length of each.
	maxAccepted = 8
	maxWord     = 60
	// maxParts bounds the parts of a text, maxText the length of each.
	maxParts = 24
	maxText  = 300
	// maxName is the longest name of a member.
	maxName = 64
)

// graph is the graph that is made of one file.
type graph struct {
	out    *ir.Flow
	python bool
	links  map[link]int
	// cur is the function whose body is walked.
	cur int
}

// walker follows the statements and expressions of a file.
type walker struct {
	*names

	memo  map[*syntax.Node]val
	depth int
	// result is the result of the current function, this the instance that it
	// belongs to.
	result, this int
	conditions
	documents
	// awaits says that yield waits, as in what TypeScript makes of async functions.
	awaits bool
	// checked are the fields that functions check.
	checked map[*syntax.Node]int

	ops     *operations
	calls   *calls
	libs    *libraries
	models  *models
	modules *modules
	demands *demands
}

// conditions is where a condition stands.
type conditions struct {
	// leaves says that the code returns or throws if the condition holds, ends
	// that it throws after the current block.
	leaves, ends bool
	// chained is set for a condition that is the other branch of one, looping inside
	// a loop.
	chained, looping bool
	// steps counts the parts of one condition.
	steps int
}

// documents is what is known of XML.
type documents struct {
	// elements are the nodes that are XML; readsXML says that there may be others.
	elements map[int]bool
	readsXML bool
	// looked counts the namespaces that were looked for.
	looked int
}

// The parts of a walker, each for some kinds of expressions.
type (
	// operations follows operators.
	operations struct{ *walker }
	// calls follows calls of functions and methods.
	calls struct{ *walker }
	// libraries follows calls of what is not in the package.
	libraries struct{ *walker }
	// models follows declared forms of data.
	models struct{ *walker }
	// demands finds what a value must be for the code to go on.
	demands struct{ *walker }
)

func newWalker(python bool) *walker {
	g := &graph{out: &ir.Flow{Nodes: make([]ir.FlowNode, 1), Funcs: make([]ir.FlowFunc, 1), Exports: map[string]int{}}, python: python, links: map[link]int{}}
	w := &walker{names: &names{graph: g, scope: newScope(nil, true)}, memo: map[*syntax.Node]val{}, documents: documents{elements: map[int]bool{}}, checked: map[*syntax.Node]int{}}
	w.ops, w.calls, w.libs, w.models, w.demands = &operations{w}, &calls{w}, &libraries{w}, &models{w}, &demands{w}
	w.modules = &modules{walker: w, exports: map[string]*syntax.Node{}}
	return w
}

type link struct {
	from int
	name string
}

// val is the value of an expression.
type val struct {
	// node is its node, 0 if there is none.
	node int
	// path is the name of something outside of the package.
	path string
	// text is its constant text with unknown parts, number a constant number.
	text   []ir.FlowPart
	number string
	// words is a list of constants, pattern a regular expression. names and values
	// are what an object of the source has.
	words, names, values []string
	pattern              string
	// sized is the node whose length it is, keyed the one whose names it lists.
	sized, keyed int
	// cond is the comparison that made it, literal the JSON Schema that it is.
	cond, literal *syntax.Node
}

// Read makes the graph of a file.
func Read(t *syntax.Tree, python bool) *ir.Flow {
	if t.Root == nil || !t.Whole {
		return nil
	}
	b := newWalker(python)
	b.statements(t.Root.Kids)
	b.runLater()
	b.modules.export()
	b.modules.prune()
	if len(b.out.Nodes) == 1 {
		return nil
	}
	return b.out
}

// fresh makes a node of the current function.
func (b *graph) fresh() int { return b.freshIn(b.cur) }

func (b *graph) freshIn(owner int) int {
	if len(b.out.Nodes) >= maxNodes {
		return 0
	}
	b.out.Nodes = append(b.out.Nodes, ir.FlowNode{Owner: owner})
	return len(b.out.Nodes) - 1
}

// member returns the part of a node.
func (b *graph) member(n int, name string) int {
	if n == 0 || name == "" || len(name) > maxName {
		return 0
	}
	key := link{n, name}
	if to, ok := b.links[key]; ok {
		return to
	}
	to := b.freshIn(b.out.Nodes[n].Owner)
	if to != 0 {
		b.links[key] = to
		b.out.Links = append(b.out.Links, ir.FlowLink{From: n, To: to, Name: name})
	}
	return to
}

// read returns a member that the code reads.
func (b *graph) read(n int, name string) int {
	to := b.member(n, name)
	b.use(to, ir.UseRead)
	return to
}

func (b *graph) use(n int, u ir.Uses) {
	if n != 0 {
		b.out.Nodes[n].Uses |= u
	}
}

// same says that two nodes hold the same value.
func (b *graph) same(x, y int) {
	if x != 0 && y != 0 && x != y && len(b.out.Same) < 2*maxNodes {
		b.out.Same = append(b.out.Same, [2]int{x, y})
	}
}

// store makes a node of a value, so that it can be kept.
func (b *graph) store(v val) int {
	switch {
	case v.node != 0:
	case mayAddress(v.text):
		v.node = b.fresh()
	case len(v.text) == 1 && len(v.text[0].Text) <= maxWord:
		v.node = b.fresh()
	case v.number != "":
		v.node, v.text = b.fresh(), constant(v.number)
		b.use(v.node, ir.UseNumber)
	case v.words != nil:
		v.node = b.fresh()
	}
	if v.node != 0 && v.words != nil {
		b.out.Nodes[v.node].Words = v.words
	}
	if v.node != 0 && len(v.text) > 0 && b.out.Nodes[v.node].Text == nil {
		b.out.Nodes[v.node].Text = v.text
	}
	return v.node
}

// accept records a constant that a node is compared with.
func (b *graph) accept(n int, word string) {
	if n == 0 || word == "" || len(word) > maxWord {
		return
	}
	node := &b.out.Nodes[n]
	if len(node.Accepted) < maxAccepted && !slices.Contains(node.Accepted, word) {
		node.Accepted = append(node.Accepted, word)
	}
}
