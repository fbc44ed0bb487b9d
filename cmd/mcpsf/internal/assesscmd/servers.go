package assesscmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/cmd/mcpsf/internal/program"
	"github.com/mcpsf/mcpsf/internal/acquire/source/clientconfig"
)

// expand returns the servers to assess: those of a client's configuration, or
// the named one. only picks servers of a configuration by name; empty means
// all.
func expand(target mcpsf.Target, only []string, seed uint64, getenv func(string) string) ([]clientconfig.Server, error) {
	if !clientconfig.LooksLike(target.Source) {
		if len(only) > 0 {
			return nil, program.Usage(fmt.Errorf("--server picks from a client's configuration, and %q is none", target.Source))
		}
		return []clientconfig.Server{{Target: target}}, nil
	}
	if len(target.Command) > 0 {
		return nil, program.Usage(errors.New("a client's configuration says how its servers are started; leave out what follows --"))
	}
	all, err := clientconfig.Servers(target.Source, clientconfig.Options{Seed: seed, Home: getenv("HOME"), Path: getenv("PATH")})
	if err != nil {
		return nil, err
	}
	all, err = pick(all, only)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].Target.Env = override(all[i].Target.Env, target.Env)
	}
	return all, nil
}

// override lets the user's own variables replace those of the same name,
// because with duplicates some programs use the first and some the last.
func override(env, own []string) []string {
	name := func(kv string) string { return kv[:strings.IndexByte(kv+"=", '=')] }
	kept := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return slices.ContainsFunc(own, func(o string) bool { return name(o) == name(kv) })
	})
	return append(kept, own...)
}

// pick keeps the named servers, in the order of the configuration.
func pick(all []clientconfig.Server, only []string) ([]clientconfig.Server, error) {
	named := func(name string) bool {
		return slices.ContainsFunc(all, func(s clientconfig.Server) bool { return s.Name == name })
	}
	for _, name := range only {
		if !named(name) {
			return nil, program.Usage(fmt.Errorf("there is no server %q in the configuration; it has %s", name, serverNames(all)))
		}
	}
	if len(only) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(s clientconfig.Server) bool { return !slices.Contains(only, s.Name) }), nil
}

func serverNames(all []clientconfig.Server) string {
	// no gap: bounds what a command shows or runs at once
	const most = 20
	var names []string
	for _, s := range all[:min(most, len(all))] {
		names = append(names, fmt.Sprintf("%q", s.Name))
	}
	if more := len(all) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
