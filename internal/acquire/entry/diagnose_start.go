package entry

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

var (
	commandsHead = lazyregexp.New(`(?i)^[\s│╭─]*(?:available |sub)*commands?:?[\s─╮]*([\w:, |-]*)$`)
	choices      = lazyregexp.New(`\{([a-z][a-z-]*(?:,[a-z-]+)+)\}|choose from ([^)]{1,300})`)
	quotedWord   = lazyregexp.New(`['"\x60]([a-z][a-z:-]{1,30})['"\x60]`)
	commandLine  = lazyregexp.New(`^[\s│]{1,8}(?:[\w.-]{1,40} )?([a-z][\w:-]{1,30})(?:[ |,]|$)`)
	wantsCommand = lazyregexp.New(`(?i)missing command|no command (?:specified|given|provided)|(?:unknown|invalid|specify a|a) (?:sub)?command|<command>|\{[a-z]+(?:,[a-z-]+)+\}|\bCOMMAND\b`)
)

// startingVerb picks the command that starts a server, "" if none does.
func startingVerb(list []string) string {
	for _, verb := range []string{"stdio", "mcp", "serve", "start", "server", "run", "mcp:start", "start-mcp-server", "mcp-server", "serve-stdio"} {
		for _, have := range list {
			if strings.TrimSpace(have) == verb {
				return verb
			}
		}
	}
	return ""
}

// commandList picks a command from a list.
func commandList(d *diagnosis) {
	for i, line := range d.lines {
		m := commandsHead.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		list := strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' || r == '|' })
		for _, next := range d.lines[i+1 : min(len(d.lines), i+40)] {
			if c := commandLine.FindStringSubmatch(next); c != nil {
				list = append(list, c[1])
			}
		}
		d.verb(list, line)
	}
	for _, line := range d.lines {
		if m := choices.FindStringSubmatch(line); m != nil && wantsCommand.MatchString(line) {
			d.verb(strings.Split(strings.NewReplacer("'", "", " ", "").Replace(m[1]+m[2]), ","), line)
		}
		if wantsCommand.MatchString(line) { // expected 'init' or 'run'
			var list []string
			for _, m := range quotedWord.FindAllStringSubmatch(line, maxNames) {
				list = append(list, m[1])
			}
			d.verb(list, line)
		}
	}
}

func (d *diagnosis) verb(list []string, why string) {
	if verb := startingVerb(list); verb != "" && !slices.Contains(d.tried.Args, verb) {
		d.add(Fix{Args: append([]string{verb}, d.tried.Args...), Replace: true}, why)
	}
}

var (
	listens = lazyregexp.New(`(?i)\b(?:listening|running|started|serving|available|ready)\b.{0,60}(?:\bport\b\s*:?\s*\d{2,5}|https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[?::)|[\w.\]]:\d{4,5}\b)|EADDRINUSE|uvicorn running`)
	// A server that waits for another service does not listen.
	waits     = lazyregexp.New(`(?i)ECONN|ENOTFOUND|EAI_AGAIN|\brefused\b|\bretry|reconnect|fetch failed|timed? ?out`)
	stdioHint = lazyregexp.New(`(--[\w-]*transport[\w-]*)[= ]["'\x60]?stdio|(--stdio)\b|\b([A-Z_]*TRANSPORT[A-Z_]*)=["']?stdio`)
)

// wrongTransport handles a server that listens on a port instead of using
// standard streams.
func wrongTransport(d *diagnosis) {
	d.match(stdioHint, func(m []string) (Fix, bool) {
		switch {
		case m[1] != "":
			return Fix{Args: []string{m[1], "stdio"}}, true
		case m[2] != "":
			return Fix{Args: []string{m[2]}}, true
		}
		return Fix{Env: []string{m[3] + "=stdio"}}, true
	})
	for _, line := range d.lines {
		if listens.MatchString(line) && !stack.MatchString(line) && !strings.Contains(strings.ToLower(line), "stdio") {
			d.standardStreams(line)
			return
		}
	}
	if d.running && len(d.fixes) == 0 && !waits.MatchString(d.text) {
		d.standardStreams("it runs on without an answer")
	}
}

// standardStreams tries the usual ways to select them. Variables come first,
// because no server rejects an unknown one.
func (d *diagnosis) standardStreams(why string) {
	d.add(Fix{Env: []string{"MCP_TRANSPORT=stdio", "TRANSPORT=stdio", "TRANSPORT_TYPE=stdio", "MCP_TRANSPORT_TYPE=stdio", "MCP_MODE=stdio"}}, why)
	d.add(Fix{Args: []string{"--transport", "stdio"}}, why)
	d.add(Fix{Args: []string{"--stdio"}}, why)
	d.add(Fix{Args: []string{"stdio"}}, why)
}
