package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// measure runs the steps and prints the table.
func measure(ctx context.Context, s settings, out io.Writer) error {
	imported, err := best(ctx, s, stepImport)
	if err != nil {
		return err
	}
	looked, err := best(ctx, s, stepLookUp)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d records in exports of %d MiB; %d processors; the best of %d rounds\n\n",
		imported.Records, sizeOf(s.dir, "all.zip")>>20, runtime.NumCPU(), s.rounds)
	fmt.Fprintf(out, "%-34s %10s %10s %9s\n", "", "TIME", "PROCESSOR", "MEMORY")
	line := func(name string, took, cpu time.Duration, memory int64) {
		fmt.Fprintf(out, "%-34s %10s %10s %5d MiB\n", name, round(took), round(cpu), memory>>20)
	}
	line("import", imported.Took, imported.CPU, imported.Memory)
	fmt.Fprintf(out, "%-34s %10s\n", "open", round(looked.Open))
	line("look up 1,000 packages", looked.LookUp, looked.CPU, looked.Memory)
	fmt.Fprintf(out, "\nthe database has %.1f MiB\n", float64(sizeOf(s.dir, ".advisories"))/(1<<20))
	if s.alone {
		return nil
	}
	other, err := best(ctx, s, stepOther)
	if err != nil {
		return err
	}
	fmt.Fprintln(out)
	line("osvlocal: look up 1,000 packages", other.Took, other.CPU, other.Memory)
	fmt.Fprintf(out, "\nof the processor osvlocal takes %.0f times as much for a look-up, and %.1f times\n",
		ratio(other.CPU, looked.CPU), ratio(other.CPU, imported.CPU+looked.CPU))
	fmt.Fprintf(out, "as much as an import and a look-up together; of memory %.0f times as much\n", float64(other.Memory)/float64(looked.Memory))
	return compare(out, looked.Found, other.Found)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// compare prints what only one of the matchers found. It is an error if the
// other found more.
func compare(out io.Writer, ours, theirs found) error {
	less, more := difference(theirs, ours), difference(ours, theirs)
	total := 0
	for _, ids := range theirs {
		total += len(ids)
	}
	fmt.Fprintf(out, "osvlocal finds %d records about %d packages; ours lacks %d and has %d more\n", total, len(theirs), len(less), len(more))
	for _, line := range less {
		fmt.Fprintln(out, "  lacking:", line)
	}
	for _, line := range more {
		fmt.Fprintln(out, "  more:   ", line)
	}
	if len(more) > 0 {
		fmt.Fprintln(out, "(it does not look at ranges that follow one over commits)")
	}
	if len(less) > 0 {
		return fmt.Errorf("%d findings of osvlocal are lacking", len(less))
	}
	return nil
}

// difference returns what a has and b has under none of its ids.
func difference(a, b found) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		has := slices.Concat(b[name]...)
		for _, ids := range a[name] {
			if !slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(has, id) }) {
				lines = append(lines, name+" "+ids[0])
			}
		}
	}
	return lines
}

func round(d time.Duration) string {
	if d < 100*time.Millisecond {
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(10 * time.Millisecond).String()
}

// sizeOf sums up the sizes of the files below dir with that suffix.
func sizeOf(dir, suffix string) (total int64) {
	for _, pattern := range []string{"*", "*/*"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern+suffix))
		if err != nil {
			continue
		}
		for _, name := range names {
			if info, err := os.Stat(name); err == nil {
				total += info.Size()
			}
		}
	}
	return total
}
