package history

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

// Bounds of what is remembered of calls that open folders.
// no gap: a folder that is forgotten explains less, so more is reported
const (
	maxOpened    = 200
	maxReference = 80
	maxResult    = 16 << 10
)

// opened are folders that a call named to a tool such as register_project, and the words by
// which later calls refer to it: its other arguments, and what it returned.
type opened struct {
	claims []declared.Claim
	words  map[string]bool
}

// opens reports whether a tool is called like one that opens, registers or stores a thing.
func opens(tool string) bool {
	words := lex.Words(tool)
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "open", "register", "add", "create", "new", "set", "configure", "use", "select", "connect", "import", "load", "init", "initialize", "initialise",
		"mount", "attach", "index", "watch", "track", "activate", "switch", "start", "clone", "change", "choose", "bind", "link",
		"subscribe", "invite", "save", "store", "insert", "update", "put", "upload":
		return true
	}
	return false
}

// keep remembers the folders that a call opened, once it was answered. A value of the
// server's opens nothing.
func (l *Calls) keep(c *Call, e *mcpsf.Event) {
	if e.MCP.Failed || c.tool == "" || !opens(c.tool) || len(l.opened) >= maxOpened {
		return
	}
	o := opened{words: map[string]bool{}}
	for _, claim := range l.Claims(c) {
		if !claim.ByServer && path.Ext(claim.Path) == "" {
			claim.Source = "an argument of an earlier call"
			o.claims = append(o.claims, claim)
		}
	}
	if len(o.claims) == 0 {
		return
	}
	for _, a := range c.Each() {
		o.refers(a.Value)
	}
	if len(e.MCP.Body) <= maxResult {
		o.learn(e.MCP.Body)
	}
	l.opened = append(l.opened, o)
}

// learn takes the words of a result, also of the JSON in its texts.
func (o *opened) learn(result json.RawMessage) {
	for s := range lex.Places(result, "") {
		for _, word := range strings.FieldsFunc(s.Value, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'`,;:(){}[]", r) }) {
			o.refers(word)
		}
	}
}

func (o *opened) refers(word string) {
	if word = strings.TrimRight(word, "."); word != "" && len(word) <= maxReference && !strings.HasPrefix(word, "/") {
		o.words[word] = true
	}
}

// Given returns the paths that a call names, and the folders that an earlier call opened
// to which it refers: by a word, or by naming nothing itself.
func (l *Calls) Given(c *Call) []declared.Claim {
	out := l.Claims(c)
	if len(l.opened) == 0 || c.tool == "" {
		return out
	}
	for i := range l.opened {
		if o := &l.opened[i]; o.isMeant(c) {
			out = append(slices.Clip(out), o.claims...)
		}
	}
	return out[:min(len(out), 2*lex.MaxClaims)]
}

func (o *opened) isMeant(c *Call) bool {
	all := c.Each()
	return len(all) == 0 || slices.ContainsFunc(all, func(a argument) bool { return !a.key && o.words[a.Value] })
}
