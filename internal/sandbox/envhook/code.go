package envhook

import (
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
)

//go:embed code.py
var pythonCode string

//go:embed code.cjs
var nodeCode string

// Own says which files are the server's own: those below a root, except for what
// package managers installed there under other names.
type Own struct {
	Roots []string `json:"roots"`
	Names []string `json:"names"`
}

// Code makes Python and Node report which of the server's own code they run.
// The messages go where reads of variables go: into a system call that only our
// kernel understands. Each is a letter, numbers, a tab and the file:
//
//	s  the language begins to report (no file)
//	f  functions that the file has, by line (Python) or offset (Node)
//	r  functions of these that have run
//	l  lines in which every call has run (Python)
//	n  the length of the file as it was compiled (Node)
//	o  stretches that have run, from-to (Node)
//	x  the file was compiled from different sources
type Code struct {
	Prefix string `json:"prefix"`
	Own    Own    `json:"own"`
}

// NewCode makes the hooks of a run from a secret.
func NewCode(secret [16]byte, own Own) *Code {
	return &Code{Prefix: "/run/user/1000/." + hex.EncodeToString(secret[:]) + "/", Own: own}
}

// Python is the code that is appended to [Carrier].
func (c *Code) Python() string { return "\n" + comments.ReplaceAllString(c.fill(pythonCode), "") }

// Node is a script that Node loads before the server.
func (c *Code) Node() string { return c.fill(nodeCode) }

func (c *Code) fill(code string) string {
	return strings.NewReplacer("@CODE@", c.Prefix, "@ROOTS@", listed(c.Own.Roots), "@NAMES@", listed(c.Own.Names)).Replace(code)
}

// listed writes a list of texts as both languages read it.
func listed(texts []string) string {
	out, err := json.Marshal(texts)
	if err != nil || texts == nil {
		return "[]"
	}
	return string(out)
}
