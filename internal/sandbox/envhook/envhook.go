// Package envhook makes language runtimes report which environment variables
// are read. In go the run's secret and the bytes of a C library; out come what
// the sandbox's kernel adds to a source file of Python and writes over the
// start of a function of the C library that Node calls.
//
// Both make one system call per read, which only our kernel understands and
// which fails as it would anywhere else. There is no descriptor, no file, no
// variable and no process that a program could find, and the order with
// everything else a program does is the kernel's own.
//
// The package only computes: what is done with its results is the kernel's
// business.
package envhook

import (
	_ "embed"
	"encoding/hex"
	"regexp"
	"strings"
)

//go:embed hook.py
var python string

// Hooks are what the reads of one run are told by. A target that knew them
// could tell of reads that did not happen, and nothing else.
type Hooks struct {
	// Prefix is what the path begins with that Python asks access to: the
	// name of the variable follows.
	Prefix string `json:"prefix"`
	// Number is the system call that Node makes with the name.
	Number uint32 `json:"number"`
}

// Calls of Linux end long before lowest; gVisor's table ends at highest.
const lowest, highest = 700, 1999

// New makes the hooks of a run from a secret of its own.
func New(secret [16]byte) *Hooks {
	n := uint32(secret[0])<<8 | uint32(secret[1])
	return &Hooks{
		Prefix: "/run/user/1000/." + hex.EncodeToString(secret[2:]) + "/",
		Number: lowest + n%(highest-lowest+1),
	}
}

// comments are lines of the hook that Python need not read at every start.
var comments = regexp.MustCompile(`(?m)^\s*(#.*)?\n`)

// Python is what is put behind the source of [Carrier].
func (h *Hooks) Python() string {
	return "\n" + strings.Replace(comments.ReplaceAllString(python, ""), "@PREFIX@", h.Prefix, 1)
}

// Carrier is a module that every Python loads before anything else runs, in
// which no program of the target has a part.
const Carrier = "utf_8"

// carrier matches what Python keeps of that module once it is compiled, and
// the source it was compiled from.
var carrier = regexp.MustCompile(`^(/.*/encodings/)(?:__pycache__/)?` + Carrier + `(\.cpython-3\d+(?:\.opt-\d)?\.pyc(\.\d+)?|\.py)$`)

// File says what a file is to Python.
type File uint8

// The files that carry the hook.
const (
	// Other files have no part in it.
	Other File = iota
	// Source is what the hook is put behind.
	Source
	// Compiled is what Python must not find, or it does not read the source.
	Compiled
	// Compiling is what Python writes when it did not find it.
	Compiling
)

// Recognise says what a file is, and for Compiled where Python keeps the
// source of it, unless it keeps compiled files in a place of their own.
func Recognise(path string) (what File, source string) {
	if !strings.Contains(path, "/"+Carrier+".") {
		return Other, ""
	}
	parts := carrier.FindStringSubmatch(path)
	switch {
	case parts == nil:
		return Other, ""
	case parts[2] == ".py":
		return Source, path
	case parts[3] != "":
		return Compiling, ""
	}
	return Compiled, parts[1] + Carrier + ".py"
}
