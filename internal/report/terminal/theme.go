package terminal

import (
	"charm.land/lipgloss/v2"

	"github.com/mcpsf/mcpsf"
)

// role is the purpose of a piece of text; the theme decides how it looks.
type role int

const (
	roleText role = iota
	roleDim
	roleStrong
	roleGood
	roleLow
	roleMedium
	roleHigh
	roleCritical
	roleUnsure
)

// glyphs are the drawing characters.
type glyphs struct {
	ellipsis, dot, bullet, mark, ok, bad, times string
	dash, full, empty                           string
	horizontal, vertical                        string
	topLeft, topRight, bottomLeft, bottomRight  string
	spinner                                     []string
}

// theme maps roles to styles. It uses the sixteen colours of the terminal, so
// that the reader's own palette applies and nothing needs converting.
type theme struct {
	glyphs

	styles map[role]lipgloss.Style // nil without colour
}

func newTheme(s Style) theme {
	t := theme{glyphs: asciiGlyphs()}
	if s.Unicode {
		t.glyphs = unicodeGlyphs()
	}
	if s.Color {
		t.styles = palette()
	}
	return t
}

func (t theme) paint(s span, text string) string {
	style, ok := t.styles[s.role]
	if !ok || text == "" {
		return text
	}
	return style.Reverse(s.badge).Render(text)
}

func palette() map[role]lipgloss.Style {
	color := func(c string) lipgloss.Style { return lipgloss.NewStyle().Foreground(lipgloss.Color(c)) }
	return map[role]lipgloss.Style{
		roleDim:      color("8"),
		roleStrong:   lipgloss.NewStyle().Bold(true),
		roleGood:     color("2").Bold(true),
		roleLow:      color("6").Bold(true),
		roleMedium:   color("3").Bold(true),
		roleHigh:     color("1").Bold(true),
		roleCritical: color("5").Bold(true),
		roleUnsure:   color("4").Bold(true),
	}
}

func unicodeGlyphs() glyphs {
	return glyphs{
		ellipsis: "…", dot: "·", bullet: "●", mark: "▌", ok: "✓", bad: "✗", times: "×",
		dash: "–", full: "█", empty: "░", horizontal: "─", vertical: "│",
		topLeft: "╭", topRight: "╮", bottomLeft: "╰", bottomRight: "╯",
		spinner: []string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"},
	}
}

func asciiGlyphs() glyphs {
	return glyphs{
		ellipsis: "...", dot: "-", bullet: "*", mark: ">", ok: "ok", bad: "!!", times: "x",
		dash: "-", full: "#", empty: ".", horizontal: "-", vertical: "|",
		topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
		spinner: []string{"|", "/", "-", `\`},
	}
}

func bandRole(b mcpsf.Band) role {
	switch b {
	case mcpsf.BandPass:
		return roleGood
	case mcpsf.BandLow:
		return roleLow
	case mcpsf.BandMedium:
		return roleMedium
	case mcpsf.BandHigh:
		return roleHigh
	case mcpsf.BandCritical:
		return roleCritical
	default:
		return roleUnsure
	}
}

func severityRole(s mcpsf.Severity) role {
	switch s {
	case mcpsf.SeverityLow:
		return roleLow
	case mcpsf.SeverityMedium:
		return roleMedium
	case mcpsf.SeverityHigh:
		return roleHigh
	case mcpsf.SeverityCritical:
		return roleCritical
	default:
		return roleDim
	}
}

func statusRole(s mcpsf.CallStatus) role {
	switch s {
	case mcpsf.CallOK:
		return roleGood
	case mcpsf.CallRefused:
		return roleDim
	default:
		return roleMedium
	}
}
