package saved

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
)

// secretFlags have values of the form NAME=VALUE that may be secrets.
func secretFlags() []string { return []string{"env", "header"} }

// perRun are flags that are not saved: where the report goes, and what the user
// has to agree to each time.
func perRun() []string {
	return []string{"output", "keep", "quiet", "verbose", "yes", "yes-i-may-attack-this", "save-as", "save-env", "baseline", "baseline-any", "config", "lock", "locked", "help", "api-key", "llm-replay"}
}

// Record makes a configuration from a target and the given flags, by name
// without hyphens. Values of --env and --header are kept only if keep is set. A
// local path is made absolute; local tells which sources are local paths.
func Record(id string, target mcpsf.Target, given map[string][]string, keep bool, local func(source string) bool, now time.Time) (*Config, error) {
	if err := CheckID(id); err != nil {
		return nil, err
	}
	c := &Config{
		Format: format, ID: id, Saved: now.UTC().Truncate(time.Second), Source: target.Source, Command: target.Command, Args: target.Args,
		Flags: map[string][]string{},
	}
	if strings.HasPrefix(target.Source, Prefix) {
		return nil, &mcpsf.Error{Code: mcpsf.CodeUsage, Message: "a saved configuration is not saved again; give its source, or copy its file"}
	}
	if local(target.Source) {
		whole, err := filepath.Abs(target.Source)
		if err != nil {
			return nil, err
		}
		c.Source = whole
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch {
		case slices.Contains(perRun(), name):
		case slices.Contains(secretFlags(), name):
			c.Secrets = append(c.Secrets, Secrets(name, given[name], keep)...)
		default:
			c.Flags[name] = given[name]
		}
	}
	return c, nil
}

// Flags are the flags of a command; a pflag.FlagSet has these methods.
type Flags interface {
	Changed(name string) bool
	Set(name, value string) error
	GetStringArray(name string) ([]string, error)
}

// Recall sets the flags that were not given now, and returns the target. The
// caller takes the target's variables from the flags.
func (c *Config) Recall(flags Flags) (mcpsf.Target, error) {
	for _, name := range slices.Sorted(maps.Keys(c.Flags)) {
		if slices.Contains(perRun(), name) || flags.Changed(name) {
			continue
		}
		for _, value := range c.Flags[name] {
			if err := flags.Set(name, value); err != nil {
				return mcpsf.Target{}, c.problem(fmt.Sprintf("--%s: %s", name, err))
			}
		}
	}
	for _, name := range secretFlags() {
		given, err := flags.GetStringArray(name)
		if err != nil {
			return mcpsf.Target{}, err
		}
		pairs, missing := c.Values(name, given)
		if len(missing) > 0 {
			return mcpsf.Target{}, c.problem(fmt.Sprintf("it was saved without the value of %s; give it with --%s %s=VALUE", strings.Join(missing, ", "), name, missing[0]))
		}
		for _, pair := range pairs {
			if err := flags.Set(name, pair); err != nil {
				return mcpsf.Target{}, c.problem(fmt.Sprintf("--%s: %s", name, err))
			}
		}
	}
	return mcpsf.Target{Source: c.Source, Command: c.Command, Args: c.Args}, nil
}

func (c *Config) problem(what string) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf("the configuration %q: %s", c.ID, what)}
}
