package loose

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

func calls(n *syntax.Node, out *[]string) {
	if n == nil {
		return
	}
	if n.Kind == syntax.Call {
		*out = append(*out, called(n.Kid(0)))
	}
	for _, k := range n.Kids {
		calls(k, out)
	}
}

func called(n *syntax.Node) string {
	switch {
	case n.Is(syntax.Name):
		return n.Text
	case n.Is(syntax.Member):
		return called(n.Kid(0)) + "." + n.Text
	}
	return "?"
}

// TestRead checks that calls and imports are found in invalid source.
func TestRead(t *testing.T) {
	for _, tt := range []struct {
		lang ir.Language
		src  string
		want string
	}{
		{ir.JavaScript, "}}} a.b('c') ]]] d(e('f') + g.h(1", "a.b d e g.h"},
		{ir.JavaScript, "import { x as y } from 'm'; y.z('a' + 'b');", "y.z"},
		{ir.Python, "class : a.b('c') ::: d[1](e)", "a.b ?"},
		{ir.TypeScript, "const a: B<C> = d<E>(f());", "f"},
	} {
		var got []string
		calls(Read([]byte(tt.src), tt.lang).Root, &got)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %v, want %s", tt.src, got, tt.want)
		}
	}
}

func TestImports(t *testing.T) {
	for _, tt := range []struct {
		lang      ir.Language
		src, want string
	}{
		{ir.JavaScript, "import { exec } from 'cp'", "cp exec=exec"},
		{ir.JavaScript, "import { exec as run, spawn } from 'cp'", "cp exec=run spawn=spawn"},
		{ir.JavaScript, "import fs from 'fs'", "fs default=fs"},
		{ir.JavaScript, "import * as os from 'os'", "os *=os"},
		{ir.JavaScript, "import a, { b } from 'c'", "c default=a b=b"},
		{ir.Python, "import os.path as p", "os.path *=p"},
		{ir.Python, "from a.b import c as d, e", "a.b c=d e=e"},
	} {
		root := Read([]byte(tt.src), tt.lang).Root
		if len(root.Kids) == 0 || !root.Kids[0].Is(syntax.Import) {
			t.Errorf("%s: no import", tt.src)
			continue
		}
		got := root.Kids[0].Text
		for _, p := range root.Kids[0].Kids {
			got += " " + p.Text + "=" + p.Kid(0).Text
		}
		if got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.src, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"import {a} from 'b'; c[d](e)", "from a import b\nc('d')", "((((", "a.b.c", "`${a(`"} {
		f.Add([]byte(s), true)
		f.Add([]byte(s), false)
	}
	f.Fuzz(func(t *testing.T, src []byte, script bool) {
		lang := ir.Python
		if script {
			lang = ir.JavaScript
		}
		if Read(src, lang).Root == nil {
			t.Fatal("no tree")
		}
	})
}
