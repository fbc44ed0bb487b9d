package source

import (
	"fmt"
	"slices"
	"strings"
)

// toml reads the servers of Codex: [mcp_servers.NAME].
func (c *config) toml(path string, data []byte) error {
	pairs, err := parseTOML(data)
	if err != nil {
		// Its errors name the line and what is wrong, and quote nothing.
		return usage("%s is not valid TOML (%s); correct it", quote(path), err)
	}
	for _, kv := range pairs {
		if len(kv.path) < 3 || kv.path[0] != "mcp_servers" && kv.path[0] != "mcpServers" {
			continue
		}
		c.tomlLaunch(kv.path[1]).tomlPair(kv)
	}
	for i := range c.launches {
		l := &c.launches[i]
		switch {
		case len(l.words) > 0 && l.words[0] == "":
			l.words = nil
			fallthrough
		case len(l.words) == 0 && l.url == "":
			l.problem = "its configuration has neither a command nor a URL"
		case len(l.words) > maxWords || len(l.env) > maxWords:
			l.problem = fmt.Sprintf("it has more than %d arguments or variables", maxWords)
		}
	}
	return nil
}

// tomlLaunch finds the server of that name or begins it.
func (c *config) tomlLaunch(name string) *launch {
	at := slices.IndexFunc(c.launches, func(l launch) bool { return l.name == name })
	if at < 0 {
		at = len(c.launches)
		c.launches = append(c.launches, launch{name: name})
	}
	return &c.launches[at]
}

func (l *launch) tomlPair(kv tomlPair) {
	switch strings.Join(kv.path[2:], ".") {
	case "command":
		// The arguments may come first.
		l.words = append([]string{kv.value}, l.words[min(1, len(l.words)):]...)
	case "args":
		if len(l.words) == 0 {
			l.words = []string{""}
		}
		l.words = append(l.words[:1], kv.list...)
	case "cwd":
		l.cwd = kv.value
	case "url":
		l.url = kv.value
	case "env_vars":
		for _, name := range kv.list {
			l.env = append(l.env, configVariable{name: name, value: "${env:" + name + "}"})
		}
	default:
		if len(kv.path) == 4 && kv.path[2] == "env" && kv.list == nil && len(l.env) <= maxWords {
			l.env = append(l.env, configVariable{name: kv.path[3], value: kv.value})
		}
	}
}
