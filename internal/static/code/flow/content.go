package flow

import (
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/syntax"
)

// content is a part of the result of a tool, as far as it was read: its text is written
// for the client, so that it must be one.
type content struct {
	text bool
	node int
}

// part notes a member of what may be a content: {type: "text", text: x}.
func (b *graph) part(c *content, name string, v val) {
	switch name {
	case "type":
		c.text = plainText(v) == "text"
	case "text":
		c.node = v.node
	}
	if c.text {
		b.use(c.node, ir.UseShown)
	}
}

// contents follows TextContent(type="text", text=x).
func (b *libraries) contents(args []*syntax.Node) {
	said := content{text: true}
	for _, a := range args {
		if a.Is(syntax.Keyword) && a.Text == "text" {
			b.part(&said, a.Text, b.expr(a.Kid(0)))
		} else {
			b.calls.argument(a)
		}
	}
}
