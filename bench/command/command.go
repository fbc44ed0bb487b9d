// Package command is the frame of the benchmarks' main functions.
//
// In: the name of a benchmark and its function. Out: the exit status of the
// process.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Run calls run with a context that ends at an interrupt, and prints its error.
// It returns 2 for wrong flags, which package flag has reported already, 1 for
// any other error and 0 for none.
func Run(name string, run func(ctx context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 2
	case err != nil:
		fmt.Fprintln(os.Stderr, name+":", err)
		return 1
	}
	return 0
}
