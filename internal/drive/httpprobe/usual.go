package httpprobe

import (
	"cmp"
	"slices"
	"strings"
)

// UsualPaths are common paths of API endpoints, the most common first.
func UsualPaths() []string {
	return []string{
		"/", "/sse", "/mcp", "/stdio", "/run", "/exec", "/execute", "/command", "/cmd", "/shell", "/start", "/launch", "/spawn", "/connect", "/proxy", "/fetch",
		"/open", "/file", "/files", "/read", "/download", "/api", "/api/run", "/api/exec", "/api/execute", "/api/command", "/api/start", "/api/connect",
		"/api/file", "/api/files", "/api/proxy", "/api/fetch", "/rpc", "/message", "/messages", "/tools/call", "/call", "/invoke", "/eval", "/terminal",
		"/config", "/api/config", "/servers", "/api/servers", "/process", "/v1/execute",
	}
}

// UsualNames are common parameter names.
func UsualNames() []string {
	return []string{
		"command", "cmd", "exec", "program", "script", "code", "args", "env", "transportType", "type", "config", "serverConfig",
		"file", "path", "filename", "name", "url", "uri", "target", "host", "q", "id",
	}
}

// Ask lists the paths to request: learned, usual and guessed ones. Paths whose
// name sounds like a shutdown come last.
func (l *Learned) Ask(most int) []string {
	var all, ends []string
	for _, p := range slices.Concat(l.Paths, UsualPaths(), l.Guesses) {
		if slices.Contains(all, p) || slices.Contains(ends, p) {
			continue
		}
		if slices.ContainsFunc([]string{"shutdown", "quit", "exit", "stop", "kill", "restart", "close"}, func(w string) bool { return strings.Contains(p, w) }) {
			ends = append(ends, p)
			continue
		}
		all = append(all, p)
	}
	all = append(all, ends...)
	return all[:min(len(all), most)]
}

// Parameters returns the names to use: learned ones, those with a known meaning
// first, then common ones.
func (l *Learned) Parameters() []string {
	names := slices.Clone(l.Names)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(vague(a), vague(b)) })
	for _, name := range UsualNames() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func vague(name string) int {
	if kindOf(name) == other {
		return 1
	}
	return 0
}
