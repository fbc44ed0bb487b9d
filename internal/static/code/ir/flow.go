package ir

import "fmt"

// Uses are how a value is used, which tells its type.
type Uses uint16

// The uses.
const (
	UseArray Uses = 1 << iota
	UseString
	UseNumber
	UseBoolean
	UseObject
	// UseSized is a length or a slice: of a list or of a text.
	UseSized
	// UseShown is a value that is written into a text.
	UseShown
	// UseRead is a member that the code reads, and does not only write.
	UseRead
	// UseInput is what a tool is called with: no answer of a service.
	UseInput
	// UseResult is the result of a call of a library.
	UseResult
	// UseFile was read from a file.
	UseFile
	// UseModel is a declared form of data, such as a validation schema.
	UseModel
	// UseKeys is an object whose members are gone through, whatever their names.
	UseKeys
	// UseIndexed is a member that must be there, even if it is nothing: Python takes
	// it by its name.
	UseIndexed
)

// Flow is where the values of a file come from and how they are used. Node 0
// is none.
type Flow struct {
	Nodes []FlowNode
	// Links are the members of nodes, Same the pairs of nodes that hold the same
	// value.
	Links    []FlowLink
	Same     [][2]int
	Funcs    []FlowFunc
	Calls    []FlowCall
	Requests []FlowRequest
	Imports  []FlowImport
	Exports  map[string]int
}

// FlowNode is a value, or all values that a variable or member has.
type FlowNode struct {
	// Owner is the function whose calls each have their own copy of it, 0 if it
	// is there once.
	Owner int  `json:"-"`
	Uses  Uses `json:"-"`
	// Func is the function that it is, 0 if none.
	Func int `json:"f,omitempty"`
	// Accepted are the constants that it is declared to be one of, or that it is
	// compared with.
	Accepted []string `json:"a,omitempty"`
	// Tests are the other comparisons.
	Tests []FlowTest `json:"c,omitempty"`
	// Words are the elements of a list of constants.
	Words []string `json:"w,omitempty"`
	// Text is its value, if it is known and can be part of an address.
	Text []FlowPart `json:"t,omitempty"`
	// Else is its value if nothing else tells.
	Else []FlowPart `json:"e,omitempty"`
	// Name is the name of a declared form of data.
	Name string `json:"m,omitempty"`
}

// FlowTest is a comparison of a value with a constant.
type FlowTest struct {
	// Op is an operator of JavaScript, with a "#" before it if the length is
	// compared, or one of these: "^" begins with, "$" ends with, "~" matches, "has"
	// contains, "format" looks like, "in" and "not in" a list, "true", "absent",
	// "null".
	Op string `json:"o"`
	// Value is the constant, unless it is what Node has.
	Value string `json:"v,omitempty"`
	Node  int    `json:"n,omitempty"`
	// Must is set if the program fails otherwise.
	Must bool `json:"m,omitempty"`
}

// FlowPart is a part of a text: a constant, or the text of a node; both empty if
// it is not known.
type FlowPart struct {
	Text string `json:"t,omitempty"`
	Node int    `json:"n,omitempty"`
}

// FlowLink is a member of a node. Names that no member can have are parts of
// another kind: see package flow.
type FlowLink struct {
	From int
	To   int
	Name string
}

// FlowFunc is a function; the first is the file itself.
type FlowFunc struct {
	// In is the function around it.
	In     int   `json:"i,omitempty"`
	Params []int `json:"p,omitempty"`
	// Names are those of the parameters, in languages that name arguments.
	Names  []string `json:"n,omitempty"`
	Result int      `json:"r,omitempty"`
}

// FlowCall is a call of something in this package.
type FlowCall struct {
	In     int   `json:"i,omitempty"`
	Callee int   `json:"c"`
	Args   []int `json:"a,omitempty"`
	// Names are those of the last arguments, if they are named.
	Names  []string `json:"n,omitempty"`
	Result int      `json:"r,omitempty"`
	// Model says that the callee is a declared form of data, which the argument
	// is checked against.
	Model bool `json:"m,omitempty"`
}

// FlowRequest is an HTTP request.
type FlowRequest struct {
	In int `json:"i,omitempty"`
	// Result is what it returns.
	Result int        `json:"r"`
	URL    []FlowPart `json:"u,omitempty"`
	// Method is "" if it is not known; then it may be the value of the node By.
	Method string `json:"m,omitempty"`
	By     int    `json:"b,omitempty"`
	// Call is the call that is a request only if nothing in the package is
	// called, counted from 1; 0 if it certainly is one.
	Call int `json:"c,omitempty"`
}

// FlowImport is a name from another file of the package; Name is "*" for all of
// it.
type FlowImport struct {
	Module string `json:"m"`
	Name   string `json:"n"`
	Node   int    `json:"o"`
}

// check reports invalid indices.
func (f *Flow) check() error {
	if f == nil {
		return nil
	}
	nodes, funcs := len(f.Nodes), len(f.Funcs)
	ok := true
	node := func(list ...int) {
		for _, i := range list {
			ok = ok && inside(i, nodes)
		}
	}
	parts := func(list []FlowPart) {
		for _, p := range list {
			node(p.Node)
		}
	}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		ok = ok && inside(n.Owner, funcs) && inside(n.Func, funcs)
		parts(n.Text)
		parts(n.Else)
		for _, t := range n.Tests {
			node(t.Node)
		}
	}
	for _, l := range f.Links {
		node(l.From, l.To)
	}
	for _, s := range f.Same {
		node(s[0], s[1])
	}
	for i, fn := range f.Funcs {
		ok = ok && inside(fn.In, max(i, 1))
		node(fn.Params...)
		node(fn.Result)
	}
	for _, c := range f.Calls {
		ok = ok && inside(c.In, funcs) && len(c.Names) <= len(c.Args)
		node(c.Args...)
		node(c.Callee, c.Result)
	}
	for _, r := range f.Requests {
		ok = ok && inside(r.In, funcs) && inside(r.Call, len(f.Calls)+1)
		node(r.Result, r.By)
		parts(r.URL)
	}
	for _, m := range f.Imports {
		node(m.Node)
	}
	for _, n := range f.Exports {
		node(n)
	}
	if !ok {
		return fmt.Errorf("%w: flow of values", ErrFrame)
	}
	return nil
}
