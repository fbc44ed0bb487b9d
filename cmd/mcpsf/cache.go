package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/internal/acquire/cache"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

func (a *app) cache() *cobra.Command {
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
		Args:    a.noSuchCacheCommand,
		RunE: func(*cobra.Command, []string) error {
			if format != "table" && format != "json" {
				return usage(fmt.Errorf("--format is table or json, not %q", format))
			}
			c, err := a.openCache(a.warnings())
			if err != nil {
				return err
			}
			defer c.Close()
			return a.showCache(c, format == "json")
		},
	}
	cmd.Flags().StringVar(&format, "format", "table", "output format: table, json")
	cmd.AddCommand(a.cacheClear(), a.cacheVerify())
	return cmd
}

// openCache opens the user's cache as the environment describes it.
func (a *app) openCache(logger *slog.Logger) (*cache.Cache, error) {
	limit := int64(cache.DefaultLimit)
	if s := a.getenv("MCPSF_CACHE_SIZE"); s != "" {
		n, err := parseSize(strings.ToLower(s))
		if err != nil {
			return nil, usage(fmt.Errorf("MCPSF_CACHE_SIZE takes a size such as 500m or 20g, not %q", s))
		}
		limit = n
	}
	dir, err := cache.DefaultDir(a.getenv, os.Getuid())
	if err != nil {
		return nil, err
	}
	c, err := cache.Open(dir, logger)
	if err != nil {
		return nil, err
	}
	c.SetLimit(limit)
	return c, nil
}

// warnings is the logger of commands that have no --verbose.
func (a *app) warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

func (*app) noSuchCacheCommand(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usage(fmt.Errorf("cache has no command %q; it has clear and verify", args[0]))
	}
	return nil
}

func (a *app) cacheClear() *cobra.Command {
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
			c, err := a.openCache(a.warnings())
			if err != nil {
				return err
			}
			defer c.Close()
			if len(args) == 0 && olderThan == "" { // everything
				if err := c.ForgetSource(); err != nil {
					return err
				}
			}
			return a.clearCache(cmd.Context(), c, match)
		},
	}
	cmd.Flags().StringVar(&olderThan, "older-than", "", "only entries unused for this long: 12h, 30d")
	return cmd
}

// matcher says which entries the command line means.
func matcher(args []string, olderThan string, now time.Time) (func(cache.Entry) bool, error) {
	means := func(string) bool { return true }
	if len(args) > 0 {
		switch pattern := args[0]; {
		case pattern == "":
			return nil, usage(errors.New("the pattern is empty; leave it out to clear everything"))
		case strings.ContainsAny(pattern, "*?"):
			quoted := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
			re, err := regexp.Compile("(?s)^" + quoted + "$")
			if err != nil {
				return nil, usage(fmt.Errorf("%q is no pattern; it is a part of a key, with * for any characters", pattern))
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
		return nil, usage(fmt.Errorf("--older-than takes an age such as 12h or 30d, not %q", olderThan))
	}
	return func(e cache.Entry) bool { return means(e.Key) && now.Sub(e.Used) > age }, nil
}

// parseAge reads a duration, with days, too.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * 24 * time.Hour, err
	}
	age, err := time.ParseDuration(s)
	if err == nil && age < 0 {
		err = errors.New("an age is not negative")
	}
	return age, err
}

func (a *app) clearCache(ctx context.Context, c *cache.Cache, match func(cache.Entry) bool) error {
	removed, bytes, err := c.Clear(ctx, match)
	inUse, ok := errors.AsType[*cache.InUseError](err)
	if err != nil && !ok {
		return err
	}
	if ok {
		for _, e := range inUse.Entries {
			a.wrapped("in use, left: " + keyOf(e))
		}
	}
	if removed == 0 {
		fmt.Fprintln(a.stdout, "nothing to remove")
		return nil
	}
	fmt.Fprintf(a.stdout, "removed %s, freed %s\n", count(removed, "entry", "entries"), byteSize(bytes))
	return nil
}

func (a *app) cacheVerify() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Check the cache for corruption",
		Long: `What is damaged is named and left: it is not used, and made again when it is
needed. Exit code 1 says that something is.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := a.openCache(a.warnings())
			if err != nil {
				return err
			}
			defer c.Close()
			return a.verifyCache(cmd.Context(), c)
		},
	}
}

func (a *app) verifyCache(ctx context.Context, c *cache.Cache) error {
	entries, err := c.Entries()
	if err != nil {
		return err
	}
	broken := 0
	var bytes int64
	for _, e := range entries {
		err := c.Verify(ctx, e)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		bytes += e.Bytes
		if err != nil {
			broken++
			a.wrapped("damaged: " + keyOf(e) + ": " + safetext.Clean(err.Error()))
		}
	}
	fmt.Fprintf(a.stdout, "checked %s, %s\n", count(len(entries), "entry", "entries"), byteSize(bytes))
	if broken > 0 {
		fmt.Fprintf(a.stdout, "%d damaged; nothing is started from what is, and clear removes it\n", broken)
		return &outcome{exitFindings}
	}
	return nil
}
