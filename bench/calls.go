package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"time"
)

// maxLine is the longest answer of the benchmark's own programs.
const maxLine = 1 << 20

// client speaks JSON-RPC with as little overhead as possible, to measure the
// server and not the driver.
type client struct {
	in   io.Writer
	out  *bufio.Reader
	last int
}

// ask sends a request and decodes the result.
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

func (c *client) call(tool string) error {
	return c.ask("tools/call", map[string]any{"name": tool, "arguments": map[string]any{}}, &struct{}{})
}

// calls measures how fast a server answers, one request after the other.
func calls(ctx context.Context, l *lab) ([]*row, error) {
	var rows []*row
	for _, dir := range examples() {
		r := &row{Name: "calls of " + filepath.Base(dir), Unit: "per s", MoreIsBetter: true, MaxHooks: maxHooks}
		count := max(l.calls/pieces, 1)
		err := l.sideBySide(ctx, dir, func(w way, s *server) error {
			begin := time.Now()
			for range count {
				if err := s.call("list_notes"); err != nil {
					return err
				}
			}
			r.add(w, float64(count)/time.Since(begin).Seconds())
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}
