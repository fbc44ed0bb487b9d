package entry

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	complaint = lazyregexp.New(`(?i)required?\b|missing|must (?:be|have|provide|set|specify|define)|\bnot (?:set|found|provided|defined|configured|specified|present|available)|please|undefined|\bunset\b|environment variable|env(?:ironment)? vars?|is empty|\bno .{0,40}(?:provided|found|set|configured)|invalid|\bneeds?\b|\bneeded\b|\bset\b|\bprovide\b|\bpass\b|\bexport\b|configure|expected string|keyerror`)
	// What must precede a list so that it is more than help.
	demand = lazyregexp.New(`(?i)required?\b|missing|\bmust\b|\bnot (?:set|found|provided|defined|configured|specified)|undefined|invalid|\bneeds?\b|please|validation`)
	// A remark about something optional.
	remark   = lazyregexp.New(`(?i)\boptional|\bwarn|deprecat|\bdefault|not required|\binfo\b|\bdebug\b`)
	stack    = lazyregexp.New(`^\s+at |^\s*File "`)
	envShout = lazyregexp.New(`\b[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8}\b`)
	// Where the text says that it is a variable, one word is enough.
	envAccess = lazyregexp.New(`process\.env\.([A-Z][A-Z0-9_]{1,63})\b|process\.env\[["']([A-Z][A-Z0-9_]{1,63})["']\]|os\.environ\[["']([A-Z][A-Z0-9_]{1,63})["']\]|KeyError: ["']([A-Z][A-Z0-9_]{1,63})["']|(?:export|set|\$env:)\s?([A-Z][A-Z0-9_]{1,63})=|(?i:environment variables?|env vars?)[: ]+["'\x60]?([A-Z][A-Z0-9_]{2,63})\b|\b([A-Z][A-Z0-9_]{2,63})["'\x60]? (?i:environment variable|env var)`)
	// Validation errors of zod and pydantic.
	zodPath      = lazyregexp.New(`["']?path["']?:\s*\[\s*["']([A-Za-z_]\w{0,63})["']`)
	zodArrow     = lazyregexp.New(`(?m)→ at ([A-Za-z_]\w{0,63})\s*$`)
	zodField     = lazyregexp.New(`(?m)^\W*([A-Za-z_]\w{0,63})\W{1,4}(?:Required|Invalid input|expected|\[\s*['"]Required)`)
	pydanticLine = lazyregexp.New(`(?m)^([A-Za-z_]\w{0,63})\n\s+(?i:field required|input should be)`)
	bullet       = lazyregexp.New(`^[\s│|]*(?:[-*•·✗✖❌→]|\d{1,2}[.)])?\s*["'\x60]?([A-Z][A-Z0-9_]{2,63})\b`)
)

// missingVariables finds which variables the server wants.
func missingVariables(d *diagnosis) {
	var sure, maybe found
	for i, line := range d.lines {
		if stack.MatchString(line) || !complaint.MatchString(line) {
			continue
		}
		to := &sure
		if remark.MatchString(line) {
			to = &maybe
		}
		to.line(line)
		if end := strings.TrimRight(line, " \t"); strings.HasSuffix(end, ":") || strings.HasSuffix(end, "{") || strings.HasSuffix(end, "[") {
			if !demand.MatchString(line) {
				to = &maybe
			}
			to.list(line, d.lines[i+1:])
		}
	}
	for _, re := range []*lazyregexp.Regexp{zodPath, zodArrow, zodField, pydanticLine} {
		for _, m := range re.FindAllStringSubmatch(d.text, maxNames) {
			sure.add(asVariable(m[1]), m[0])
		}
	}
	maybe.names = slices.DeleteFunc(maybe.names, func(name string) bool { return !isWanted(name) })
	d.add(Fix{Env: slices.Clone(sure.names)}, sure.why)
	if sure.names = slices.DeleteFunc(sure.names, d.hasVariable); len(sure.names) == 0 {
		d.add(Fix{Env: maybe.names}, maybe.why)
	}
}

// found collects names and the line of the first one.
type found struct {
	names []string
	why   string
}

func (f *found) add(name, why string) {
	if name == "" || isErrorCode(name) || len(f.names) == maxNames || slices.Contains(f.names, name) {
		return
	}
	if len(f.names) == 0 {
		f.why = why
	}
	f.names = append(f.names, name)
}

func (f *found) line(line string) {
	for _, m := range envAccess.FindAllStringSubmatch(line, maxNames) {
		f.add(strings.Join(m[1:], ""), line)
	}
	for _, name := range envShout.FindAllString(line, maxNames) {
		f.add(name, line)
	}
}

// list reads the lines under one that introduces a list.
func (f *found) list(why string, lines []string) {
	for _, line := range lines[:min(len(lines), maxNames)] {
		m := bullet.FindStringSubmatch(line)
		if m == nil {
			return
		}
		if strings.Contains(m[1], "_") || strings.TrimSpace(line) != m[1] {
			f.add(m[1], why)
		}
	}
}

// asVariable is the usual variable for a setting.
func asVariable(setting string) string {
	if strings.ToUpper(setting) == setting {
		return setting
	}
	return variable(words(setting))
}

// isErrorCode reports words in capitals that are error codes and not variables.
func isErrorCode(name string) bool {
	for _, prefix := range []string{"ERR_", "UND_ERR", "MODULE_NOT", "INVALID_", "MISSING_", "UNABLE_TO", "SELF_SIGNED", "DEPTH_ZERO", "CERTIFICATE_", "CERT_", "NODE_", "ENOTFOUND", "HTTP_STATUS", "SSL_", "SIG"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	for _, suffix := range []string{"_ERROR", "_FAILED", "_NOT_FOUND", "_REQUIRED", "_EXCEPTION", "_WARNING"} {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	switch name {
	case "MESSAGE", "CODE", "EXPECTED", "RECEIVED", "INPUT", "TYPE", "THE", "ERROR", "WARNING", "INFO", "FATAL", "MCP", "API", "NOT", "AND", "FOR", "ENV", "URL", "JSON", "REQUIRED", "MISSING", "PATH":
		return true
	}
	return false
}
