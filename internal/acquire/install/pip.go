package install

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// environmentDir is the virtual environment, below the work directory.
const environmentDir = ".venv"

// makeEnvironment makes a virtual environment and then executes the pip that
// installs into it. One program does both, so that no shell is needed.
const makeEnvironment = `import json, os, sys, venv
arguments = json.loads(sys.argv[1])
venv.create(".venv", symlinks=True, with_pip=len(sys.argv) > 2)
python = os.path.abspath(".venv/bin/python")
os.execv(python, [python] + arguments)`

// pip installs wheels and sources; for sources the build runs, as for users.
// Its settings come only from the environment, so that reading a pip.conf or
// .netrc is suspicious: pip itself never does it.
func (p *Plan) pip(in *mcpsf.Install, tools *Tools) {
	p.Env = []string{
		"PIP_INDEX_URL=http://" + GatewayHost + "/pypi/simple/",
		"PIP_TRUSTED_HOST=" + GatewayHost,
		"PIP_CONFIG_FILE=/dev/null", "NETRC=/dev/null",
		"PIP_CACHE_DIR=/tmp/pip-cache", "PIP_NO_CACHE_DIR=1",
		"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_PROGRESS_BAR=off", "PIP_NO_COLOR=1",
		"PIP_RETRIES=1", "PIP_ROOT_USER_ACTION=ignore",
	}
	what := []string{"."}
	switch {
	case p.File != "":
		what = []string{p.File + extras(in.Extras)}
	case in.Requirements != "":
		what = []string{"-r", in.Requirements}
	}
	arguments, _ := json.Marshal(slices.Concat(tools.Manager, []string{"install"}, what)) //nolint:errchkjson // strings
	p.Command = []string{tools.Interpreter, "-I", "-c", makeEnvironment, string(arguments)}
	if tools.Image != "" {
		p.Command = append(p.Command, "with pip") // an image has only its own pip
	}
}

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
