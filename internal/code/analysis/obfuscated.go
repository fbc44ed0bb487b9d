package analysis

import (
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/code/ir"
)

// obfuscated finds code that is written so that nobody can read it, which is
// not what compilers and minifiers do.
func obfuscated(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for _, f := range p.Files {
		var reasons []string
		score, line, name := 0, 0, ""
		add := func(points, at int, word, reason string) {
			if points > 0 && (name == "" || points > score) {
				name, line = word, at
			}
			score += points
			if points > 0 {
				reasons = append(reasons, reason)
			}
		}
		s := &f.Shape
		if s.HexDistinct >= 8 && s.Hex*7 >= s.Idents {
			add(60, 0, "hexadecimal names", fmt.Sprintf("%d of %d identifiers are like _0x1a2b", s.Hex, s.Idents))
		}
		if s.Packed {
			add(70, 0, "packer", "unpacks itself with eval(function(p,a,c,k,e,...")
		}
		if s.Tokens > 300 && s.Punct*100 > s.Tokens*95 && s.Idents*50 < s.Tokens {
			add(80, 0, "symbols only", "written with brackets and signs only")
		}
		if s.Escaped > 120 && s.Escaped*4 > s.StringBytes/2 {
			add(50, 0, "escaped letters", fmt.Sprintf("%d letters in strings are written as numbers", s.Escaped))
		}
		rotator(f, add)
		hiddenCalls(f, add)
		decodedCode(f, add)
		if score >= 50 {
			out = append(out, fact(f, line, name, fmt.Sprintf("score %d: %s", min(score, 100), strings.Join(reasons, "; "))))
		}
	}
	return out
}

type adder func(points, line int, word, reason string)

// rotator finds a list of texts that is turned round until a sum is right.
func rotator(f *ir.File, add adder) {
	type seen struct{ push, shift, parse, line int }
	in := map[int]*seen{}
	for i := range f.Calls {
		c := &f.Calls[i]
		s := in[c.Func]
		if s == nil {
			s = &seen{}
			in[c.Func] = s
		}
		switch {
		case strings.HasSuffix(c.Name, ".push"):
			s.push++
			s.line = c.Line
		case strings.HasSuffix(c.Name, ".shift"):
			s.shift++
		case c.Name == "parseInt":
			s.parse++
		}
	}
	for _, s := range in {
		if s.push > 0 && s.shift > 0 && s.parse >= 4 {
			add(60, s.line, "rotated strings", "turns a list of strings round until a sum is right")
			return
		}
	}
}

// hiddenCalls finds powers whose name is put together from pieces.
func hiddenCalls(f *ir.File, add adder) {
	n := 0
	for i := range f.Calls {
		c := &f.Calls[i]
		if p := powerOf(c); p != "" && p != mcpsf.PowerFiles && p != mcpsf.PowerEnviron && c.Hidden {
			if n++; n <= 3 {
				add(55, c.Line, "hidden name", c.Name+" is called by a name that is put together")
			}
		}
	}
	for _, im := range f.Imports {
		if im.Dynamic && !im.Unknown && sensitive(im.Module) && madeOn(f, im) {
			add(55, im.Line, "hidden import", im.Module+" is imported by a name that is put together")
		}
	}
}

func sensitive(module string) bool {
	switch strings.TrimPrefix(module, "node:") {
	case "child_process", "vm", "net", "http", "https", "dgram", "os", "subprocess", "socket", "ctypes", "pty", "fs", "worker_threads":
		return true
	}
	return false
}

// madeOn tells whether the name of an import does not stand on its line.
func madeOn(f *ir.File, im ir.Import) bool {
	plain := false
	made := false
	for i := range f.Texts {
		t := &f.Texts[i]
		if t.Line != im.Line || t.Text != im.Module {
			continue
		}
		plain = plain || !t.Made
		made = made || t.Made
	}
	return made && !plain
}

// decodedCode finds code that is decoded and run.
func decodedCode(f *ir.File, add adder) {
	for i := range f.Calls {
		c := &f.Calls[i]
		if powerOf(c) != mcpsf.PowerDynamic {
			continue
		}
		for _, a := range c.Args {
			if a.Marks&ir.MarkDecoded != 0 {
				add(70, c.Line, "decoded code", c.Name+" runs what was decoded before")
				return
			}
		}
	}
}
