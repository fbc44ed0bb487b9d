package session

import (
	"github.com/mcpsf/mcpsf/internal/drive/jsonrpc"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// otherwise returns a call with another input for a tool that refused one and said
// nothing that would help: with all optional arguments, then with the required ones
// alone. It returns false if later rounds send these anyway.
func (t *toolCaller) otherwise(i int, r request) (request, bool) {
	tool := &t.out.Tools[i]
	if t.inputs.Rounds > 1 || t.repairs.spent(tool) {
		return r, false
	}
	if full, err := t.request(i, 1); err == nil {
		full = full.with(t.taught(tool, full.input(), full.input()))
		if !t.repairs.wasSent(tool, full.input()) {
			t.repairs.count(tool)
			return full, true
		}
	}
	least, err := schema.Minimal(t.schemaOf(tool), t.inputs.Values.ForTool(tool), t.inputs.Seed+uint64(i))
	if err == nil && jsonrpc.IsObject(least.JSON) && !t.repairs.wasSent(tool, least) {
		t.repairs.count(tool)
		return r.with(least), true
	}
	return r, false
}
