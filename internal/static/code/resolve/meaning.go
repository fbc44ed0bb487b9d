// Package resolve finds out what the names in a source file stand for.
//
// In comes a tree of package syntax, out goes the file as package ir has it:
// calls by the name of what they call, however it was imported, renamed or put
// together; texts as they are when the code runs; conditions with what they
// look at; the tools that are defined. It does not run anything, follows
// variables without regard to the order of statements, and stops when a file
// has cost enough.
package resolve

import (
	"bytes"
	"strings"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Limits of what is kept of a file.
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
	// maxSteps is how much is looked at to find out what values are.
	maxSteps = 3_000_000
	// maxWalk is how deep the tree is followed, maxEval how deep values are.
	maxWalk = 3_000
	maxEval = 60
)

type reader struct {
	f       *ir.File
	python  bool
	lines   [][]byte
	steps   int
	depth   int
	allText int

	funcs   map[*syntax.Node]int
	scopes  map[*syntax.Node]*scope
	methods map[string][]*syntax.Node
	members map[string]*binding
	values  map[*syntax.Node]value
	sums    map[*syntax.Node]ir.Mark
	handler map[*syntax.Node]int // function to tool
	conds   []int
	// exported are names given to functions for other files.
	exported map[string]*syntax.Node
	// within is what a text stands in: the call, the variable.
	into, name string
	seen       map[string]bool
	sources    map[string]ir.Mark
}

// Understand makes the flat form of a tree.
func Understand(path string, lang ir.Language, t *syntax.Tree, src []byte) *ir.File {
	r := &reader{
		f:      &ir.File{Path: path, Language: lang, Whole: t.Whole, Note: t.Note},
		python: lang == ir.Python, funcs: map[*syntax.Node]int{}, scopes: map[*syntax.Node]*scope{},
		methods: map[string][]*syntax.Node{}, members: map[string]*binding{}, values: map[*syntax.Node]value{},
		sums: map[*syntax.Node]ir.Mark{}, handler: map[*syntax.Node]int{}, seen: map[string]bool{}, sources: map[string]ir.Mark{},
		exported: map[string]*syntax.Node{},
	}
	r.lines = bytes.Split(src, []byte{'\n'})
	r.shape(t, src)
	r.hiddenIn()
	top := &scope{names: map[string]*binding{}}
	r.f.Funcs = append(r.f.Funcs, ir.Func{Line: 1, In: -1, Handler: -1})
	if t.Root != nil {
		r.declare(t.Root, top, nil)
		r.callSites(t.Root, top)
		r.depth = 0
		r.tools(t.Root, top)
		r.depth = 0
		r.walk(t.Root, top)
		r.finish()
		r.consts(top)
	}
	return r.f
}

// consts are the texts that other files may import.
func (r *reader) consts(top *scope) {
	r.f.Consts = map[string]string{}
	for name, b := range top.names {
		if len(b.values) != 1 || len(r.f.Consts) >= maxConsts || b.path != "" {
			continue
		}
		if v := r.eval(b.values[0].node, b.values[0].sc, 0); v.kind == text && len(v.text) <= maxText/4 {
			r.f.Consts[name] = said(v)
		}
	}
}

// finish fills in what is known when all has been seen.
func (r *reader) finish() {
	for node, tool := range r.handler {
		if i, ok := r.funcs[node]; ok && tool < len(r.f.Tools) {
			r.f.Funcs[i].Handler = tool
			if t := &r.f.Tools[tool]; t.Func < 0 || i < t.Func {
				t.Func = i
			}
		}
	}
	for node, i := range r.funcs {
		r.f.Funcs[i].Returns = r.returns(node, 0)
	}
	r.f.Exports = map[string]int{}
	for name, node := range r.exported {
		if i, ok := r.funcs[node]; ok {
			r.f.Exports[name] = i
		}
	}
}

func (r *reader) shape(t *syntax.Tree, src []byte) {
	w := &t.Words
	s := &r.f.Shape
	*s = ir.Shape{
		Bytes: len(src), Lines: len(r.lines), Tokens: w.Tokens, Idents: w.Idents, Distinct: w.Distinct, Hex: w.Hex,
		HexDistinct: w.HexDistinct, Short: w.Short, Punct: w.Punct, Escaped: w.Escaped, StringBytes: w.StringBytes,
	}
	for _, l := range r.lines {
		s.Longest = max(s.Longest, len(l))
	}
	s.Packed = bytes.Contains(src, []byte("eval(function(p,a,c,k,e,"))
	for _, f := range w.Foreign {
		s.Foreign = append(s.Foreign, ir.Word{Text: f.Text, Line: f.Line})
	}
	for _, mark := range []string{"__webpack_require__", "__esModule", "__commonJS", "__toESM", "webpackChunk", "__nccwpck_require__", "createRequire as __", "rollupPlugin", "//# sourceMappingURL=", "__importDefault", "parcelRequire"} {
		if bytes.Contains(src, []byte(mark)) {
			s.Bundled = true
		}
	}
}

// line is the source line, shortened, for whoever reads about it.
func (r *reader) line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	s := strings.TrimSpace(string(r.lines[n-1][:min(len(r.lines[n-1]), 4000)]))
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return s
}

// spend counts a step; false if the file has cost enough.
func (r *reader) spend() bool {
	r.steps++
	if r.steps > maxSteps {
		r.f.Cut = true
		return false
	}
	return true
}
