package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"
)

// workers is how many goroutines do the same at once.
const workers = 8

// way is one of the two ways that are compared: it does something once and
// returns the amount.
type way func(context.Context) (amount float64, err error)

// row is one quantity per second.
type row struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	// Least is the promised minimum, 0 if none.
	Least float64 `json:"least,omitempty"`
	// Ours and Beside are the measurements, one per round.
	Ours   []float64 `json:"ours"`
	Beside []float64 `json:"beside"`

	alone        bool // by one worker
	ours, beside way
}

// measure runs the two in turns, each first in every other round.
func (r *row) measure(ctx context.Context, rounds int, each time.Duration) error {
	for i := range rounds + 1 {
		ours, beside := 0.0, 0.0
		var err error
		if i%2 == 0 {
			ours, err = r.rate(ctx, r.ours, each)
		}
		if err == nil {
			beside, err = r.rate(ctx, r.beside, each)
		}
		if err == nil && i%2 == 1 {
			ours, err = r.rate(ctx, r.ours, each)
		}
		if err != nil {
			return err
		}
		if i > 0 { // the first is for warming up
			r.Ours, r.Beside = append(r.Ours, ours), append(r.Beside, beside)
		}
	}
	return nil
}

// rate is the amount per second.
func (r *row) rate(ctx context.Context, do way, each time.Duration) (float64, error) {
	began := time.Now()
	var (
		all    sync.WaitGroup
		mu     sync.Mutex
		done   float64
		failed error
		stop   atomic.Bool
	)
	one := func() {
		for !stop.Load() && time.Since(began) < each {
			amount, err := do(ctx)
			mu.Lock()
			done += amount
			failed = errors.Join(failed, err)
			mu.Unlock()
			if err != nil {
				stop.Store(true)
			}
		}
	}
	if r.alone {
		one()
	} else {
		for range workers {
			all.Go(one)
		}
		all.Wait()
	}
	if ctx.Err() != nil {
		return 0, errors.New("interrupted")
	}
	return done / time.Since(began).Seconds(), failed
}

// results are everything that was measured.
type results struct {
	Date    string `json:"date"`
	Machine string `json:"machine"`
	Rounds  int    `json:"rounds"`
	Rows    []*row `json:"rows"`
}

func (r *results) writeJSON(to io.Writer) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

func (r *results) writeTable(to io.Writer) error {
	fmt.Fprintf(to, "%s, %s; medians of %d rounds\n\n", r.Date, r.Machine, r.Rounds)
	table := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tours\tbeside\t\tratio\ttarget")
	for _, row := range r.Rows {
		var ratios []float64
		for i := range row.Ours {
			ratios = append(ratios, row.Ours[i]/row.Beside[i])
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%s\t%.2f\t%s\n", row.Name, median(row.Ours), median(row.Beside), row.Unit, median(ratios), row.promise())
	}
	return table.Flush()
}

func (r *row) promise() string {
	switch {
	case r.Least == 0:
		return ""
	case median(r.Ours) >= r.Least:
		return fmt.Sprintf("%g %s: met", r.Least, r.Unit)
	}
	return fmt.Sprintf("%g %s: MISSED", r.Least, r.Unit)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
