package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// checkExpressions wants regular expressions of packages to be compiled when they
// are used: this binary is started several times for each sandbox. It compiles
// those that stand in the source as a whole, so that none fails at its first use.
func checkExpressions(tr *tree) []string {
	var problems []string
	for _, f := range tr.files {
		if f.test || !strings.HasPrefix(f.name, "internal/") && !strings.HasPrefix(f.name, "cmd/") {
			continue
		}
		for _, d := range f.syntax.Decls {
			_, inside := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				if _, ok := n.(*ast.FuncLit); ok {
					return false
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				at := tr.fset.Position(call.Pos())
				switch {
				case calls(call, "regexp", "MustCompile") && !inside:
					problems = append(problems, fmt.Sprintf("%s:%d: use lazyregexp.New: each start of this program would compile it", at.Filename, at.Line))
				case calls(call, "lazyregexp", "New"):
					if text, ok := literal(call.Args[0]); ok {
						if _, err := regexp.Compile(text); err != nil {
							problems = append(problems, fmt.Sprintf("%s:%d: %v", at.Filename, at.Line, err))
						}
					}
				}
				return true
			})
		}
	}
	return problems
}

// calls reports whether a call is of a function of a package.
func calls(call *ast.CallExpr, pkg, name string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == pkg
}

// literal returns the text of a literal, or of several that are joined.
func literal(e ast.Expr) (string, bool) {
	switch v := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(v.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		left, ok := literal(v.X)
		right, also := literal(v.Y)
		return left + right, ok && also && v.Op == token.ADD
	}
	return "", false
}
