// Package envhook makes language runtimes report which environment variables
// are read, and on demand which code of the server runs ([Code]). It takes the run's secret and the bytes of a C library. It returns
// what the sandbox's kernel appends to a source file of Python, and what it
// writes over the start of the C library function that Node calls.
//
// Both make one system call per read, which only our kernel understands and
// which fails as it would anywhere else. There is no descriptor, file, variable
// or process that a program could find, and the kernel's own order of events
// applies.
//
// The package only computes; the kernel applies its results.
package envhook

import (
	_ "embed"
	"encoding/hex"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

//go:embed hook.py
var python string

// Hooks are the identifiers by which the reads of one run are reported. A
// target that knew them could only report reads that did not happen.
type Hooks struct {
	// Prefix begins the path that Python asks access to: the name of the
	// variable follows, after "?" if it was only asked whether it is set.
	Prefix string `json:"prefix"`
	// Number is the system call that Node makes with the name.
	Number uint32 `json:"number"`
	// Code also makes them report what code runs; nil does not.
	Code *Code `json:"code,omitempty"`
}

// Linux system calls end long before lowest; gVisor's table ends at highest.
const lowest, highest = 700, 1999

// New makes the hooks of a run from its secret.
func New(secret [16]byte) *Hooks {
	n := uint32(secret[0])<<8 | uint32(secret[1])
	return &Hooks{
		Prefix: "/run/user/1000/." + hex.EncodeToString(secret[2:]) + "/",
		Number: lowest + n%(highest-lowest+1),
	}
}

// comments matches lines of the hook that Python need not read at every start.
var comments = lazyregexp.New(`(?m)^\s*(#.*)?\n`)

// Python is the code appended to the source of [Carrier].
func (h *Hooks) Python() string {
	text := "\n" + strings.Replace(comments.ReplaceAllString(python, ""), "@PREFIX@", h.Prefix, 1)
	if h.Code != nil {
		text += h.Code.Python()
	}
	return text
}

// Carrier is a module that every Python loads before anything else runs, and
// that the target cannot replace.
const Carrier = "utf_8"

// carrier matches the compiled file of that module, and its source.
var carrier = lazyregexp.New(`^(/.*/encodings/)(?:__pycache__/)?` + Carrier + `(\.cpython-3\d+(?:\.opt-\d)?\.pyc(\.\d+)?|\.py)$`)

// File is the role of a file for the hook.
type File uint8

// The files that carry the hook.
const (
	// Other files have no role.
	Other File = iota
	// Source is the file that the hook is appended to.
	Source
	// Compiled must look absent to Python, or Python does not read the source.
	Compiled
	// Compiling is the file that Python writes when Compiled is absent.
	Compiling
)

// Recognise returns the role of a file, and for Compiled the path of its
// source, unless Python keeps compiled files in a separate directory.
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
