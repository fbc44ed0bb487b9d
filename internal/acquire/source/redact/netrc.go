package redact

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// netrcForm matches a keyword and the word after it.
var netrcForm = lazyregexp.New(`(?i)(^|\s)(login|user|password|passwd|account)(\s+)("(?:[^"\\\n]|\\.)*"|\S+)`)

// netrc replaces passwords, and logins that look like passwords. A value can be
// on another line than its keyword, but not behind a comment.
func (m *Mask) netrc(data string) string {
	var b, words strings.Builder
	for line := range strings.Lines(data) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			words.WriteString(line)
			continue
		}
		b.WriteString(m.netrcWords(words.String()) + m.loose("", line))
		words.Reset()
	}
	return b.String() + m.netrcWords(words.String())
}

func (m *Mask) netrcWords(data string) string {
	var b strings.Builder
	last := 0
	for _, at := range netrcForm.FindAllStringSubmatchIndex(data, -1) {
		name := strings.ToLower(data[at[4]:at[5]])
		if name == "account" {
			name = "password" // a second value
		}
		b.WriteString(m.loose("", data[last:at[0]]) + data[at[0]:at[8]] + m.value(name, data[at[8]:at[9]]))
		last = at[9]
	}
	return b.String() + m.loose("", data[last:])
}

// fields replaces the last field on each line.
func (m *Mask) fields(data string) string {
	var b strings.Builder
	for data != "" {
		line := data[:lineEnd(data)]
		at := strings.LastIndexByte(line, ':')
		for at > 0 && line[at-1] == '\\' {
			at = strings.LastIndexByte(line[:at], ':')
		}
		switch {
		case strings.HasPrefix(line, "#"), at < 0:
			b.WriteString(m.loose("", line))
		default:
			b.WriteString(line[:at+1] + m.value("password", line[at+1:]))
		}
		data = data[len(line):]
		ending := len(data) - len(strings.TrimLeft(data, "\r\n"))
		b.WriteString(data[:ending])
		data = data[ending:]
	}
	return b.String()
}
