// Package resolve finds out what the names in a source file stand for.
//
// It takes a tree of package syntax and returns the file in the form of package
// ir: calls by the full name of the function, however it was imported, renamed
// or computed; strings with their run-time value; conditions with what they
// depend on; the tools that are defined. It runs nothing, follows variables
// without regard to the order of statements, and stops when a file has cost
// [maxSteps].
package resolve

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Bounds of the results of one file.
// gap: source-not-read
const (
	maxCalls   = 20_000
	maxFuncs   = 20_000
	maxTexts   = 30_000
	maxConds   = 8_000
	maxReads   = 4_000
	maxTools   = 500
	maxConsts  = 300
	maxText    = 64 << 10
	maxAllText = 12 << 20
	maxArgs    = 12
	maxArgText = 2_000
	maxStack   = 6
	// maxSteps bounds the work of evaluating values.
	maxSteps = 3_000_000
	// maxWalk bounds the depth of the walked tree, maxEval that of evaluated
	// values.
	maxWalk = 3_000
	maxEval = 60
)

// Understand makes the flat form of a tree. Each pass over the tree needs the
// results of the one before: names are declared, then tools are found, then the
// actions of the code are recorded.
func Understand(path string, lang ir.Language, t *syntax.Tree, src []byte) *ir.File {
	out := newOutput(&ir.File{Path: path, Language: lang, Whole: t.Whole, Note: t.Note}, src)
	out.shape(t, src)
	out.hiddenCharacters()
	out.f.Funcs = append(out.f.Funcs, ir.Func{Line: 1, In: -1, Handler: -1})
	if t.Root == nil {
		return out.f
	}
	top := &scope{names: map[string]*binding{}}
	names := newSymbols(out, lang == ir.Python)
	names.declare(t.Root, top, nil)
	names.callSites(t.Root, top)
	limit := &budget{out: out}
	values := &evaluator{symbols: names, budget: limit, memo: map[*syntax.Node]value{}}
	marks := &taint{symbols: names, values: values, budget: limit, memo: map[*syntax.Node]ir.Mark{}, sources: map[string]ir.Mark{}}
	tools := &toolFinder{
		out: out, symbols: names, values: values, handler: map[*syntax.Node]int{},
		schemas: &schemas{symbols: names, values: values, budget: limit},
	}
	tools.tools(t.Root, top)
	w := &walker{
		out: out, symbols: names, values: values, taint: marks,
		conditions: &conditions{out: out, symbols: names, values: values, taint: marks, budget: limit},
	}
	w.walk(t.Root, top)
	tools.connect()
	marks.returned()
	names.export()
	values.consts(top, out.f)
	return out.f
}
