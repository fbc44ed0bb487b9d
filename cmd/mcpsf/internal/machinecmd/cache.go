package machinecmd

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// cacheCommand is the command cache.
type cacheCommand struct{ *program.Program }

// Cache shows, checks and clears the cache.
func Cache(p *program.Program) *cobra.Command {
	c := &cacheCommand{p}
	var format string
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show, check and clear the cache of downloads and installations",
		Long: `Published packages and installed trees are kept, so that a second assessment
of the same version needs no network. Everything is checked byte by byte before
it is used again.

MCPSF_CACHE names another directory, MCPSF_CACHE_SIZE how much is kept (20g
unless said otherwise). What was not used for longest goes first.`,
		Example: "  mcpsf cache\n  mcpsf cache clear --older-than 30d\n  mcpsf cache clear 'npm/*/left-pad/*'",
		Args:    noSuchCacheCommand,
		RunE: func(*cobra.Command, []string) error {
			if format != "table" && format != "json" {
				return program.Usage(fmt.Errorf("--format is table or json, not %q", format))
			}
			kept, err := c.OpenCache(c.Warnings())
			if err != nil {
				return err
			}
			defer kept.Close()
			return c.show(kept, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "output format: table, json")
	cmd.AddCommand(c.clear(), c.verify())
	return cmd
}

func noSuchCacheCommand(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return program.Usage(fmt.Errorf("cache has no command %q; it has clear and verify", args[0]))
	}
	return nil
}

func (c *cacheCommand) clear() *cobra.Command {
	var olderThan string
	cmd := &cobra.Command{
		Use:   "clear [PATTERN]",
		Short: "Remove all entries, or those that match",
		Long: `PATTERN is a part of the key, or with * and ? in it all of the key; * stands for
any characters, slashes too. What another mcpsf is using is named and left.`,
		Example: "  mcpsf cache clear\n  mcpsf cache clear left-pad\n  mcpsf cache clear 'npm/*' --older-than 30d",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			match, err := matcher(args, olderThan, time.Now())
			if err != nil {
				return err
			}
			kept, err := c.OpenCache(c.Warnings())
			if err != nil {
				return err
			}
			defer kept.Close()
			if len(args) == 0 && olderThan == "" { // everything
				if err := kept.ForgetSource(); err != nil {
					return err
				}
			}
			return c.runClear(cmd.Context(), kept, match)
		},
	}
	cmd.Flags().StringVar(&olderThan, "older-than", "", "only entries unused for this long: 12h, 30d")
	return cmd
}

// matcher returns which entries the command line selects.
func matcher(args []string, olderThan string, now time.Time) (func(cache.Entry) bool, error) {
	means := func(string) bool { return true }
	if len(args) > 0 {
		switch pattern := args[0]; {
		case pattern == "":
			return nil, program.Usage(errors.New("the pattern is empty; leave it out to clear everything"))
		case strings.ContainsAny(pattern, "*?"):
			quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
			re, err := regexp.Compile("(?s)^" + quoted + "$")
			if err != nil {
				return nil, program.Usage(fmt.Errorf("%q is no pattern; it is a part of a key, with * for any characters", pattern))
			}
			means = re.MatchString
		default:
			means = func(key string) bool { return strings.Contains(key, pattern) }
		}
	}
	if olderThan == "" {
		return func(e cache.Entry) bool { return means(e.Key) }, nil
	}
	age, err := parseAge(olderThan)
	if err != nil {
		return nil, program.Usage(fmt.Errorf("--older-than takes an age such as 12h or 30d, not %q", olderThan))
	}
	return func(e cache.Entry) bool { return means(e.Key) && now.Sub(e.Used) > age }, nil
}

func (c *cacheCommand) runClear(ctx context.Context, kept *cache.Cache, match func(cache.Entry) bool) error {
	removed, bytes, err := kept.Clear(ctx, match)
	inUse, ok := errors.AsType[*cache.InUseError](err)
	if err != nil && !ok {
		return err
	}
	if ok {
		for _, e := range inUse.Entries {
			wrapped(c.Stdout, "in use, left: "+keyOf(e))
		}
	}
	if removed == 0 {
		fmt.Fprintln(c.Stdout, "nothing to remove")
		return nil
	}
	fmt.Fprintf(c.Stdout, "removed %s, freed %s\n", entries(removed), byteSize(bytes))
	return nil
}

func (c *cacheCommand) verify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check the cache for corruption",
		Long: `What is damaged is named and left: it is not used, and made again when it is
needed. Exit code 1 says that something is.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kept, err := c.OpenCache(c.Warnings())
			if err != nil {
				return err
			}
			defer kept.Close()
			return c.runVerify(cmd.Context(), kept)
		},
	}
}

func (c *cacheCommand) runVerify(ctx context.Context, kept *cache.Cache) error {
	all, err := kept.Entries()
	if err != nil {
		return err
	}
	broken := 0
	var bytes int64
	for _, e := range all {
		err := kept.Verify(ctx, e)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		bytes += e.Bytes
		if err != nil {
			broken++
			wrapped(c.Stdout, "damaged: "+keyOf(e)+": "+safetext.Clean(err.Error()))
		}
	}
	fmt.Fprintf(c.Stdout, "checked %s, %s\n", entries(len(all)), byteSize(bytes))
	if broken > 0 {
		fmt.Fprintf(c.Stdout, "%d damaged; nothing is started from what is, and clear removes it\n", broken)
		return &program.Outcome{Code: program.ExitFindings}
	}
	return nil
}
