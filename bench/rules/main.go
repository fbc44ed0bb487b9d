// Command rules measures how fast a run is judged: all built-in rules over a
// million events, on one processor. It prints the processor time, which other
// processes do not affect, events per second, memory, and the ratio to merely
// decoding the same events from JSON, which judging a stored run needs as well.
// Then the same for events in which every name is a new one, as a hostile server
// can make them, and the ratio.
//
//	go run ./bench/rules                  a million events, a few minutes
//	go run ./bench/rules -profile FILE    and where the time went
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(1)
	}
}

// settings say how much is measured.
type settings struct {
	events, rounds int
	profile        string
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("rules", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.IntVar(&s.events, "events", 1_000_000, "how many events are judged")
	flags.IntVar(&s.rounds, "rounds", 5, "how often; the best counts, the others were disturbed")
	flags.StringVar(&s.profile, "profile", "", "file for a profile of the processor's time")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 || s.events < 1 || s.rounds < 1 {
		return s, errors.New("there are only flags, and every count has to be at least 1")
	}
	return s, nil
}

func run(args []string, stdout, stderr io.Writer) error {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	set, err := rules.Builtin()
	if err != nil {
		return err
	}
	events := mixed(s.events, false)
	decoding, err := decodingTime(events)
	if err != nil {
		return err
	}
	if s.profile != "" {
		f, err := os.Create(s.profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	best, err := s.best(set, events)
	if err != nil {
		return err
	}
	n := float64(len(events))
	fmt.Fprintf(stdout, "%d events, %d rules, 1 processor, best of %d\n\n", len(events), len(set.Rules()), s.rounds)
	fmt.Fprintf(stdout, "judging             %8.2f s\n", best.took.Seconds())
	fmt.Fprintf(stdout, "per second          %8.0f events\n", n/best.took.Seconds())
	fmt.Fprintf(stdout, "decoding the same   %8.2f s (judging takes %.2f times as long)\n", decoding.Seconds(), best.took.Seconds()/decoding.Seconds())
	fmt.Fprintf(stdout, "allocated           %8.0f bytes per event\n", float64(best.allocated)/n)
	fmt.Fprintf(stdout, "kept                %8.1f MB besides the events\n", float64(best.kept)/1e6)
	fmt.Fprintf(stdout, "findings            %8d\n", best.findings)
	return s.unique(set, best, stdout)
}

// unique measures the same with names that never repeat, and what each kind of
// name costs alone.
func (s settings) unique(set *rules.Set, ordinary result, stdout io.Writer) error {
	best, err := s.best(set, mixed(s.events, true))
	if err != nil {
		return err
	}
	each := ordinary.took.Seconds() / float64(s.events)
	fmt.Fprintf(stdout, "\nevery name a new one %7.2f s (%.2f times as long)\n", best.took.Seconds(), best.took.Seconds()/ordinary.took.Seconds())
	all := storms()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		n := max(1, s.events/10)
		r, err := s.best(set, all[name](n))
		if err != nil {
			return err
		}
		one := r.took.Seconds() / float64(n)
		fmt.Fprintf(stdout, "  %-18s %8.2f µs per event (%.2f times as long)\n", name, one*1e6, one/each)
	}
	return nil
}

// best judges events several times and returns the fastest.
func (s settings) best(set *rules.Set, events []mcpsf.Event) (result, error) {
	best := result{took: time.Hour}
	for range s.rounds {
		r, err := judge(set, events)
		if err != nil {
			return best, err
		}
		if r.took < best.took {
			best = r
		}
	}
	return best, nil
}

// result is one measurement.
type result struct {
	took      time.Duration
	allocated uint64
	kept      int64
	findings  int
}

func judge(set *rules.Set, events []mcpsf.Event) (result, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := processorTime()
	judged, err := set.Evaluate(events, nil, scope())
	took := processorTime() - began
	if err != nil {
		return result{}, err
	}
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	return result{took, allocated, kept, len(judged.Findings)}, nil
}

// batch is how many events are encoded at a time: all of them would take more
// memory than the measurement itself.
const batch = 50_000

func decodingTime(events []mcpsf.Event) (time.Duration, error) {
	var total time.Duration
	for first := 0; first < len(events); first += batch {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		for i := first; i < min(first+batch, len(events)); i++ {
			if err := encoder.Encode(&events[i]); err != nil {
				return 0, fmt.Errorf("writing event %d: %w", events[i].Seq, err)
			}
		}
		began := processorTime()
		for line := range bytes.Lines(text.Bytes()) {
			var e mcpsf.Event
			if err := json.Unmarshal(line, &e); err != nil {
				return 0, fmt.Errorf("reading an event: %w", err)
			}
		}
		total += processorTime() - began
	}
	return total, nil
}
