package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
)

// help is cobra's help command, except that an unknown topic is an error.
func help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil {
				return explain(cmd.Root(), err)
			}
			if len(rest) > 0 {
				return program.Usage(fmt.Errorf("%s has no command %q", topic.Name(), rest[0]))
			}
			topic.InitDefaultHelpFlag()
			return topic.Help()
		},
	}
}

// explain adds a suggestion to the error about an unknown command. Cobra's own
// suggestion is a paragraph.
func explain(root *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	name, _, ok := quoted(err.Error(), "unknown command ")
	if !ok {
		return err
	}
	if meant := root.SuggestionsFor(name); len(meant) > 0 {
		return program.Usage(fmt.Errorf("unknown command %q; did you mean %s?", name, strings.Join(meant, " or ")))
	}
	return program.Usage(fmt.Errorf("unknown command %q; see: mcpsf --help", name))
}

// flagError says what a flag accepts, instead of the parser's message.
func flagError(cmd *cobra.Command, err error) error {
	value, rest, ok := quoted(err.Error(), "invalid argument ")
	if !ok {
		return err
	}
	names, _, ok := quoted(rest, " for ") // "-o, --output"
	if !ok {
		return err
	}
	_, name, _ := strings.Cut(names, "--")
	flag := cmd.Flags().Lookup(name)
	if flag == nil {
		return err
	}
	takes := map[string]string{
		"duration": "a duration such as 30s or 5m",
		"int":      "a number",
		"uint64":   "a number from 0 up",
		"bool":     "true or false",
	}[flag.Value.Type()]
	if takes == "" {
		return err
	}
	return fmt.Errorf("--%s takes %s, not %q", name, takes, value)
}

// quoted returns the Go string that follows prefix at the beginning of s.
func quoted(s, prefix string) (value, rest string, ok bool) {
	s, ok = strings.CutPrefix(s, prefix)
	if !ok {
		return "", "", false
	}
	literal, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", false
	}
	value, err = strconv.Unquote(literal)
	return value, s[len(literal):], err == nil
}
