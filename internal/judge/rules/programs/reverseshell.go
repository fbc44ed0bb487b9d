package programs

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// This file recognises remote control: shells tied to a connection.

// dialled matches command lines that tie a shell to a connection.
var dialled = lazyregexp.New(`/dev/(?:tcp|udp)/[^\s/]+/\d|\b(?:nc|ncat|netcat)(?:\.\w+)?\b[^|;\n]*\s(?:-[a-z]*[ec]\b|--exec|--sh-exec)|` +
	`\bmkfifo\b[^\n]*\|[^\n]*\b(?:nc|ncat|netcat|openssl|telnet|socat)\b|\bsocat\b[^\n]*(?i:exec|system):|` +
	`\bsocket\b[^\n]*\b(?:dup2|pty\.spawn)\b|\bfsockopen\b[^\n]*\bexec\b|\bTCPSocket\b[^\n]*\bexec\b`)

// OpensReverseShell tells whether a command line ties a shell to a connection,
// whether or not it succeeds.
func OpensReverseShell(program string, args []string) bool {
	name := path.Base(program)
	if !IsShell(program, args) && !IsRuntime(name) && !slices.Contains([]string{"nc", "ncat", "netcat", "socat", "setsid", "nohup", "timeout"}, name) {
		return false
	}
	line := quote.Cut(strings.Join(args, " "), lex.MaxPath)
	return mayDial(line) && dialled.MatchString(line)
}

// mayDial tells quickly whether a command line has a word that the pattern needs.
func mayDial(line string) bool {
	return slices.ContainsFunc([]string{"/dev/tcp/", "/dev/udp/", "nc", "netcat", "mkfifo", "socat", "sock", "Socket"}, func(w string) bool {
		return strings.Contains(line, w)
	})
}
