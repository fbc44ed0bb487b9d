package schema

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// vocabulary is what the source of the root package says about its types.
type vocabulary struct {
	// comments by "Type" and "Type.Field".
	comments map[string]string
	// values are the string constants by their type.
	values map[string][]string
}

// readVocabulary parses the package in dir.
func readVocabulary(dir string) (*vocabulary, error) {
	v := &vocabulary{comments: map[string]string{}, values: map[string][]string{}}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("reading the vocabulary: %w", err)
		}
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				v.add(decl)
			}
		}
	}
	return v, nil
}

func (v *vocabulary) add(decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			v.addType(spec, decl.Doc)
		case *ast.ValueSpec:
			v.addValue(spec)
		}
	}
}

func (v *vocabulary) addType(spec *ast.TypeSpec, doc *ast.CommentGroup) {
	v.comments[spec.Name.Name] = plain(doc)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range fields.Fields.List {
		for _, name := range field.Names {
			text := plain(field.Doc)
			if text == "" {
				text = plain(field.Comment)
			}
			v.comments[spec.Name.Name+"."+name.Name] = text
		}
	}
}

func (v *vocabulary) addValue(spec *ast.ValueSpec) {
	kind, ok := spec.Type.(*ast.Ident)
	if !ok || len(spec.Values) != 1 {
		return
	}
	lit, ok := spec.Values[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return
	}
	if s, err := strconv.Unquote(lit.Value); err == nil {
		v.values[kind.Name] = append(v.values[kind.Name], s)
	}
}

// plain is a comment as one line of text, without the brackets of doc links.
func plain(group *ast.CommentGroup) string {
	parser := comment.Parser{LookupSym: func(string, string) bool { return true }}
	doc := parser.Parse(group.Text())
	printer := comment.Printer{TextWidth: -1}
	return strings.Join(strings.Fields(string(printer.Text(doc))), " ")
}
