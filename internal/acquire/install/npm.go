package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/lockfile"
)

// npmSettings are the settings of npm. They come only from the environment, so that
// reading a .npmrc is suspicious: npm itself never does it.
func npmSettings() []string {
	return []string{
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
}

// npm installs with scripts, as users do.
func (p *Plan) npm(in *mcpsf.Install, tools *Tools) {
	p.Env = npmSettings()
	if tools.Headers != "" {
		p.Env = append(p.Env, "npm_config_nodedir="+tools.Headers)
	}
	run := func(args ...string) string {
		return shellLine(slices.Concat(tools.Manager, args, []string{"--prefix", mcpsf.WorkDir}))
	}
	locked, free := npmWays(in, p.File)
	var tries []string
	for _, way := range locked {
		tries = append(tries, "try "+run(way...))
	}
	if len(locked) > 0 {
		tries = append(tries, "unlock")
	}
	for _, way := range free {
		tries = append(tries, "try "+run(way...))
	}
	build := ":"
	if in.Build != "" {
		build = run("run", in.Build)
	}
	each := shellLine(slices.Concat([]string{tools.Interpreter, "-e", rebuildEach}, tools.Manager))
	p.Command = []string{"/bin/sh", "-c", fmt.Sprintf(npmScript,
		each, Separator, strings.Join(tries, " || "), build, scriptFailed, unlocked, scriptFailedUnlocked)}
}

// npmWays returns the ways to install in the order in which they are tried: those
// that obey the lock file, and those that do not. npm obeys its own files with "ci".
// For those of others it gets to see the locked versions alone; other managers are
// more tolerant of peers that do not fit.
func npmWays(in *mcpsf.Install, file string) (locked, free [][]string) {
	what := []string{"install", "--include=dev"}
	if file != "" {
		what = []string{"install", "--omit=dev", file}
	}
	anew := append(slices.Clip(what), "--no-package-lock")
	pinned := append(slices.Clip(anew), "--registry=http://"+GatewayHost+"/npm-locked/")
	const tolerant = "--legacy-peer-deps"
	switch own := in.Lock == nil || lockfile.IsNPM(in.Lock.File); {
	case in.Locked && own && file == "":
		locked = [][]string{{"ci", "--include=dev"}, {"ci", "--include=dev", tolerant}}
		return locked, [][]string{pinned, what, anew}
	case in.Locked:
		return [][]string{pinned, append(slices.Clip(pinned), tolerant)}, [][]string{what}
	case own && in.Lock != nil && file == "":
		return nil, [][]string{anew} // it cannot be read
	}
	return nil, [][]string{what}
}

// The exit codes of an installation that succeeded, except for some package's script
// or for the lock file.
const (
	scriptFailed         = 100
	unlocked             = 101
	scriptFailedUnlocked = 102
)

// Outcome explains an exit code other than 0: ok says that the installation can be
// used all the same, script that a package's script failed, and lock that the lock
// file was not obeyed.
func Outcome(code int) (ok, script, lock bool) {
	script = code == scriptFailed || code == scriptFailedUnlocked
	lock = code == unlocked || code == scriptFailedUnlocked
	return script || lock, script, lock
}

// Separator is the line between what is printed about the lock file and the rest.
const Separator = "mcpsf: the lock file cannot be obeyed"

// npmScript installs with scripts. If a script fails, which is common for those
// that download something, npm undoes everything; so it installs again without
// scripts, and then runs each package's scripts separately. npm would stop at
// the first failure, and a malicious script could hide behind that one.
const npmScript = `failed=0 lost=0
try() { "$@" || { "$@" '--ignore-scripts' || return 1; %s; failed=1; }; }
unlock() { echo '%s' >&2; lost=1; return 1; }
%s || exit 1
%s || exit 2
case $failed$lost in 10) exit %d;; 01) exit %d;; 11) exit %d;; esac`

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
