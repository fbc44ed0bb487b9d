package settings

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

// shape is the YAML form of a value.
type shape int

const (
	single    shape = iota // one value
	several                // a list of values
	variables              // a mapping of names to values
)

// flags are the flags of assess that may have a default. Flags that need the
// user's consent (to attack a server elsewhere, to skip a question) have none,
// and secrets stay out of files.
func flags() map[string]shape {
	return map[string]shape{
		"boxes": single, "cpus": single, "env": variables, "fail-on": single, "format": single, "image": single,
		"memory": single, "min-confidence": single, "network": single, "output": single, "profile": single, "quiet": single, "rules": several,
		"seed": single, "timeout": single, "world": single,
	}
}

// Flags are the flags of a command; a pflag.FlagSet has these methods.
type Flags interface {
	Changed(name string) bool
	Set(name, value string) error
	GetStringArray(name string) ([]string, error)
}

// Fill sets the flags that were not given on the command line: from the
// environment (MCPSF_FAIL_ON), else from the file. Variables for the server are
// merged from both; those of the command line win. A nil s is an empty file.
func (s *Settings) Fill(set Flags, getenv func(string) string) error {
	given := map[string]bool{}
	for name := range flags() {
		given[name] = set.Changed(name)
	}
	for _, name := range slices.Sorted(maps.Keys(flags())) {
		value := getenv(Variable(name))
		if value == "" || given[name] || flags()[name] != single {
			continue
		}
		if err := set.Set(name, value); err != nil {
			return usage("%s: %s", Variable(name), err)
		}
		given[name] = true
	}
	if s == nil {
		return nil
	}
	for _, d := range s.Assess {
		if given[d.Flag] && flags()[d.Flag] != variables {
			continue
		}
		for _, value := range d.missing(set) {
			if err := set.Set(d.Flag, value); err != nil {
				return usage("%s:%d: %s: %s", s.File, d.Line, d.Flag, err)
			}
		}
	}
	return nil
}

// Variable returns the name of the environment variable for a flag.
func Variable(flag string) string {
	return "MCPSF_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// missing returns the values that the command line does not override.
func (d *Default) missing(set Flags) []string {
	if flags()[d.Flag] != variables {
		return d.Values
	}
	has, err := set.GetStringArray(d.Flag)
	if err != nil {
		return d.Values
	}
	return slices.DeleteFunc(slices.Clone(d.Values), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.ContainsFunc(has, func(other string) bool { return strings.HasPrefix(other, name+"=") })
	})
}

func usage(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}

// defaults reads the entries under assess.
func (p *parser) defaults(n *yaml.Node) ([]Default, error) {
	var all []Default
	err := p.mapping(n, "assess", func(key, value *yaml.Node) error {
		d := Default{Flag: key.Value, Line: key.Line}
		shape, ok := flags()[key.Value]
		if !ok {
			return p.errorf(key, "assess has no default %q; there are: %s", key.Value, strings.Join(slices.Sorted(maps.Keys(flags())), ", "))
		}
		var err error
		switch {
		case shape == variables:
			d.Values, err = p.variables(value)
		case shape == several && value.Kind == yaml.SequenceNode:
			err = p.list(value, key.Value, func(entry *yaml.Node) error {
				v, err := p.scalar(entry, key.Value)
				d.Values = append(d.Values, v)
				return err
			})
		default:
			d.Values = []string{""}
			d.Values[0], err = p.scalar(value, key.Value)
		}
		if err == nil && key.Value == "world" && !filepath.IsLocal(d.Values[0]) {
			return p.errorf(value, "world is a directory below that of this file, not %q; give another one with --world", d.Values[0])
		}
		all = append(all, d)
		return err
	})
	return all, err
}

// variables reads NAME: value.
func (p *parser) variables(n *yaml.Node) ([]string, error) {
	var all []string
	err := p.mapping(n, "env", func(key, value *yaml.Node) error {
		if key.Value == "" || strings.ContainsAny(key.Value, "=\x00") {
			return p.errorf(key, "%q is no name of a variable", key.Value)
		}
		v, err := p.scalar(value, key.Value)
		all = append(all, key.Value+"="+v)
		return err
	})
	return all, err
}
