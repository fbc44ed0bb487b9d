package install

import (
	_ "embed" // environment.py
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// environmentDir is the virtual environment, below the work directory.
const environmentDir = ".venv"

// lockedTime bounds an installation with the locked versions: those of another
// Python may have to be built from their sources.
// gap: lock-not-honoured
const lockedTime = 420

// makeEnvironment makes a virtual environment and runs the pip that installs into it. One
// program does all of it, so that no shell is needed.
//
//go:embed environment.py
var makeEnvironment string

// pip installs wheels and sources; for sources the build runs, as for users.
// Its settings come only from the environment, so that reading a pip.conf or
// .netrc is suspicious: pip itself never does it.
func (p *Plan) pip(in *mcpsf.Install, tools *Tools) {
	p.Env = append(npmSettings(), []string{
		"PIP_INDEX_URL=http://" + GatewayHost + "/pypi/simple/",
		"PIP_TRUSTED_HOST=" + GatewayHost,
		"PIP_CONFIG_FILE=/dev/null", "NETRC=/dev/null",
		"PIP_CACHE_DIR=/tmp/pip-cache", "PIP_NO_CACHE_DIR=1",
		"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_PROGRESS_BAR=off", "PIP_NO_COLOR=1",
		"PIP_RETRIES=1", "PIP_ROOT_USER_ACTION=ignore",
	}...)
	what := []string{"."}
	switch {
	case p.File != "":
		what = []string{p.File + extras(in.Extras)}
	case in.Requirements != "":
		what = []string{"-r", in.Requirements}
	}
	ways := [][]string{what}
	if in.Locked && in.Lock != nil {
		ways = p.lockedWays(in.Lock, what)
	}
	for i, way := range ways {
		ways[i] = slices.Concat(tools.Manager, []string{"install"}, way)
	}
	arguments, _ := json.Marshal([]any{ways, lockedTime, Separator, unlocked}) //nolint:errchkjson // strings and numbers
	p.Command = []string{tools.Interpreter, "-I", "-c", makeEnvironment, string(arguments)}
	if tools.Image != "" {
		p.Command = append(p.Command, "with pip") // an image has only its own pip
	}
}

// lockedWays holds pip to the locked versions. If that fails, it installs what it
// would without them.
func (p *Plan) lockedWays(lock *mcpsf.Lock, what []string) [][]string {
	constraints, requires := path.Join(packageDir, "constraints.txt"), path.Join(packageDir, "requirements.txt")
	p.Texts = map[string]string{constraints: lines(lock.Constraints)}
	free := what
	if lock.Alone {
		p.Texts[requires] = lines(lock.Requires)
		what = []string{"-r", requires}
		if lock.Only {
			free = what
		}
	}
	way := slices.Concat(what, []string{"-c", constraints})
	for _, dir := range lock.Members {
		way = append(way, "./"+dir)
	}
	return [][]string{way, free}
}

func lines(list []string) string { return strings.Join(list, "\n") + "\n" }

func extras(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "[" + strings.Join(names, ",") + "]"
}

// Programs are the directories of the installed programs, for PATH.
func Programs() []string {
	return []string{
		path.Join(mcpsf.WorkDir, "node_modules", ".bin"),
		path.Join(mcpsf.WorkDir, environmentDir, "bin"),
	}
}
