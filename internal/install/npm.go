package install

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// npm installs with scripts, as everybody does. Its own settings come from
// the environment alone, so that whoever reads a .npmrc is not npm.
func (p *Plan) npm(in *mcpsf.Install, tools *Tools) {
	p.Env = []string{
		"npm_config_registry=http://" + GatewayHost + "/npm/",
		"npm_config_replace_registry_host=always", // lock files name the registry they were made with
		"npm_config_cache=/tmp/npm",
		"npm_config_userconfig=/etc/npm/user", // neither exists
		"npm_config_globalconfig=/etc/npm/global",
		"npm_config_ignore_scripts=false",
		"npm_config_dangerously_allow_all_scripts=true", // npm 12 would pass over some: the very ones to see
		"npm_config_foreground_scripts=true",
		"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false",
		"npm_config_progress=false", "npm_config_logs_max=0", "npm_config_fetch_retries=1",
		"npm_config_maxsockets=8",
		"NO_UPDATE_NOTIFIER=1",
	}
	if tools.Headers != "" {
		p.Env = append(p.Env, "npm_config_nodedir="+tools.Headers)
	}
	run := func(args ...string) []string { return append(append([]string{}, tools.Manager...), args...) }
	where := []string{"--prefix", mcpsf.WorkDir}
	if p.File != "" {
		p.Command = run(append([]string{"install", "--omit=dev", p.File}, where...)...)
		return
	}
	verb := "install"
	if in.Locked {
		verb = "ci"
	}
	p.Command = run(append([]string{verb, "--include=dev"}, where...)...)
	if in.Build != "" {
		build := run(append([]string{"run", in.Build}, where...)...)
		p.Command = []string{"/bin/sh", "-c", shellLine(p.Command) + " && " + shellLine(build)}
	}
}

// shellLine writes words that are ours as a line for the shell.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
