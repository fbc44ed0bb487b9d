package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// obfuscated finds code that was made unreadable on purpose, unlike the output
// of compilers and minifiers.
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

const (
	// turnWithin is the maximum number of lines between removing the first
	// element of a list and appending it, and sumWithin that between this and
	// the sum.
	turnWithin, sumWithin = 3, 40
	// sumOf is how many numbers are parsed from the list.
	sumOf = 4
)

// rotator finds the string-array rotation of obfuscators: the first element of
// a list of strings is moved to its end until a checksum over numbers parsed
// from it is right.
func rotator(f *ir.File, add adder) {
	type list struct {
		in   int
		name string
	}
	shifts, numbers := map[list][]int{}, map[int][]int{} // the lines of each
	for i := range f.Calls {
		c := &f.Calls[i]
		if name, ok := strings.CutSuffix(c.Name, ".shift"); ok && name != "" {
			shifts[list{c.Func, name}] = append(shifts[list{c.Func, name}], c.Line)
		}
		if c.Name == "parseInt" {
			numbers[c.Func] = append(numbers[c.Func], c.Line)
		}
	}
	for _, lines := range shifts {
		slices.Sort(lines)
	}
	for _, lines := range numbers {
		slices.Sort(lines)
	}
	for i := range f.Calls {
		c := &f.Calls[i]
		name, ok := strings.CutSuffix(c.Name, ".push")
		if ok && near(shifts[list{c.Func, name}], c.Line, turnWithin) > 0 && near(numbers[c.Func], c.Line, sumWithin) >= sumOf {
			add(60, c.Line, "rotated strings", "turns a list of strings round until a sum is right")
			return
		}
	}
}

// near counts the lines close to one; they are sorted.
func near(lines []int, line, most int) int {
	from, _ := slices.BinarySearch(lines, line-most)
	to, _ := slices.BinarySearch(lines, line+most+1)
	return to - from
}

// hiddenCalls finds capabilities whose name is assembled from parts.
func hiddenCalls(f *ir.File, add adder) {
	n := 0
	for i := range f.Calls {
		c := &f.Calls[i]
		if p := capabilityOf(c); p != "" && p != mcpsf.CapabilityFiles && p != mcpsf.CapabilityEnviron && c.Hidden {
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

// madeOn reports whether the name of an import was computed.
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
		if capabilityOf(c) != mcpsf.CapabilityDynamic {
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
