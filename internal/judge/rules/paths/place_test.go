package paths

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
)

func TestPlaces(t *testing.T) {
	l := Places{Home: mcpsf.Home, Workdir: mcpsf.WorkDir, Words: lex.NameWords("@example/mcp-server-memory ssh claude")}
	tests := []struct {
		path            string
		own, persistent bool
	}{
		{mcpsf.WorkDir, true, false},
		{mcpsf.WorkDir + "/a", true, false},
		{mcpsf.WorkDir + "2/a", false, false},
		{"/tmp", true, false},
		{"/tmpfile", false, false},
		{"/home/dev/.cache/x", true, false},
		{"/home/dev/.memory/db", true, false},
		{"/home/dev/.config/memory-example/db", true, false},
		{"/home/dev/.config/memory-other/db", false, false},
		{"/home/dev/.config/mcp/db", false, false},
		{"/home/dev/memory/db", false, false},
		{"/home/dev/.ssh/known_hosts", false, false},
		{"/home/dev/.ssh/authorized_keys", false, true},
		{"/home/dev/.claude/settings.json", false, true},
		{"/home/dev/.bashrc", false, true},
		{"/home/dev/.bashrc.bak", false, false},
		{"/home/dev/.local/lib/python3.12/site-packages/x.pth", false, true},
		{mcpsf.WorkDir + "/.git/hooks/pre-push", true, true},
		{mcpsf.WorkDir + "/.mcp.json", true, false},
		{"/home/dev/code/shop/.mcp.json", false, true},
		{"/home/dev/.local/share/pnpm/node", true, true},
		{"/home/dev/.bun/bin/python3.12", false, true},
		{"/home/dev/.local/share/pnpm/.tidy.json", true, false},
		{"/home/dev/.local/share/pnpm/store/v3/files/00/x", true, false},
		{"/home/dev/.volta/tools/image/node/22.1.0/bin/npx", false, true},
		{"/home/dev/.ipython/profile_default/startup/00-x.py", false, true},
		{"/home/dev/.ipython/profile_default/startup/README", false, false},
		{"/home/dev/.config/tmux/tmux.conf", false, true},
		{"/home/dev/.cache/node/corepack/v1/pnpm/9.0.0/bin/pnpm.cjs", true, true},
		{"/home/dev/.cache/p10k-instant-prompt-dev.zsh", true, true},
		{"/home/dev/.cache/zcompdump-5.9", true, true},
		{"/home/dev/.zcompdump.zwc", false, true},
		{"/home/dev/.cache/ms-playwright/webkit/pw_run.sh", true, false},
		{"/home/dev/.cache/pnpm/x/y/completion.zsh", true, false},
		{"/home/dev/.local/share/uv/tools/x/lib/python3.12/site-packages/x.pth", true, true},
		{"/home/dev/code/shop/.venv/lib/python3.12/site-packages/x.pth", false, true},
		{"/home/dev/code/shop/x.pth", false, false},
		{mcpsf.WorkDir + "/.venv/lib/python3.12/site-packages/x.pth", true, false},
		{"/home/dev/code/shop/.cursor/rules/a.mdc", false, true},
		{"/home/dev/code/shop/.cursor/notes.md", false, false},
		{"/home/dev/code/shop/.clinerules", false, true},
		{"/home/dev/code/shop/.clinerules/a.md", false, true},
		{"/home/dev/code/shop/.windsurf/rules/a.md", false, true},
		{"/home/dev/code/shop/.github/copilot-instructions.md", false, true},
		{"/home/dev/code/shop/.github/instructions/a.instructions.md", false, true},
		{"/home/dev/code/shop/.github/ISSUE_TEMPLATE/bug.md", false, false},
		{"/home/dev/code/shop/.continue/config.yaml", false, true},
		{"/home/dev/code/shop/.roo/rules/a.md", false, true},
		{"/home/dev/code/shop/.kiro/steering/a.md", false, true},
		{"/home/dev/code/shop/GEMINI.md", false, true},
		{"/home/dev/code/shop/.husky/pre-push", false, true},
		{"/home/dev/code/shop/.github/workflows/a.yml", false, true},
		{"/home/dev/code/shop/.gitlab-ci.yml", false, true},
		{"/home/dev/code/shop/.pre-commit-config.yaml", false, true},
		{"/home/dev/code/shop/.vscode/tasks.json", false, true},
		{"/home/dev/code/shop/.vscode/extensions.json", false, false},
		{"/home/dev/code/shop/.envrc", false, true},
		{"/home/dev/code/shop/lefthook.yml", false, true},
		{"/home/dev/code/shop/.git/modules/lib/hooks/post-checkout", false, true},
		{"/home/dev/code/shop/.git/modules/lib/hooks/post-checkout.sample", false, false},
		{"/home/dev/code/shop/node_modules/x/.husky/pre-push", false, false},
		{"/tmp/shop/.husky/pre-push", true, false},
		{"/proc/7/oom_score_adj", true, false},
		{"/proc/7/mem", false, false},
		{"/dev/sda", false, false},
		{"/memfd:x (deleted)", true, false},
		{"socket:[3]", true, false},
		{"", true, false},
	}
	for _, tt := range tests {
		if got := l.Own(tt.path); got != tt.own {
			t.Errorf("own(%q) = %v", tt.path, got)
		}
		if got := l.Persistent(tt.path); got != tt.persistent {
			t.Errorf("persistent(%q) = %v", tt.path, got)
		}
	}
}
