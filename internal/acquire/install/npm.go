package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// npm installs with scripts, as users do. Its settings come only from the
// environment, so that reading a .npmrc is suspicious: npm itself never does
// it.
func (p *Plan) npm(in *mcpsf.Install, tools *Tools) {
	p.Env = []string{
		"npm_config_registry=http://" + GatewayHost + "/npm/",
		"npm_config_replace_registry_host=always", // lock files name the registry they were made with
		"npm_config_cache=/tmp/npm",
		"npm_config_userconfig=/etc/npm/user", // neither exists
		"npm_config_globalconfig=/etc/npm/global",
		"npm_config_ignore_scripts=false",
		"npm_config_dangerously_allow_all_scripts=true", // npm 12 would skip some scripts, and those are the ones to observe
		"npm_config_foreground_scripts=true",
		"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
		"npm_config_progress=false", "npm_config_logs_max=0", "npm_config_fetch_retries=1",
		"npm_config_maxsockets=8",
		"NO_UPDATE_NOTIFIER=1",
	}
	if tools.Headers != "" {
		p.Env = append(p.Env, "npm_config_nodedir="+tools.Headers)
	}
	run := func(args ...string) string {
		return shellLine(slices.Concat(tools.Manager, args, []string{"--prefix", mcpsf.WorkDir}))
	}
	what := []string{"install", "--include=dev"}
	switch {
	case p.File != "":
		what = []string{"install", "--omit=dev", p.File}
	case in.Locked:
		what = []string{"ci", "--include=dev"}
	}
	build := ":"
	if in.Build != "" {
		build = run("run", in.Build)
	}
	each := shellLine(slices.Concat([]string{tools.Interpreter, "-e", rebuildEach}, tools.Manager))
	p.Command = []string{"/bin/sh", "-c", fmt.Sprintf(npmScript,
		run(what...), run(append(what, "--ignore-scripts")...), each, Tolerated, build)}
}

// Tolerated is the exit code of an installation that succeeded except for some
// package's script.
const Tolerated = 100

// npmScript installs with scripts. If a script fails, which is common for those
// that download something, npm undoes everything; so it installs again without
// scripts, and then runs each package's scripts separately. npm would stop at
// the first failure, and a malicious script could hide behind that one.
const npmScript = `failed=0
%s || { %s || exit 1; %s; failed=%d; }
%s || exit 2
exit $failed`

// rebuildEach runs the scripts of every package separately, and then those of
// the project itself.
const rebuildEach = `const fs = require("fs"), { spawnSync } = require("child_process");
const [, ...npm] = process.argv;
const run = (...args) => spawnSync(npm[0], [...npm.slice(1), ...args, "--ignore-scripts=false"], { stdio: "inherit" });
const { packages } = JSON.parse(fs.readFileSync("node_modules/.package-lock.json"));
for (const [dir, p] of Object.entries(packages))
  if (p.hasInstallScript || fs.existsSync(dir + "/binding.gyp")) run("rebuild", fs.realpathSync(dir));
for (const script of ["preinstall", "install", "postinstall", "prepare"]) run("run", "--if-present", script);`

// shellLine writes our own words as a shell command.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
