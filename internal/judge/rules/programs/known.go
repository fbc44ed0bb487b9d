package programs

import (
	_ "embed"
	"sync"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

//go:embed known.yaml
var knownText []byte

// known returns the contents of known.yaml.
//
//nolint:gochecknoglobals // read once like a regular expression, and never changed
var known = sync.OnceValue(func() *lists { return wordlist.Must[lists](knownText) })

// lists are well-known programs, options and system calls.
type lists struct {
	Shells          wordlist.Set `yaml:"shells"`
	Runtimes        []string     `yaml:"runtimes"`
	PassOn          wordlist.Set `yaml:"pass_on"`
	ProcessListers  wordlist.Set `yaml:"process_listers"`
	GitRunsEndings  []string     `yaml:"git_runs_endings"`
	Installers      []string     `yaml:"installers"`
	Compilers       wordlist.Set `yaml:"compilers"`
	Managers        wordlist.Set `yaml:"managers"`
	Scripting       wordlist.Set `yaml:"scripting"`
	KeyOptions      wordlist.Set `yaml:"key_options"`
	GitRuns         []string     `yaml:"git_runs"`
	RoutineSyscalls wordlist.Set `yaml:"routine_syscalls"`
	SDKs            wordlist.Set `yaml:"sdks"`
	SDKLibraries    wordlist.Set `yaml:"sdk_libraries"`
}
