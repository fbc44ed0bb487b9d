package script

import (
	"bytes"
	"fmt"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"

	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// Syntax is the language variant of a file.
type Syntax uint8

// The kinds of script.
const (
	JavaScript Syntax = iota
	JSX
	TypeScript
	TSX
)

// Read reads a file. It never fails: on an error the tree has a note and no
// root.
func Read(src []byte, d Syntax) *syntax.Tree {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	x := newIndex(src)
	t := &syntax.Tree{Comments: x.comments, Words: x.words}
	if d == JavaScript || d == JSX {
		if root, err := grow(src, x, nil); err == nil {
			t.Root, t.Whole = root, true
			return t
		}
	}
	out, lines, err := transform(src, d)
	if err != nil {
		t.Note = err.Error()
		return t
	}
	root, err := grow(out, newIndex(out), lines)
	if err != nil {
		t.Note = err.Error()
		return t
	}
	t.Root, t.Whole = root, true
	return t
}

// grow parses a JavaScript file.
func grow(src []byte, x *index, m *sourceMap) (*syntax.Node, error) {
	in := parse.NewInputBytes(bytes.Clone(src))
	ast, err := js.Parse(in, js.Options{})
	if err != nil {
		// Only a CommonJS module may have a return at the top level.
		shebang := bytes.HasPrefix(src, []byte("#!"))
		again := bytes.Clone(src)
		if shebang {
			copy(again, "//")
		}
		in = parse.NewInputBytes(again)
		if ast, err = js.Parse(in, js.Options{Inline: true}); err != nil {
			return nil, fmt.Errorf("not JavaScript: %w", err)
		}
	}
	c := newConverter(in.Bytes(), x, m)
	return c.block(ast.List), nil
}

// transform removes types and JSX.
func transform(src []byte, d Syntax) ([]byte, *sourceMap, error) {
	loader := map[Syntax]api.Loader{JavaScript: api.LoaderJSX, JSX: api.LoaderJSX, TypeScript: api.LoaderTS, TSX: api.LoaderTSX}[d]
	r := api.Transform(string(src), api.TransformOptions{
		Loader: loader, Target: api.ES2022, Sourcemap: api.SourceMapExternal, LogLevel: api.LogLevelSilent,
		LogLimit: 1, JSX: api.JSXTransform, Charset: api.CharsetUTF8, SourcesContent: api.SourcesContentExclude,
		TsconfigRaw: `{"compilerOptions":{"experimentalDecorators":true,"verbatimModuleSyntax":true}}`,
	})
	if len(r.Errors) > 0 {
		e := r.Errors[0]
		line := 0
		if e.Location != nil {
			line = e.Location.Line
		}
		return nil, nil, fmt.Errorf("line %d: %.200s", line, e.Text)
	}
	m, err := readMap(r.Map)
	if err != nil {
		return nil, nil, err
	}
	return r.Code, m, nil
}
