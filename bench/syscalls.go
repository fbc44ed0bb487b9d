package main

import (
	"context"
)

// syscalls measures the cost of one system call of each kind, in a program that
// does nothing else and measures the time itself.
func syscalls(ctx context.Context, l *lab) ([]*row, error) {
	var rows []*row
	for _, work := range []struct {
		name  string
		count int
	}{{"pread", l.preads}, {"open+close", l.opens}, {"stat", l.opens}} {
		count := max(work.count/pieces, 1)
		price := &row{Name: "one " + work.name, Unit: "µs"}
		events := &row{Name: "  its events", Unit: "per s"}
		err := l.sideBySide(ctx, "bench/work", func(w way, s *server) error {
			before := s.records.Load()
			var result struct {
				Seconds float64 `json:"seconds"`
			}
			if err := s.ask(work.name, map[string]any{"count": count}, &result); err != nil {
				return err
			}
			price.add(w, result.Seconds/float64(count)*1e6)
			if w == observed {
				events.add(w, float64(s.records.Load()-before)/result.Seconds)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, price, events)
	}
	return rows, nil
}
