package services

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
)

// script serves what reports being run, to programs that fetch scripts.
func script(s *Services, r *Request) *Answer {
	kind := scriptKind(r)
	if kind == "" {
		return nil
	}
	body := s.provenByRun(r, kind)
	if body == nil {
		return nil
	}
	types := map[string]string{
		execproof.Shell: "text/x-sh", execproof.PowerShell: "text/plain; charset=utf-8",
		execproof.Python: "text/x-python; charset=utf-8", execproof.JavaScript: "application/javascript; charset=utf-8",
	}
	return whole(types[kind], body)
}

// provenByRun is what reports having been run after it was fetched by a request.
func (s *Services) provenByRun(r *Request, kind string) []byte {
	return s.proofs.Script(kind, execproof.Origin{URL: clean(r.URL()), Scheme: r.Scheme, Host: r.Place})
}

// maxURL bounds how much of a URL a proof tells.
const maxURL = 4 << 10

// clean makes the hostile bytes of a URL fit for an event.
func clean(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxURL)], "\uFFFD") }

func whole(kind string, body []byte) *Answer {
	a := of(http.StatusOK, kind, body)
	a.whole = true
	return a
}

// scriptKind tells which language the client waits for, "" if none. A name
// that ends like a script's gets one whatever the client says to accept, as it
// would from a server of files; anything else only if both the address and the
// client look like it.
func scriptKind(r *Request) string {
	if !r.Reads() || r.Header("Sec-Fetch-Dest") != "" { // a browser runs what it loads
		return ""
	}
	if kind := languageOf(r.base()); kind != "" {
		if wantsRecord(r) {
			return ""
		}
		return kind
	}
	if strings.Contains(r.Header("Accept"), "text/html") || wantsJSON(r) {
		return "" // somebody looks at it
	}
	if kind := languageOf(asksFile(r)); kind != "" {
		return kind
	}
	kind := agentKind(r.Header("User-Agent"))
	switch {
	case isPaste(r) && kind == "" && r.Header("User-Agent") == "":
		return execproof.JavaScript // only Node says nothing of itself
	case isPaste(r), isInstaller(r) && !isAPI(r) && !strings.Contains(r.Header("Accept"), "json"):
		return kind
	}
	return ""
}

func isAPI(r *Request) bool {
	return strings.HasPrefix(r.Domain(), "api.") || hasAny(r.Path, lists().Script.APIPaths...)
}

// languageOf goes by the end of a name.
func languageOf(name string) string {
	switch path.Ext(strings.ToLower(name)) {
	case ".sh", ".bash", ".zsh":
		return execproof.Shell
	case ".ps1", ".psm1":
		return execproof.PowerShell
	case ".py", ".pyw":
		return execproof.Python
	case ".js", ".mjs", ".cjs":
		return execproof.JavaScript
	}
	return ""
}

// wantsJSON goes by what is accepted, unless that is everything.
func wantsJSON(r *Request) bool {
	accept := r.Header("Accept")
	return strings.Contains(accept, "json") && !strings.Contains(accept, "*/*") && !strings.Contains(accept, "text/plain")
}

// wantsRecord knows the APIs that have files and packages as objects: the name
// at the end of the path is that of what they tell about.
func wantsRecord(r *Request) bool {
	if wantsJSON(r) {
		return true
	}
	if !isAPI(r) || strings.Contains(r.Header("Accept"), "raw") {
		return false
	}
	for segment := range strings.SplitSeq(path.Dir(r.Path), "/") {
		if slices.Contains(lists().Script.Records, strings.ToLower(segment)) {
			return true
		}
	}
	return false
}

// asksFile is the name of a file that is asked for as a parameter, as in
// /download?file=NAME.
func asksFile(r *Request) string {
	if isAPI(r) {
		return ""
	}
	for _, key := range lists().Script.FileParameters {
		if v := r.Query.Get(key); v != "" {
			return v
		}
	}
	return ""
}

// isPaste knows where anybody puts up text without a name.
func isPaste(r *Request) bool {
	host, _, _ := strings.Cut(r.Domain(), ".")
	place := host == "raw" || host == "paste" || r.base() == "raw" || strings.Contains(r.Path, "/raw/")
	return place && path.Ext(r.Path) == ""
}

// isInstaller knows the addresses that are fed to interpreters.
func isInstaller(r *Request) bool {
	known := &lists().Script
	host, _, _ := strings.Cut(r.Domain(), ".")
	base := strings.ToLower(r.base())
	switch {
	case slices.Contains(known.InstallerHosts, host):
		return path.Ext(r.Path) == ""
	case base == "/":
		return strings.HasSuffix(r.Domain(), ".sh")
	case slices.ContainsFunc(known.InstallerPrefixes, func(p string) bool { return strings.HasPrefix(base, p) }):
		return true
	}
	return slices.Contains(known.InstallerNames, base)
}

// agentKind is the language that goes with a program.
func agentKind(agent string) string {
	agent = strings.ToLower(agent)
	switch {
	case strings.Contains(agent, "powershell"):
		return execproof.PowerShell
	case hasAny(agent, "curl/", "wget"):
		return execproof.Shell
	case hasAny(agent, "python", "aiohttp"):
		return execproof.Python
	case hasAny(agent, "node", "undici", "axios"):
		return execproof.JavaScript
	}
	return ""
}
