package shell

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Harmful says whether a command does harm.
func Harmful(command string) bool {
	for _, g := range []*lazyregexp.Regexp{fetched, fetchedFirst, fetchedThen, foreign, opened, guarded, trusting, staying, leaving, lost} {
		if g.MatchString(command) {
			return true
		}
	}
	for word := range strings.FieldsFuncSeq(command, func(r rune) bool { return r == ' ' || r == '\'' || r == '"' || r == '@' || r == '=' }) {
		if promptscan.SecretPath(word) && strings.ContainsAny(word, "/.") && carrier.MatchString(command) {
			return true
		}
	}
	return false
}

// Commands that no honest documentation lets an agent run in passing: they run
// what they fetch, switch protection off, install persistence, or send private
// data.
var (
	fetched      = lazyregexp.New(`(?i)\b(?:curl|wget|iwr|irm|invoke-webrequest|fetch)\b[^\n]*\|\s*(?:sudo\s+)?(?:\w+=\S+\s+)*(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|iex|source)\b`)
	fetchedFirst = lazyregexp.New(`(?i)\b(?:sh|bash|zsh|eval|source|python[\d.]*|node|iex|exec|\.)\b[^\n]*(?:\$\(|<\(|\()\s*(?:curl|wget|iwr|irm|new-object)\b`)
	foreign      = lazyregexp.New(`(?i)\b(?:pip[\d.]*|uv|uvx|npm|npx|pnpm|yarn|gem|cargo|go|brew|apt(?:-get)?|dpkg|rpm|code)\b[^\n]*(?:https?://|git\+|--(?:extra-)?index-url|--registry|--install-extension)`)
	fetchedThen  = lazyregexp.New(`(?i)\b(?:curl|wget)\b[^\n]*(?:&&|;)[^\n]*(?:\bchmod\s+\+x|\bsh\b|\bbash\b|\./|\bpython)`)
	opened       = lazyregexp.New(`(?i)\bchmod\b[^\n]*(?:\b[0-7]?[0-7][0-7][2367]\b|[augo]*[ao][augo]*\+\S*[rwx]|\+s\b)|\bchown\b|\bsetfacl\b|\b(?:usermod|useradd|visudo|sudoers|NOPASSWD|gpasswd)\b`)
	guarded      = lazyregexp.New(`(?i)\bufw\s+(?:disable|reset|allow)|\bsetenforce\s+0|\biptables\s+-[FPAIX]|\bnft\s+flush|\b(?:systemctl|service|launchctl)\b[^\n]*\b(?:stop|disable|mask|unload)\b|\bcsrutil\b|\bspctl\b|Set-MpPreference|advfirewall|\bxattr\b|(?:killall|pkill)\s`)
	trusting     = lazyregexp.New(`(?i)StrictHostKeyChecking|sslVerify\s+false|strict-ssl\s+false|TLS_REJECT_UNAUTHORIZED|--dangerously|--yolo|--no-sandbox|--privileged|docker\.sock|-v\s+/:`)
	staying      = lazyregexp.New(`(?i)\bcrontab\b|\bschtasks\b|\bsystemctl\b[^\n]*\benable\b|\blaunchctl\s+load|\bnohup\b|\bssh-copy-id\b|\bssh\b[^\n]*\s-[A-Za-z]*R\b|core\.hooksPath|\bmcp\s+add\b|(?:>>?|\btee\b)[^\n|]*(?:\.(?:bashrc|zshrc|profile|bash_profile|zprofile|gitconfig)|authorized_keys|/etc/|cron|hooks/|autostart)`)
	leaving      = lazyregexp.New(`(?i)(?:^|[|;&(]\s*|\bsudo\s+)(?:printenv|env|set|history)\s*(?:$|[|>&;])|/dev/tcp/|\b(?:nc|ncat|socat)\b|\bcurl\b[^\n]*(?:\s-[A-Za-z]*[dFT]\b|--data|--form|--upload)[^\n]*(?:@|\$\()|\b(?:scp|rsync)\b[^\n]*@|\bsecurity\s+(?:find|dump)`)
	lost         = lazyregexp.New(`(?i)\brm\s+-\w*[rf]\w*\s+(?:~|/|\$HOME|\*)|\bmkfs\b|\bshred\b|\bhistory\s+-c|--force\b[^\n]*\bpush|\bpush\b[^\n]*(?:--force|-f)\b`)
)

// carrier matches a command that shows or copies files.
var carrier = lazyregexp.New(`(?i)\b(?:cat|base64|tar|zip|type|head|tail|xxd|less|more|cp|mv|curl|wget|gpg|openssl|nslookup|dig|host|ping|drill)\b`)

// maxCommands is how many commands of each kind are checked in a text.
// gap: agent-bounds
const maxCommands = 20

// Find finds commands and their positions.
func Find(text string) [][2]int {
	var out [][2]int
	taken := 0
	for _, m := range lines.FindAllStringSubmatchIndex(text, maxCommands) {
		if m[0] == 0 || text[m[0]-1] != '`' {
			out = append(out, [2]int{m[2], m[3]})
			taken = m[1]
		}
	}
	for _, m := range quotedScript.FindAllStringSubmatchIndex(text, maxCommands) {
		if m[2] >= taken {
			out = append(out, [2]int{m[2], m[3]})
		}
	}
	for _, m := range script.FindAllStringSubmatchIndex(text, maxCommands) {
		if m[2] >= taken || !strings.Contains(text[m[2]:m[3]], "`") {
			out = append(out, [2]int{m[2], m[3]})
		}
	}
	return out
}

// script matches what can be a command without a mark: behind a colon, or on a
// line of its own.
var script = lazyregexp.New(`(?m)(?:^[ \t>$#]*|: +|\b(?:[Rr]un|[Rr]unning|[Ee]xecute|[Ee]xecuting) +)((?:sudo |env )?(?:curl|wget|bash|sh|chmod|crontab|env|printenv|python3?|eval|echo|powershell|iex|iwr|systemctl|ufw|nohup|ssh|scp|nc|cat|rm|pip3?|npm|npx|git|docker|nslookup|dig)\b(?: |$)[^\n]{0,400})`)

// lines matches text in backticks, over a few lines.
var lines = lazyregexp.New("`([^`\n]{2,400}(?:\n[^`\n]{1,300}){0,3})`")

// quotedScript matches a command in quotation marks.
var quotedScript = lazyregexp.New(`["“]((?:sudo )?(?:curl|wget|bash|sh|chmod|crontab|python3?|eval|echo|powershell|iex|systemctl|ufw|nohup|ssh|scp|cat|rm|pip3?|npm|npx) [^"”\n]{3,400})["”]`)

// IsCommand reports whether the text begins with the name of a program.
func IsCommand(text string) bool { return program.MatchString(text) }

// program matches the first word of a command.
var program = lazyregexp.New(`^(?:sudo |\$ )?(?:printenv|env|cat|curl|wget|echo|whoami|id|ls|rm|cp|mv|chmod|nc|ssh|scp|git|bash|sh|python3?|node|type|set|export|tar|base64|crontab|powershell|history|find|grep|dd|kill)\b`)
