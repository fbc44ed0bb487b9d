package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// file is one Go file of the repository.
type file struct {
	// name is slash-separated and relative to the root, folder its directory.
	name, folder string
	test         bool
	lines        int
	imports      []string
	syntax       *ast.File
}

// tree is the repository's Go code.
type tree struct {
	fset    *token.FileSet
	files   []*file
	folders []string // those with Go files, sorted
	all     []string // every folder, sorted
}

// read parses every Go file below root. What Go itself ignores, and testdata,
// is left out.
func read(t *testing.T, root fs.FS) *tree {
	t.Helper()
	tr := &tree{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return tr.enter(name)
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		return tr.add(root, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(tr.folders)
	tr.folders = slices.Compact(tr.folders)
	return tr
}

func (tr *tree) enter(name string) error {
	base := path.Base(name)
	if name != "." && (base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
		return fs.SkipDir
	}
	tr.all = append(tr.all, name)
	return nil
}

func (tr *tree) add(root fs.FS, name string) error {
	src, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	syntax, err := parser.ParseFile(tr.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("parsing: %w", err)
	}
	f := &file{
		name: name, folder: path.Dir(name), syntax: syntax,
		test:  strings.HasSuffix(name, "_test.go"),
		lines: strings.Count(string(src), "\n"),
	}
	for _, spec := range syntax.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		f.imports = append(f.imports, p)
	}
	tr.files = append(tr.files, f)
	tr.folders = append(tr.folders, f.folder)
	return nil
}

// own turns an import path of this module into its folder.
func own(importPath string) (folder string, ok bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}
