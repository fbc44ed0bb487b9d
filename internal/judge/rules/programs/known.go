package programs

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/judge/rules/table"
)

//go:embed known.yaml
var knownText []byte

// known returns the contents of known.yaml.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var known = sync.OnceValue(func() *lists { return table.Must[lists](knownText) })

// lists are well-known programs, options and system calls.
type lists struct {
	Shells          table.Set `yaml:"shells"`
	Runtimes        []string  `yaml:"runtimes"`
	PassOn          table.Set `yaml:"pass_on"`
	ProcessListers  table.Set `yaml:"process_listers"`
	Installers      []string  `yaml:"installers"`
	Compilers       table.Set `yaml:"compilers"`
	Managers        table.Set `yaml:"managers"`
	Scripting       table.Set `yaml:"scripting"`
	KeyOptions      table.Set `yaml:"key_options"`
	GitRuns         []string  `yaml:"git_runs"`
	RoutineSyscalls table.Set `yaml:"routine_syscalls"`
}
