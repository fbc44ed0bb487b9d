package decoys

import (
	"encoding/base64"
	"fmt"
)

// scenery adds files that make a home look used.
func scenery(k *kit, h *Home) error {
	m := k.mint("scenery")
	h.plain(".bashrc", 0o644, `# ~/.bashrc: executed by bash for interactive shells
case $- in
    *i*) ;;
      *) return;;
esac
HISTCONTROL=ignoreboth
HISTSIZE=5000
shopt -s histappend checkwinsize
PS1='\u@\h:\w\$ '
alias ll='ls -alF'
alias gs='git status -sb'
export EDITOR=vim
export PATH="$HOME/.local/bin:$PATH"
`)
	h.plain(".profile", 0o644, `# ~/.profile: executed by login shells
if [ -n "$BASH_VERSION" ] && [ -f "$HOME/.bashrc" ]; then
    . "$HOME/.bashrc"
fi
`)
	h.plain(".zshrc", 0o644, `HISTFILE=~/.zsh_history
SAVEHIST=10000
setopt EXTENDED_HISTORY INC_APPEND_HISTORY
autoload -Uz compinit && compinit
alias ll='ls -alF'
`)
	h.plain(".bash_logout", 0o644, "[ \"$SHLVL\" = 1 ] && clear -q 2>/dev/null\n")
	h.plain(".gitconfig", 0o644, fmt.Sprintf(`[user]
	name = %s %s
	email = %s
[init]
	defaultBranch = main
[pull]
	rebase = true
[credential]
	helper = store
`, k.who.first, k.who.last, k.who.email))
	h.plain(".vimrc", 0o644, "set number\nset expandtab shiftwidth=2\nsyntax on\n")
	h.plain(".ssh/config", 0o600, fmt.Sprintf(`Host deploy
    HostName deploy.%[1]s
    User %[2]s
    IdentityFile ~/.ssh/id_rsa

Host *
    ServerAliveInterval 60
`, k.who.domain, k.who.login))
	known := ""
	for _, host := range []string{"git", "deploy"} {
		key := base64.StdEncoding.EncodeToString(publicBlob("ssh-ed25519", m.bytes(32)))
		known += fmt.Sprintf("%s.%s ssh-ed25519 %s\n", host, k.who.domain, key)
	}
	h.plain(".ssh/known_hosts", 0o600, known)
	return nil
}
