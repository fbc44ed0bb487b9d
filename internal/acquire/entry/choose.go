package entry

import (
	"path"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// ForPackage picks the snippet that best shows how the package is started over
// standard streams, and returns the server's own arguments and variables. bins
// are the names of the programs that the package installs.
func ForPackage(snippets []Snippet, manager mcpsf.Manager, name string, bins []string) (args []string, env []Var, ok bool) {
	p := newPackage(manager, name, bins)
	best, most := launch{}, 0
	for _, s := range snippets[:min(len(snippets), maxSnippets)] {
		l := unwrap(s)
		score := p.match(l)
		if score == 0 || !s.config && !startsServing(l.args) {
			continue
		}
		if score = max(1, score+quality(s, l)); score > most {
			best, most = l, score
		}
	}
	if most == 0 {
		return nil, nil, false
	}
	return ownArgs(best.args), ownEnv(best), true
}

// pkg is the package to start.
type pkg struct {
	manager string
	name    string // canonical
	short   string // without its scope
	bins    []string
}

func newPackage(manager mcpsf.Manager, name string, bins []string) pkg {
	p := pkg{manager: string(manager), name: canonical(name), short: canonical(path.Base(name))}
	for _, bin := range bins[:min(len(bins), 256)] {
		p.bins = append(p.bins, canonical(bin))
	}
	return p
}

// canonical makes names equal that package managers treat as equal.
func canonical(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

// match says how surely a command starts this package; 0 means it does not.
func (p pkg) match(l launch) int {
	if l.by == meansNothing || l.manager != "" && p.manager != "" && l.manager != p.manager {
		return 0
	}
	best := 0
	for _, name := range l.names {
		best = max(best, p.matchName(l.by, name))
	}
	return best
}

func (p pkg) matchName(by means, name string) int {
	c := canonical(name)
	isBin := slices.Contains(p.bins, c)
	switch {
	case by == meansScript:
		return p.matchPath(name)
	case by == meansImage:
		return p.matchImage(c)
	case c == p.name:
		return 100
	case isBin:
		return 90
	case c == p.short && by != meansPackage:
		return 85
	case path.Base(c) == p.short: // another scope, a fork, a repository
		return 50
	case by == meansPackage: // its old or planned name
		return p.matchImage(c) / 2
	}
	return 0
}

// matchPath takes any script for the package's own, because a package's README
// shows no other. A path with the package's name is a surer sign.
func (p pkg) matchPath(file string) int {
	for part := range strings.SplitSeq(canonical(file), "/") {
		if part == p.short || part == p.name || slices.Contains(p.bins, part) {
			return 60
		}
	}
	switch path.Ext(file) {
	case ".js", ".mjs", ".cjs", ".ts", ".py":
		return 40
	}
	return 0
}

// matchImage compares the words that are not in every server's name.
func (p pkg) matchImage(image string) int {
	for _, word := range words(image) {
		switch word {
		case "mcp", "server", "latest", "image", "your", "my", "docker", "modelcontextprotocol", "cli", "inspector", "remote":
			continue
		}
		if slices.Contains(words(p.name), word) {
			return 30
		}
	}
	return 0
}

// quality ranks snippets that start the same package.
func quality(s Snippet, l launch) int {
	score := 0
	if s.config && s.Command != "" {
		score += 15
	}
	if len(l.args) == 0 && slices.ContainsFunc(l.env, func(v Var) bool { return isSecretName(words(v.Name)) }) {
		score += 3
	}
	if overNetwork(l) {
		score -= 60
	}
	for _, arg := range l.args {
		if hardToFill(arg) {
			score -= 8
		}
	}
	return score
}

// startsServing reports whether the arguments of a shell command can be those
// of a server. "init", "auth", "--help" and "get" start no server.
func startsServing(args []string) bool {
	if len(args) == 0 {
		return true
	}
	switch arg := args[0]; strings.ToLower(arg) {
	case "stdio", "serve", "server", "start", "run", "mcp":
		return true
	case "--help", "-h", "--version", "-v", "--init", "--setup", "--install", "--list", "--test":
		return false
	default:
		return strings.ContainsAny(arg, `/\<$:`) || strings.HasPrefix(arg, "-") || strings.ToUpper(arg) == arg
	}
}

// hardToFill reports arguments whose content we would have to invent.
func hardToFill(arg string) bool {
	if strings.Contains(arg, "...") {
		return true
	}
	switch path.Ext(arg) {
	case ".json", ".yaml", ".yml", ".toml", ".pem", ".key", ".p12", ".ini", ".conf":
		return true
	}
	return false
}

// overNetwork reports whether the arguments make the server speak HTTP.
func overNetwork(l launch) bool {
	for i, arg := range l.args {
		if networkArg(arg) || i == 0 && networkTransport(arg) || addressArg(arg) && !database(l.args) {
			return true
		}
		if name, value, ok := strings.Cut(arg, "="); ok && transportOption(name) && networkTransport(value) {
			return true
		}
		if transportOption(arg) && i+1 < len(l.args) && networkTransport(l.args[i+1]) {
			return true
		}
	}
	return slices.ContainsFunc(l.env, func(v Var) bool { return transportVar(v.Name) && networkTransport(v.Value) })
}

func networkArg(arg string) bool {
	switch arg {
	case "--http", "--sse", "--streamable-http", "--streamableHttp", "--server":
		return true
	}
	return false
}

// addressArg reports options that say where to listen.
func addressArg(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return name == "--port" || name == "--listen"
}

// database reports whether an argument is the URL of a database.
func database(args []string) bool {
	return slices.ContainsFunc(args, func(arg string) bool {
		name, _, _ := strings.Cut(arg, "=")
		return strings.HasPrefix(name, "-") && anyOf(words(name), "user", "username", "password", "database", "db")
	})
}

func transportOption(name string) bool {
	return name == "--transport" || name == "-t" || name == "--mode" || name == "--transport-type"
}

func transportVar(name string) bool {
	return strings.Contains(strings.ToUpper(name), "TRANSPORT") || name == "MCP_MODE" || name == "SERVER_MODE"
}

func networkTransport(value string) bool {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(value)) {
	case "http", "sse", "streamable", "streamablehttp", "httpstream", "websocket", "ws", "rest":
		return true
	}
	return false
}

// ownArgs removes arguments that would make the server listen on a port instead
// of using standard streams.
func ownArgs(args []string) []string {
	var out []string
	if len(args) > 0 && (args[0] == "-y" || args[0] == "--yes") { // meant for npx
		args = args[1:]
	}
	listens := overNetwork(launch{args: args})
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(args[i], "=")
		next := i+1 < len(args)
		switch {
		case hasValue && transportOption(name) && networkTransport(value):
		case !hasValue && transportOption(name) && next && networkTransport(args[i+1]):
			i++
		case listens && (addressArg(name) || name == "--host"):
			if !hasValue && next && !strings.HasPrefix(args[i+1], "-") {
				i++
			}
		case networkArg(args[i]), i == 0 && networkTransport(args[i]):
		default:
			out = append(out, args[i])
		}
	}
	return out
}

// ownEnv removes variables that describe the author's machine rather than the
// server.
func ownEnv(l launch) []Var {
	var out []Var
	seen := map[string]bool{}
	if overNetwork(l) {
		seen["PORT"], seen["HOST"] = true, true
	}
	for _, v := range l.env {
		if seen[v.Name] || len(out) == maxVars || transportVar(v.Name) && networkTransport(v.Value) {
			continue
		}
		switch strings.ToUpper(v.Name) {
		case "PATH", "HOME", "PWD", "USER", "SHELL", "TMPDIR", "TEMP", "APPDATA", "LOCALAPPDATA", "USERPROFILE",
			"SYSTEMROOT", "COMSPEC", "WINDIR", "PROGRAMFILES", "NODE_PATH", "PYTHONPATH", "VIRTUAL_ENV", "DISPLAY",
			"LD_PRELOAD", "LD_LIBRARY_PATH":
			continue
		}
		seen[v.Name] = true
		out = append(out, v)
	}
	return out
}
