package flow

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

var (
	// failure matches what programs say when they give up.
	failure = lazyregexp.New(`(?i)\b(error|fail(ed|ure|s)?|invalid|unexpected|denied|refused|not (found|allowed|valid|available|supported|ready)|unable|cannot|could not|can't|couldn't|missing|unsupported|bad|wrong|no)\b`)
	// gives matches the names of functions that end a program, or make an error.
	ends  = lazyregexp.New(`(?i)^(reject|fail|exit|abort|die|_exit)$`)
	gives = lazyregexp.New(`(?i)^(reject|fail|exit|abort|die|_exit)$|err(or)?(result|response|content)?$`)
)

// throws reports a statement that throws.
func throws(n *syntax.Node) bool { return n.Is(syntax.Return) && n.Text == "throw" }

// fails reports whether a branch ends with an error: it throws, ends the program,
// or returns nothing, or what says so. In a loop, to return nothing ends it.
func (b *walker) fails(branch *syntax.Node) bool {
	switch last := lastOf(branch); {
	case last == nil:
		return false
	case throws(last):
		return true
	case last.Is(syntax.Return) && len(last.Kids) == 0:
		return len(branch.Kids) > 1 && givesUp(branch.Kids[len(branch.Kids)-2])
	case last.Is(syntax.Return):
		return !quiet(last) && failed(last.Kid(0), 0) || quiet(last) && !b.looping
	case last.Is(syntax.If) && last.Kid(2) != nil:
		return b.fails(last.Kid(1)) && b.fails(last.Kid(2))
	}
	return givesUp(lastOf(branch))
}

// quiet reports a return of nothing.
func quiet(n *syntax.Node) bool {
	if !n.Is(syntax.Return) || throws(n) {
		return false
	}
	v := n.Kid(0)
	return v == nil || isNone(v) || v.Is(syntax.Name) && (v.Text == "false" || v.Text == "False") || v.Is(syntax.List) && len(v.Kids) == 0
}

// givesUp reports a call that ends a program or passes an error on.
func givesUp(n *syntax.Node) bool {
	if !n.Is(syntax.Call) {
		return false
	}
	if ends.MatchString(lastName(n)) {
		return true
	}
	made := n.Kid(1)
	return made.Is(syntax.Call) && made.Op == "new" && strings.HasSuffix(lastName(made), "Error")
}

// failed reports a value that says that something failed.
func failed(n *syntax.Node, depth int) bool {
	if n == nil || depth > 6 {
		return n == nil
	}
	switch n.Kind {
	case syntax.Name:
		return isNone(n) || n.Text == "false" || n.Text == "False"
	case syntax.String:
		return n.Text == "" || failure.MatchString(n.Text)
	case syntax.List, syntax.Object:
		if len(n.Kids) == 0 {
			return true
		}
		for _, k := range n.Kids {
			if k.Is(syntax.Pair) && (k.Text == "isError" || k.Text == "error" || k.Text == "is_error") || failed(k, depth+1) && k.Is(syntax.Object) {
				return true
			}
		}
	case syntax.Pair, syntax.Keyword, syntax.Spread:
		return failed(n.Kid(0), depth+1)
	case syntax.Unary:
		return n.Text == "await" && failed(n.Kid(0), depth+1)
	case syntax.Join, syntax.Binary:
		return n.Kid(0).Is(syntax.String) && failure.MatchString(n.Kid(0).Text)
	case syntax.Call:
		return gives.MatchString(lastName(n))
	}
	return false
}

// leavesAlways reports whether a branch ends the function, or can.
func (b *walker) leavesAlways(branch *syntax.Node) bool {
	last := lastOf(branch)
	return last.Is(syntax.Return) && !throws(last) && !failed(last.Kid(0), 0) || last.Is(syntax.If) && last.Kid(2) == nil && b.leavesAlways(last.Kid(1))
}

// isCondition reports an expression that is true or false.
func isCondition(n *syntax.Node) bool {
	switch {
	case n.Is(syntax.Unary):
		return n.Text == "not"
	case n.Is(syntax.Binary):
		switch n.Text {
		case "==", "!=", "<", ">", "<=", ">=", "in", "not in":
			return true
		case "and", "or":
			return isCondition(n.Kid(0)) && isCondition(n.Kid(1))
		}
	}
	return false
}
