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
package flow

import (
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
	// rejects says that the code throws if the condition holds, leaves that it
	// returns or throws.
	rejects, leaves bool

	ops     *operations
	calls   *calls
	libs    *libraries
	models  *models
	modules *modules
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
)

func newWalker(python bool) *walker {
	g := &graph{out: &ir.Flow{Nodes: make([]ir.FlowNode, 1), Funcs: make([]ir.FlowFunc, 1), Exports: map[string]int{}}, python: python, links: map[link]int{}}
	w := &walker{names: &names{graph: g, scope: newScope(nil, true)}, memo: map[*syntax.Node]val{}}
	w.ops, w.calls, w.libs, w.models = &operations{w}, &calls{w}, &libraries{w}, &models{w}
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
	// text is its constant text with unknown parts.
	text []ir.FlowPart
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
	if v.node == 0 && mayAddress(v.text) {
		v.node = b.fresh()
	}
	if v.node != 0 && len(v.text) > 0 && b.out.Nodes[v.node].Text == nil {
		b.out.Nodes[v.node].Text = v.text
	}
	return v.node
}

// accept records a constant that a node is compared with.
func (b *graph) accept(n int, word string, first bool) {
	if n == 0 || word == "" || len(word) > maxWord {
		return
	}
	list := b.out.Nodes[n].Accepted
	if len(list) >= maxAccepted {
		return
	}
	for _, w := range list {
		if w == word {
			return
		}
	}
	if first {
		list = append([]string{word}, list...)
	} else {
		list = append(list, word)
	}
	b.out.Nodes[n].Accepted = list
}
