// Command code measures how fast source is read and with how much memory, and
// compares parsing with loose reading.
//
//	go run ./bench/code DIR...     each DIR has unpacked packages; none of them is run
//
// For each language it prints the amount of source, how fast a child parsed it,
// how fast it was read loosely, the child's peak memory, how many files were
// parsed completely, and how many of the capabilities that parsing finds are also
// found by loose reading. Then it prints the cost of reading the whole folder.
package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/static/code"
	"github.com/mcpsf/mcpsf/internal/static/code/child"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// maxBytes is how much of each language is measured.
const maxBytes = 24 << 20

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := code.Child(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dirs []string, out io.Writer) error {
	if len(dirs) == 0 {
		return fmt.Errorf("name folders with unpacked packages")
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| language | files | MB | parsed MB/s | loose MB/s | whole | powers loose finds |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- |")
	for _, lang := range []ir.Language{ir.JavaScript, ir.TypeScript, ir.Python} {
		if r := measure(collect(dirs, lang)); r.files > 0 {
			fmt.Fprintf(out, "| %s | %d | %.1f | %.1f | %.1f | %.1f%% | %.0f%% |\n", lang, r.files, mb(r.bytes), mb(r.bytes)/r.parse.Seconds(), mb(r.bytes)/r.loose.Seconds(),
				100*float64(r.whole)/float64(r.files), 100*float64(r.both)/float64(max(1, r.powers)))
		}
	}
	fmt.Fprintln(out, "\n| folder | files | MB | seconds | largest child MB |\n| --- | --- | --- | --- | --- |")
	for _, dir := range dirs {
		start := time.Now()
		r, err := code.Read(ctx, os.DirFS(dir), &code.Options{Self: []string{exe, "child"}, DependencyTime: 10 * time.Minute, DependencyBytes: 200 << 20})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "| %s | %d | %.1f | %.1f | %d |\n", filepath.Base(dir), r.Files.Source, mb(int(r.Files.Bytes)), time.Since(start).Seconds(), childMemory())
	}
	return nil
}

func mb(n int) float64 { return float64(n) / 1e6 }

// collect reads the files of a language.
func collect(dirs []string, lang ir.Language) []*ir.Request {
	endings := map[ir.Language][]string{ir.JavaScript: {".js", ".mjs", ".cjs"}, ir.TypeScript: {".ts", ".mts", ".cts", ".tsx"}, ir.Python: {".py"}}[lang]
	var out []*ir.Request
	total := 0
	for _, dir := range dirs {
		root := os.DirFS(dir)
		names, err := fs.Glob(root, "*")
		if err != nil {
			continue
		}
		for len(names) > 0 && total < maxBytes {
			at := names[0]
			names = names[1:]
			below, err := fs.ReadDir(root, at)
			if err == nil {
				for _, d := range below {
					names = append(names, at+"/"+d.Name())
				}
				continue
			}
			if !slices.Contains(endings, filepath.Ext(at)) || strings.Contains(at, ".d.") {
				continue
			}
			if src, err := fs.ReadFile(root, at); err == nil && len(src) <= 2<<20 {
				total += len(src)
				out = append(out, &ir.Request{Path: at, Language: lang, Markup: strings.HasSuffix(at, "x"), Source: src})
			}
		}
	}
	return out
}

type measured struct {
	files, bytes, whole, powers, both int
	parse, loose                      time.Duration
}

// measure reads files in this process, in both ways.
func measure(list []*ir.Request) measured {
	var m measured
	for _, q := range list {
		m.files++
		m.bytes += len(q.Source)
		start := time.Now()
		parsed := child.Parse(q)
		m.parse += time.Since(start)
		start = time.Now()
		loosely := child.Loosely(q, "")
		m.loose += time.Since(start)
		if parsed.Whole {
			m.whole++
		}
		there := powers(loosely)
		for name := range powers(parsed) {
			m.powers++
			if there[name] {
				m.both++
			}
		}
	}
	return m
}

// powers returns the most important capabilities of a file.
func powers(f *ir.File) map[string]bool {
	out := map[string]bool{}
	for i := range f.Calls {
		name := f.Calls[i].Name
		for _, p := range []string{"child_process.", "subprocess.", "os.system", "eval", "exec", "Function", "fetch", "https.", "http.", "requests.", "fs.", "open", "socket."} {
			if f.Calls[i].To < 0 && (name == p || strings.HasSuffix(p, ".") && strings.HasPrefix(name, p)) {
				out[name] = true
			}
		}
	}
	return out
}
