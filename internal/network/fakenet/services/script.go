package services

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/execproof"
)

// script serves scripts that report when they are run.
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

// provenByRun is a script or program that reports when it is run, and which
// request fetched it.
func (s *Services) provenByRun(r *Request, kind string) []byte {
	return s.proofs.Script(kind, execproof.Origin{URL: clean(r.URL()), Scheme: r.Scheme, Host: r.Place})
}

// maxURL is how many bytes of a URL an exec proof contains.
// no gap: bounds our own made-up answers
const maxURL = 4 << 10

// clean makes a hostile URL safe to put into an event.
func clean(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxURL)], "\uFFFD") }

func whole(kind string, body []byte) *Answer {
	a := of(http.StatusOK, kind, body)
	a.whole = true
	return a
}

// scriptKind is the language that the client expects, "" if none. A name with a
// script's extension always gets a script, as from a file server. Any other
// name gets one only if both the path and the client suggest it.
func scriptKind(r *Request) string {
	if !r.Reads() || r.Header("Sec-Fetch-Dest") != "" { // a browser runs scripts as a matter of course
		return ""
	}
	if kind := languageOf(r.base()); kind != "" {
		if wantsRecord(r) {
			return ""
		}
		return kind
	}
	if strings.Contains(r.Header("Accept"), "text/html") || wantsJSON(r) {
		return "" // a person looks at it
	}
	if kind := languageOf(asksFile(r)); kind != "" {
		return kind
	}
	kind := agentKind(r.Header("User-Agent"))
	switch {
	case isPaste(r) && kind == "" && r.Header("User-Agent") == "":
		return execproof.JavaScript // only Node sends no user agent
	case isPaste(r), isInstaller(r) && !isAPI(r) && !strings.Contains(r.Header("Accept"), "json"):
		return kind
	}
	return ""
}

func isAPI(r *Request) bool {
	return strings.HasPrefix(r.Domain(), "api.") || hasAny(r.Path, lists().Script.APIPaths...)
}

// languageOf decides by the extension of a name.
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

// wantsJSON decides by the Accept header, unless it accepts everything.
func wantsJSON(r *Request) bool {
	accept := r.Header("Accept")
	return strings.Contains(accept, "json") && !strings.Contains(accept, "*/*") && !strings.Contains(accept, "text/plain")
}

// wantsRecord recognises APIs that return files and packages as objects: there
// the name at the end of the path is that of the described file.
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

// asksFile is the file name in a query parameter, as in /download?file=NAME.
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

// isPaste recognises sites where anybody can publish text without a file name.
func isPaste(r *Request) bool {
	host, _, _ := strings.Cut(r.Domain(), ".")
	place := host == "raw" || host == "paste" || r.base() == "raw" || strings.Contains(r.Path, "/raw/")
	return place && path.Ext(r.Path) == ""
}

// isInstaller recognises URLs that are piped into interpreters.
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

// agentKind is the language that a user agent suggests.
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
