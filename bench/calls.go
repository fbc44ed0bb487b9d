package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// maxLine is the longest answer the benchmark's own programs give.
const maxLine = 1 << 20

// client speaks lines of JSON-RPC with as little ado as possible: what is
// measured is the server, not the harness.
type client struct {
	in   io.Writer
	out  *bufio.Reader
	last int
}

// ask sends a request and decodes the result of its answer.
func (c *client) ask(method string, params map[string]any, result any) error {
	c.last++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.last, "method": method, "params": params})
	if err != nil {
		return fmt.Errorf("asking for %s: %w", method, err)
	}
	if _, err := c.in.Write(append(request, '\n')); err != nil {
		return fmt.Errorf("asking for %s: %w", method, err)
	}
	line, err := c.out.ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("waiting for the answer to %s: %w", method, err)
	}
	var answer struct {
		ID     int             `json:"id"`
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &answer); err != nil || answer.ID != c.last || answer.Result == nil {
		return fmt.Errorf("%s was answered with %.200q", method, line)
	}
	return json.Unmarshal(answer.Result, result)
}

func (c *client) initialize() error {
	return c.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"},
	}, &struct{}{})
}

// servers measures what a user of an MCP server notices: how long until it
// answers, how fast it answers from then on, and the memory it takes.
func servers(ctx context.Context, l *lab) ([]*row, error) {
	var rows []*row
	for _, dir := range []string{"examples/notes-node", "examples/notes-python"} {
		ready := &row{Name: label("start to initialize", dir), Unit: "s"}
		started := &row{Name: label("  of it sandbox.Start", dir), Unit: "s"}
		calls := &row{Name: label("calls per second", dir), Unit: "/s", MoreIsBetter: true}
		own := &row{Name: label("memory of the sandbox", dir), Unit: "MB", Limit: 150}
		target := &row{Name: label("memory of the server", dir), Unit: "MB"}
		err := l.eachTurn(ctx, dir, func(w way, s *server) error {
			if err := s.initialize(); err != nil {
				return err
			}
			ready.add(w, time.Since(s.begun).Seconds())
			begin := time.Now()
			for range l.calls {
				if err := s.ask("tools/call", map[string]any{"name": "list_notes", "arguments": map[string]any{}}, &struct{}{}); err != nil {
					return err
				}
			}
			calls.add(w, float64(l.calls)/time.Since(begin).Seconds())
			used, err := measureMemory()
			if err != nil {
				return err
			}
			target.add(w, used.server)
			if w != native {
				started.add(w, s.started.Seconds())
				own.add(w, used.sandbox)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, ready, started, calls, own, target)
	}
	return rows, nil
}
