package sequence

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// PutChoice puts one of the values that the result of a tool gives for an argument, by
// its rank, and returns how many there are. It returns the input itself and false if
// there is none of that rank, or it fits not.
func PutChoice(m *chain.Memory, tool *mcpsf.Tool, in schema.Input, l mcpsf.Link) (out schema.Input, of int, ok bool) {
	choices := choicesFor(m, tool, in, l)
	if l.Rank < 1 || l.Rank > len(choices) {
		return in, len(choices), false
	}
	out, ok = putValue(m, tool, in, l.Pointer, choices[l.Rank-1])
	return out, len(choices), ok
}

// RankOf returns the rank of the value that an input has among those that a result
// gives, 0 if it is none of them.
func RankOf(m *chain.Memory, tool *mcpsf.Tool, in schema.Input, l mcpsf.Link) int {
	raw, there := schema.Get(in.JSON, l.Pointer)
	if !there {
		return 0
	}
	for i, choice := range choicesFor(m, tool, in, l) {
		out, ok := putValue(m, tool, in, l.Pointer, choice)
		if put, is := schema.Get(out.JSON, l.Pointer); ok && is && string(put) == string(raw) {
			return i + 1
		}
	}
	return 0
}

// choicesFor lists what a result gives for an argument. Of a value of the server's
// nothing follows for what another one may name.
func choicesFor(m *chain.Memory, tool *mcpsf.Tool, in schema.Input, l mcpsf.Link) []any {
	var current any
	raw, there := schema.Get(in.JSON, l.Pointer)
	if text, ok := jsonrpc.String(raw); there && ok && in.Server.At(l.Pointer) == "" {
		current = text
	}
	return m.Choices(tool, nameOf(l.Pointer), l.Tool, current)
}
