package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// Commands that nobody's documentation has an agent run by the way: what is
// fetched is run, what protects is switched off, something stays behind, or
// something private leaves.
var (
	fetched      = regexp.MustCompile(`(?i)\b(?:curl|wget|iwr|irm|invoke-webrequest|fetch)\b[^\n]*\|\s*(?:sudo\s+)?(?:\w+=\S+\s+)*(?:(?:ba|z|da|k|fi)?sh|python[\d.]*|node|perl|ruby|php|iex|source)\b`)
	fetchedFirst = regexp.MustCompile(`(?i)\b(?:sh|bash|zsh|eval|source|python[\d.]*|node|iex|exec|\.)\b[^\n]*(?:\$\(|<\(|\()\s*(?:curl|wget|iwr|irm|new-object)\b`)
	foreign      = regexp.MustCompile(`(?i)\b(?:pip[\d.]*|uv|uvx|npm|npx|pnpm|yarn|gem|cargo|go|brew|apt(?:-get)?|dpkg|rpm|code)\b[^\n]*(?:https?://|git\+|--(?:extra-)?index-url|--registry|--install-extension)`)
	fetchedThen  = regexp.MustCompile(`(?i)\b(?:curl|wget)\b[^\n]*(?:&&|;)[^\n]*(?:\bchmod\s+\+x|\bsh\b|\bbash\b|\./|\bpython)`)
	opened       = regexp.MustCompile(`(?i)\bchmod\b[^\n]*(?:\b[0-7]?[0-7][0-7][2367]\b|[augo]*[ao][augo]*\+\S*[rwx]|\+s\b)|\bchown\b|\bsetfacl\b|\b(?:usermod|useradd|visudo|sudoers|NOPASSWD|gpasswd)\b`)
	guarded      = regexp.MustCompile(`(?i)\bufw\s+(?:disable|reset|allow)|\bsetenforce\s+0|\biptables\s+-[FPAIX]|\bnft\s+flush|\b(?:systemctl|service|launchctl)\b[^\n]*\b(?:stop|disable|mask|unload)\b|\bcsrutil\b|\bspctl\b|Set-MpPreference|advfirewall|\bxattr\b|(?:killall|pkill)\s`)
	trusting     = regexp.MustCompile(`(?i)StrictHostKeyChecking|sslVerify\s+false|strict-ssl\s+false|TLS_REJECT_UNAUTHORIZED|--dangerously|--yolo|--no-sandbox|--privileged|docker\.sock|-v\s+/:`)
	staying      = regexp.MustCompile(`(?i)\bcrontab\b|\bschtasks\b|\bsystemctl\b[^\n]*\benable\b|\blaunchctl\s+load|\bnohup\b|\bssh-copy-id\b|\bssh\b[^\n]*\s-[A-Za-z]*R\b|core\.hooksPath|\bmcp\s+add\b|(?:>>?|\btee\b)[^\n|]*(?:\.(?:bashrc|zshrc|profile|bash_profile|zprofile|gitconfig)|authorized_keys|/etc/|cron|hooks/|autostart)`)
	leaving      = regexp.MustCompile(`(?i)(?:^|[|;&(]\s*|\bsudo\s+)(?:printenv|env|set|history)\s*(?:$|[|>&;])|/dev/tcp/|\b(?:nc|ncat|socat)\b|\bcurl\b[^\n]*(?:\s-[A-Za-z]*[dFT]\b|--data|--form|--upload)[^\n]*(?:@|\$\()|\b(?:scp|rsync)\b[^\n]*@|\bsecurity\s+(?:find|dump)`)
	lost         = regexp.MustCompile(`(?i)\brm\s+-\w*[rf]\w*\s+(?:~|/|\$HOME|\*)|\bmkfs\b|\bshred\b|\bhistory\s+-c|--force\b[^\n]*\bpush|\bpush\b[^\n]*(?:--force|-f)\b`)
)

// isGrave says whether a command is one of those.
func isGrave(command string) bool {
	for _, g := range []*regexp.Regexp{fetched, fetchedFirst, fetchedThen, foreign, opened, guarded, trusting, staying, leaving, lost} {
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

// carrier is a command that shows or carries files.
var carrier = regexp.MustCompile(`(?i)\b(?:cat|base64|tar|zip|type|head|tail|xxd|less|more|cp|mv|curl|wget|gpg|openssl|nslookup|dig|host|ping|drill)\b`)

// script is what can be a command without a mark: behind a colon, or a line of
// its own.
var script = regexp.MustCompile(`(?m)(?:^[ \t>$#]*|: +|\b(?:[Rr]un|[Rr]unning|[Ee]xecute|[Ee]xecuting) +)((?:sudo |env )?(?:curl|wget|bash|sh|chmod|crontab|env|printenv|python3?|eval|echo|powershell|iex|iwr|systemctl|ufw|nohup|ssh|scp|nc|cat|rm|pip3?|npm|npx|git|docker|nslookup|dig)\b(?: |$)[^\n]{0,400})`)

// lines are what stands in backticks, over a few lines.
var lines = regexp.MustCompile("`([^`\n]{2,400}(?:\n[^`\n]{1,300}){0,3})`")

// quotedScript is a command in quotation marks.
var quotedScript = regexp.MustCompile(`["“]((?:sudo )?(?:curl|wget|bash|sh|chmod|crontab|python3?|eval|echo|powershell|iex|systemctl|ufw|nohup|ssh|scp|cat|rm|pip3?|npm|npx) [^"”\n]{3,400})["”]`)

// codeIn finds commands and where they begin.
func codeIn(text string) [][2]int {
	var out [][2]int
	taken := 0
	for _, m := range lines.FindAllStringSubmatchIndex(text, maxRuns) {
		if m[0] == 0 || text[m[0]-1] != '`' {
			out = append(out, [2]int{m[2], m[3]})
			taken = m[1]
		}
	}
	for _, m := range quotedScript.FindAllStringSubmatchIndex(text, maxRuns) {
		if m[2] >= taken {
			out = append(out, [2]int{m[2], m[3]})
		}
	}
	for _, m := range script.FindAllStringSubmatchIndex(text, maxRuns) {
		if m[2] >= taken || !strings.Contains(text[m[2]:m[3]], "`") {
			out = append(out, [2]int{m[2], m[3]})
		}
	}
	return out
}

// runRule finds orders to run a command that does harm.
type runRule struct {
	tools *resolver
	found *ledger
}

// run: a command is to be run that does harm.
func (b *runRule) run(s *utterance, things []asset, sinks []sink) bool {
	if len(s.code) == 0 || s.refuses() || s.aim() && s.place.Part == InResult && !s.failed {
		return false
	}
	elsewhere := func(k sink) bool {
		within := k.address != "" && slices.ContainsFunc(s.code, func(c string) bool { return strings.Contains(c, k.address) })
		return (k.way != byTool || k.sure) && !within
	}
	if slices.ContainsFunc(sinks, elsewhere) && slices.ContainsFunc(things, func(t asset) bool { return t.kind == anOutput }) {
		return false // what comes out of it goes somewhere
	}
	n := runUrge(s)
	if slices.ContainsFunc(b.tools.toolsIn(s, 0, len(s.Words)), func(m mention) bool { return b.tools.kits[m.tool].can(canRun) }) {
		n++
	}
	done := false
	for _, command := range s.code {
		if n < enough || !isGrave(command) || writesFile(s, command) {
			continue
		}
		b.found.add(s, order{Order: Order{Action: Run}, things: []asset{{kind: anOutput, name: command}}, via: -1})
		done = true
	}
	return done
}

// runUrge is the evidence that a command is to be run.
func runUrge(s *utterance) int {
	n := 3 + s.urge()
	for _, yes := range []bool{
		s.place.Part == InTool || s.place.Part == InSystem, // no place for manuals
		s.around(1, "remedy"), s.failed, s.prose.agent && s.around(2, "agent"), s.class("console"), s.class("behalf"), s.urge() == 0 && s.pressed(),
	} {
		if yes {
			n++
		}
	}
	if s.class("perhaps") || s.byPeople() || s.past() {
		n -= 3
	}
	if s.prose.program && !s.prose.agent {
		n -= 3
	}
	if s.prose.manual && !s.failed || s.class("example") || explains(s) {
		n -= 2
	}
	return n
}

// explains: a word beside the command says that it is only told of.
func explains(s *utterance) bool {
	return slices.ContainsFunc(s.each("explain"), func(m promptscan.Sense) bool {
		return !slices.ContainsFunc(s.code, func(c string) bool { return strings.Contains(c, s.words(m)) })
	})
}

// refuses: somewhere in the sentence stands that it is not to be done.
func (s *statement) refuses() bool {
	if s.hidden || s.demand > 0 {
		return false
	}
	for _, n := range s.each("not") {
		if !s.near(n.From, n.To, "without", "nothing", "no") && n.From < 4 {
			return true
		}
	}
	return false
}

// writes: the command is a line that belongs into a file.
func writesFile(s *utterance, command string) bool {
	from, to := s.span()
	for _, path := range target.FindAllString(s.source[from:to], 200) {
		if lastingFile(path) && !strings.Contains(command, path) {
			return true
		}
	}
	return false
}
