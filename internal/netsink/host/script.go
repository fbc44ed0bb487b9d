package host

import (
	"net/http"
	"path"
	"strings"
)

// script serves what reports being run, to programs that fetch scripts.
func script(s *session, r *request) *answer {
	if s.h.o.Script == nil || r.method != http.MethodGet {
		return nil
	}
	kind := scriptKind(r)
	if kind == "" {
		return nil
	}
	body, id := s.h.o.Script(kind)
	if body == nil {
		return nil
	}
	s.tell(Observation{Oracle: "served " + id})
	types := map[string]string{"sh": "text/x-sh", "ps1": "text/plain; charset=utf-8", "py": "text/x-python; charset=utf-8", "js": "application/javascript; charset=utf-8"}
	a := of(http.StatusOK, types[kind], body)
	a.whole = true
	return a
}

// scriptKind tells which language the client waits for, "" if none.
func scriptKind(r *request) string {
	if strings.Contains(r.header("Accept"), "text/html") {
		return "" // somebody looks at it
	}
	switch path.Ext(strings.ToLower(r.path)) {
	case ".sh", ".bash":
		return "sh"
	case ".ps1", ".psm1":
		return "ps1"
	case ".py":
		return "py"
	case ".js", ".mjs", ".cjs":
		return "js"
	case "":
	default:
		return ""
	}
	if !isInstaller(r) || strings.Contains(r.header("Accept"), "json") {
		return ""
	}
	return agentKind(r.header("User-Agent"))
}

// isInstaller knows the addresses that are fed to interpreters.
func isInstaller(r *request) bool {
	host, _, _ := strings.Cut(r.domain(), ".")
	switch host {
	case "get", "install", "sh", "raw", "paste", "bootstrap", "setup":
		return true
	}
	switch strings.ToLower(r.base()) {
	case "install", "setup", "bootstrap", "init", "run", "payload", "script", "stage2", "update", "loader":
		return true
	}
	return strings.Contains(r.path, "/raw/")
}

// agentKind is the language that goes with a program.
func agentKind(agent string) string {
	agent = strings.ToLower(agent)
	switch {
	case strings.Contains(agent, "powershell"):
		return "ps1"
	case hasAny(agent, "curl/", "wget"):
		return "sh"
	case hasAny(agent, "python", "aiohttp"):
		return "py"
	case hasAny(agent, "node", "undici", "axios"):
		return "js"
	}
	return ""
}
