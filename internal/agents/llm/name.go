package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// safeName is a tool name that all providers accept, safeID a call id.
var (
	safeName = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)
	safeID   = lazyregexp.New(`^[a-zA-Z0-9_-]{1,40}$`)
	notSafe  = lazyregexp.New(`[^a-zA-Z0-9_-]+`)
)

// naming gives each tool a valid and unique name, which is always the same for
// the same tools.
type naming struct {
	tools []Tool
	wire  []string       // by tool
	index map[string]int // by sent name, counted from 1
}

func newNaming(tools []Tool) *naming {
	n := &naming{tools: tools, wire: make([]string, len(tools)), index: make(map[string]int)}
	// Valid names first, so that no replacement takes one of them.
	for i, t := range tools {
		if safeName.MatchString(t.Name) && n.index[t.Name] == 0 {
			n.wire[i], n.index[t.Name] = t.Name, i+1
		}
	}
	for i, t := range tools {
		if n.wire[i] != "" {
			continue
		}
		for again := 0; ; again++ {
			name := replacement(t.Name, i, again)
			if n.index[name] == 0 {
				n.wire[i], n.index[name] = name, i+1
				break
			}
		}
	}
	return n
}

// replacement keeps the valid part of a name, so that the model still
// understands it.
func replacement(name string, i, again int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", name, i, again))
	kept := strings.Trim(notSafe.ReplaceAllString(name, "_"), "_")
	if kept == "" {
		kept = "tool"
	}
	return kept[:min(len(kept), 55)] + "_" + hex.EncodeToString(sum[:4])
}

// to is the sent name for a call of an earlier turn.
func (n *naming) to(c Call) string {
	if c.Tool > 0 && c.Tool <= len(n.tools) && n.tools[c.Tool-1].Name == c.Name {
		return n.wire[c.Tool-1]
	}
	for i, t := range n.tools {
		if t.Name == c.Name {
			return n.wire[i]
		}
	}
	if safeName.MatchString(c.Name) {
		return c.Name
	}
	return replacement(c.Name, -1, 0)
}

// from is the tool that a model named. A made-up name stays as it is.
func (n *naming) from(wire string) (name string, tool int) {
	if i := n.index[wire]; i > 0 {
		return n.tools[i-1].Name, i
	}
	return wire, 0
}
