package analysis

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/static/code/ir"
	"github.com/mcpsf/mcpsf/internal/static/code/resolve"
)

var (
	refusing         = lazyregexp.New(`(?i)block|deny|denied|exclu|ignore|forbid|sensitive|protect|restrict|reject|skip|hidden|disallow|unsafe|blacklist|secretfiles|redact|scrub`)
	shellStart       = lazyregexp.New(`(^|/)\.(bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|kshrc)$|config\.fish$|Microsoft\.PowerShell_profile\.ps1|^/etc/profile(\.d/|$)`)
	cronPlace        = lazyregexp.New(`^/etc/cron|/var/spool/cron|(^|/)crontab$`)
	servicePlace     = lazyregexp.New(`/systemd/(system|user)(/|$)|^/etc/init\.d/|^/etc/rc\.local`)
	launchPlace      = lazyregexp.New(`Library/Launch(Agents|Daemons)`)
	loginPlace       = lazyregexp.New(`\.config/autostart|Start Menu[/\\]Programs[/\\]Startup|\\CurrentVersion\\Run\b`)
	hookPlace        = lazyregexp.New(`\.git/hooks(/|$)|core\.hooksPath`)
	sshPlace         = lazyregexp.New(`(^|/)\.ssh/(authorized_keys|config|rc)$`)
	assistantPlace   = lazyregexp.New(`claude_desktop_config\.json|\.cursor[/\\]mcp\.json|(^|/)\.claude(\.json$|[/\\](settings(\.local)?\.json|mcp\.json))|\.vscode[/\\]mcp\.json|windsurf[/\\]mcp_config\.json|mcp_settings\.json|\.gemini[/\\]settings\.json|\.codex[/\\]config\.toml`)
	pipelinePlace    = lazyregexp.New(`\.github/workflows/|\.gitlab-ci\.yml$`)
	interpreterPlace = lazyregexp.New(`(sitecustomize|usercustomize)\.py$|site-packages/.*\.pth$`)
	instructionPlace = lazyregexp.New(`(^|/)(\.cursorrules|CLAUDE\.md|AGENTS\.md|copilot-instructions\.md|GEMINI\.md)$`)
	configPlace      = lazyregexp.New(`(^|/)\.(npmrc|pypirc|netrc|gitconfig)$`)
	laterCommand     = lazyregexp.New(`(?i)\bcrontab\s+-|\bcrontab\b.*\||\bschtasks\b.*/create|\blaunchctl\s+(load|bootstrap)|\bsystemctl\s+(--user\s+)?enable|\breg\s+add\b.*\\run\b|>>\s*~?\S*\.(bashrc|zshrc|profile)\b|\bgit\s+config\s+--global\s+core\.hooksPath|>>\s*\S*authorized_keys`)
	opensWrite       = lazyregexp.New(`^[waxr]b?\+?b?$`)
)

// startsLater are paths from which programs are started automatically.
func startsLater() []named {
	return []named{
		{shellStart, "shell start-up"},
		{cronPlace, "cron"},
		{servicePlace, "service"},
		{launchPlace, "launch agent"},
		{loginPlace, "login item"},
		{hookPlace, "git hook"},
		{sshPlace, "ssh access"},
		{assistantPlace, "assistant configuration"},
		{pipelinePlace, "build pipeline"},
		{interpreterPlace, "interpreter start-up"},
		{instructionPlace, "assistant instructions"},
		{configPlace, "tool configuration"},
	}
}

// credentialReads finds paths of credentials in strings that are used as paths.
func credentialReads(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for i, f := range p.Files {
		if beside(f.Path) {
			continue
		}
		for k := range f.Texts {
			t := &f.Texts[k]
			if !usedPath(t) {
				continue
			}
			if what := resolve.SecretPath(t.Text); what != "" {
				fact := fact(f, t.Line, what, t.Text)
				// The longest one on a line is the most specific.
				if n := len(out) - 1; n >= 0 && out[n].Path == f.Path && out[n].Line == t.Line && out[n].Name == what {
					if len(out[n].Text) < len(t.Text) {
						out[n].Text = t.Text
					}
					continue
				}
				if tools := p.graph.toolsAt(i, t.Func, nil); len(tools) > 0 {
					fact.Tool = tools[0]
				}
				out = append(out, fact)
			}
		}
	}
	return out
}

// usedPath reports whether a text is used as a path rather than printed,
// compared or refused.
func usedPath(t *ir.Text) bool {
	return !t.Compared && !isMessage(t) && !refusing.MatchString(t.Name) && !refusing.MatchString(t.Into) && !strings.ContainsAny(t.Text, "\n")
}

// persistences finds persistence: changes that make something start again
// later.
func persistences(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for at := range p.calls() {
		c := at.call
		name, text := "", ""
		switch {
		case capabilityOf(c) == mcpsf.CapabilityExec:
			for _, a := range c.Args {
				if laterCommand.MatchString(a.Text) {
					name, text = "command", a.Text
				}
			}
		case writes(c):
			name, text = laterPlace(c)
		}
		if name == "" {
			continue
		}
		out = append(out, p.factAt(at, c.Line, name, c.Name+" "+text))
	}
	return out
}

// writes reports whether a call changes a file.
func writes(c *ir.Call) bool {
	last := c.Name[strings.LastIndexByte(c.Name, '.')+1:]
	switch last {
	case "open":
		for i, a := range c.Args {
			if (i == 1 && a.Key == "" || a.Key == "mode" || a.Key == "flags") && opensWrite.MatchString(a.Text) && a.Text != "r" && a.Text != "rb" {
				return true
			}
		}
		return false
	case "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream", "copyFile", "copyFileSync", "symlink", "symlinkSync", "outputFile", "outputFileSync", "outputJson", "writeJson", "writeJsonSync", "write_text", "write_bytes", "copy", "copyfile", "move", "rename", "renameSync", "cp", "cpSync", "writeTextFile", "link":
		return true
	}
	return false
}

func laterPlace(c *ir.Call) (name, text string) {
	for _, a := range c.Args {
		if len(a.Text) > 400 || strings.Contains(a.Text, "\n") {
			continue
		}
		for _, s := range startsLater() {
			if s.re.MatchString(strings.Trim(a.Text, ir.Hole)) {
				return s.name, a.Text
			}
		}
	}
	return "", ""
}

// hiddenCharacters finds hidden characters in code.
func hiddenCharacters(p *Package) []mcpsf.Fact {
	var out []mcpsf.Fact
	for _, f := range p.Files {
		for _, h := range f.Hidden {
			out = append(out, fact(f, h.Line, h.Kind, fmt.Sprintf("%d, first %s: %s", h.Count, h.First, h.Text)))
		}
		for _, id := range f.Shape.Foreign {
			if what := lookalike(id.Text); what != "" {
				out = append(out, fact(f, id.Line, "look-alike", id.Text+": "+what))
			}
		}
	}
	return out
}

// lookalike describes the letters of an identifier that look like others.
func lookalike(s string) string {
	latin, cyrillic, greek, alike := false, false, false, true
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = true
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic = true
			alike = alike && strings.ContainsRune("аеорсухіјѕһԁԛԝАВЕКМНОРСТУХЅІЈ", r)
		case unicode.Is(unicode.Greek, r):
			greek = true
			alike = alike && strings.ContainsRune("οανικρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", r)
		case unicode.IsLetter(r):
			alike = false
		}
	}
	switch {
	case latin && cyrillic:
		return "Latin and Cyrillic letters in one name"
	case latin && greek && alike:
		return "Latin and Greek letters in one name"
	case cyrillic && alike && len([]rune(s)) >= 3:
		return "Cyrillic letters that all look Latin"
	}
	return ""
}

// minified finds a minified file among readable ones.
func minified(p *Package) []mcpsf.Fact {
	small := func(f *ir.File) bool {
		s := &f.Shape
		code := s.Bytes - s.StringBytes
		return s.Bytes > 1500 && code > 1200 && s.Bytes/max(1, s.Lines) > 200 && s.Idents > 80 && s.Short*100 > s.Idents*35
	}
	readable := map[string]int{}
	dense := map[string]int{}
	for _, f := range p.Files {
		if f.Shape.Bytes < 300 {
			continue
		}
		if small(f) {
			dense[path.Dir(f.Path)]++
		} else {
			readable[path.Dir(f.Path)]++
		}
	}
	var out []mcpsf.Fact
	for _, f := range p.Files {
		dir := path.Dir(f.Path)
		if !small(f) || readable[dir] <= dense[dir] || strings.Contains(f.Path, ".min.") || beside(f.Path) {
			continue
		}
		out = append(out, fact(f, 0, base(f.Path), fmt.Sprintf("%d bytes in %d lines beside %d readable files", f.Shape.Bytes, f.Shape.Lines, readable[dir])))
	}
	return out
}
