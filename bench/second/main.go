// Command second measures how soon a server that was assessed before can be
// used again: the time from the beginning of an assessment, with everything in the
// cache, until tools/list is answered, compared with the same server without mcpsf.
//
//	go run ./bench/second     from the top folder of the repository
//
// The first assessment fills a cache of the benchmark's own and needs the npm
// registry. The two ways then take turns; the difference is taken within a
// turn. The server is our own, so it may run natively.
package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/mcpsf/mcpsf/bench/command"
	"github.com/mcpsf/mcpsf/internal/sandbox/box"
)

const rounds = 7

func main() {
	box.Dispatch()
	os.Exit(command.Run("second", measure))
}

func measure(ctx context.Context) error {
	b, err := newBench(os.Getenv)
	if err != nil {
		return err
	}
	defer b.close()
	fmt.Fprintln(os.Stderr, "installing")
	first, err := b.assess(ctx)
	if err != nil {
		return err
	}
	if err := b.unpack(); err != nil {
		return err
	}
	var native, second, difference, ratio []float64
	for range rounds {
		n, err := b.native(ctx)
		if err != nil {
			return err
		}
		s, err := b.assess(ctx)
		if err != nil {
			return err
		}
		native, second = append(native, n), append(second, s)
		difference, ratio = append(difference, s-n), append(ratio, s/n)
	}
	fmt.Printf("until tools/list is answered, medians of %d turns\n", rounds)
	fmt.Printf("  the server by itself       %6.2f s\n", median(native))
	fmt.Printf("  a second assessment        %6.2f s\n", median(second))
	fmt.Printf("  difference                 %6.2f s   ratio %.1f\n", median(difference), median(ratio))
	fmt.Printf("  the first, with npm        %6.2f s\n", first)
	return nil
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
