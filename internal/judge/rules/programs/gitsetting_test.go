package programs

import "testing"

func TestRunByGit(t *testing.T) {
	for setting, want := range map[string]bool{
		"core.fsmonitor=python3 x": true, "core.fsmonitor=true": false, "core.hookspath=.husky": true, "core.sshCommand=x": true,
		"core.pager=cat": false, "core.pager=sh x": true, "alias.st=status": false, "alias.st=!sh": true, "filter.x.clean=sh": true,
		"filter.lfs.clean=git-lfs clean -- %f": false, "filter.lfs.clean=sh": true, "diff.pdf.textconv=sh": true, "include.path=/x": true,
		"url.https://x.example/.insteadof=https://github.com/": true, "remote.origin.url=https://x.example/": false,
		"remote.origin.uploadpack=sh": true, "user.name=Dev": false, "core.bare=false": false, "credential.helper=!sh": true,
		"submodule.a.update=!sh": true, "submodule.a.update=merge": false, "gpg.program=x": true, "merge.x.driver=sh": true, "?": true,
		"branch.main.remote=origin": false, "core.editor=sh": true, "init.defaultbranch=main": false, "includeif.gitdir:/.path=/x": true,
	} {
		if got := RunByGit(setting) != ""; got != want {
			t.Errorf("%s: %v", setting, got)
		}
	}
}

func TestGitSets(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"git", "-C", "/r", "config", "core.fsmonitor", "x"}, "core.fsmonitor=x"},
		{[]string{"git", "config", "set", "--local", "core.pager", "sh"}, "core.pager=sh"},
		{[]string{"git", "config", "-f", "/r/.git/config", "core.pager", "sh"}, "core.pager=sh"},
		{[]string{"git", "config", "--get", "core.pager", "sh"}, ""},
		{[]string{"git", "config", "core.pager"}, ""},
		{[]string{"git", "log"}, ""},
	} {
		if got := GitSets(tt.args); got != tt.want {
			t.Errorf("%q: %q", tt.args, got)
		}
	}
}
