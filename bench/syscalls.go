package main

import (
	"context"
	"fmt"
)

// syscalls measures the price of one system call of each kind, which no
// server pays in such numbers. The program takes the time itself.
func syscalls(ctx context.Context, l *lab) ([]*row, error) {
	const dir = "bench/work"
	work := []struct {
		method string
		count  int
		row    *row
	}{
		{"pread", l.preads, &row{Unit: "µs"}},
		{"open+close", l.opens, &row{Unit: "µs"}},
		{"stat", l.opens, &row{Unit: "µs"}},
	}
	events := &row{Name: "events per second, pread", Unit: "/s", MoreIsBetter: true}
	err := l.eachTurn(ctx, dir, func(w way, s *server) error {
		for i, job := range work {
			before := s.records.Load()
			var result struct {
				Seconds float64 `json:"seconds"`
			}
			if err := s.ask(job.method, map[string]any{"count": job.count}, &result); err != nil {
				return err
			}
			job.row.add(w, result.Seconds/float64(job.count)*1e6)
			if i == 0 && w == observed {
				events.add(w, float64(s.records.Load()-before)/result.Seconds)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var rows []*row
	for _, job := range work {
		job.row.Name = fmt.Sprintf("one %s of %d", job.method, job.count)
		rows = append(rows, job.row)
	}
	return append(rows, events), nil
}
