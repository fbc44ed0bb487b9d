package clientconfig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// toml reads the servers of Codex: [mcp_servers.NAME].
func (c *config) toml(path string, data []byte) error {
	doc, err := document.TOML(data)
	if err != nil {
		// These errors name the line and what is wrong, and quote nothing.
		return usererr.Usage("%s is not valid TOML (%s); correct it", usererr.Quote(path), err)
	}
	for _, kv := range doc.Pairs() {
		if len(kv.Path) < 3 || kv.Path[0] != "mcp_servers" && kv.Path[0] != "mcpServers" {
			continue
		}
		c.tomlLaunch(kv.Path[1]).tomlPair(kv)
	}
	for i := range c.launches {
		l := &c.launches[i]
		switch {
		case len(l.words) > 0 && l.words[0] == "":
			l.words = nil
			fallthrough
		case len(l.words) == 0 && l.url == "":
			l.problem = "its configuration has neither a command nor a URL"
		case len(l.words) > document.MaxWords || len(l.env) > document.MaxWords:
			l.problem = fmt.Sprintf("it has more than %d arguments or variables", document.MaxWords)
		}
	}
	return nil
}

// tomlLaunch finds the server of that name or adds it.
func (c *config) tomlLaunch(name string) *launch {
	at := slices.IndexFunc(c.launches, func(l launch) bool { return l.name == name })
	if at < 0 {
		at = len(c.launches)
		c.launches = append(c.launches, launch{name: name})
	}
	return &c.launches[at]
}

func (l *launch) tomlPair(kv document.Pair) {
	switch strings.Join(kv.Path[2:], ".") {
	case "command":
		// The arguments may come first.
		l.words = append([]string{kv.Value}, l.words[min(1, len(l.words)):]...)
	case "args":
		if len(l.words) == 0 {
			l.words = []string{""}
		}
		l.words = append(l.words[:1], kv.List...)
	case "cwd":
		l.cwd = kv.Value
	case "url":
		l.url = kv.Value
	case "env_vars":
		for _, name := range kv.List {
			l.env = append(l.env, envVar{name: name, value: "${env:" + name + "}"})
		}
	default:
		if len(kv.Path) == 4 && kv.Path[2] == "env" && kv.List == nil && len(l.env) <= document.MaxWords {
			l.env = append(l.env, envVar{name: kv.Path[3], value: kv.Value})
		}
	}
}
