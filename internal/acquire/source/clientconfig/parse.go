package clientconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
)

// config is a parsed client configuration.
type config struct {
	// dir is the base of relative paths.
	dir      string
	launches []launch
	inputs   map[string]input
}

// launch is how a client starts one server.
type launch struct {
	name string
	// words are the program and its arguments.
	words []string
	env   []envVar
	cwd   string
	url   string
	// problem is set if the configuration does not say how.
	problem string
}

type envVar struct{ name, value string }

// input is a value that VS Code asks its user for.
type input struct {
	value  string // the default or the first choice
	secret bool
}

func parse(path string, data []byte) (*config, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return nil, usererr.Usage("%s is not a text in UTF-8; save it as one", usererr.Quote(path))
	}
	c := &config{dir: dirOf(path), inputs: map[string]input{}}
	if strings.EqualFold(filepath.Ext(path), ".toml") {
		return c, c.toml(path, data)
	}
	text := document.PlainJSON(data)
	if line, ok := validJSON(text); !ok {
		// The parser's error would quote the file, which contains secrets.
		return nil, usererr.Usage("%s is not valid JSON (line %d); correct it", usererr.Quote(path), line)
	}
	top := members(text)
	c.jsonServers(top, 0)
	return c, nil
}

// dirOf is the project that a configuration belongs to.
func dirOf(path string) string {
	dir := filepath.Dir(path)
	if slices.Contains([]string{".vscode", ".cursor", ".gemini", ".zed", ".codex", ".windsurf", ".roo", ".kiro", ".amazonq"}, filepath.Base(dir)) {
		return filepath.Dir(dir)
	}
	return dir
}

func validJSON(text []byte) (line int, ok bool) {
	var raw json.RawMessage
	err := json.Unmarshal(text, &raw)
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return 0, true
	}
	at := int64(0)
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = min(max(e.Offset, 0), int64(len(text)))
	}
	return 1 + bytes.Count(text[:at], []byte("\n")), false
}

// jsonServers collects the servers from all places where clients keep them.
func (c *config) jsonServers(top []jsonMember, depth int) {
	for _, m := range top {
		switch m.key {
		case "mcpServers", "context_servers", "mcp_servers", "servers", "mcp.servers", "amp.mcpServers", "mcp":
			c.jsonGroup(m, depth)
		case "inputs", "mcp.inputs":
			c.jsonInputs(m.value)
		case "settings":
			if depth == 0 {
				c.jsonServers(members(m.value), depth+1)
			}
		case "projects":
			for _, project := range members(m.value) {
				if depth == 0 {
					c.jsonServers(members(project.value), depth+1)
				}
			}
		}
	}
}

// jsonGroup reads the servers in one object. "mcp" holds them directly or below
// "servers".
func (c *config) jsonGroup(m jsonMember, depth int) {
	inner := members(m.value)
	if m.key == "mcp" {
		if slices.ContainsFunc(inner, func(i jsonMember) bool { return i.key == "servers" }) {
			if depth < 2 {
				c.jsonServers(inner, depth+1)
			}
			return
		}
	}
	for _, server := range inner {
		l, ok := jsonLaunch(server)
		// "servers" and "mcp" are common words.
		if ok || m.key != "servers" && m.key != "mcp" {
			c.launches = append(c.launches, l)
		}
	}
}

func (c *config) jsonInputs(raw json.RawMessage) {
	var inputs []struct {
		ID       string          `json:"id"`
		Type     string          `json:"type"`
		Default  json.RawMessage `json:"default"`
		Password json.RawMessage `json:"password"`
		Options  json.RawMessage `json:"options"`
	}
	if json.Unmarshal(raw, &inputs) != nil {
		return
	}
	for _, in := range inputs[:min(len(inputs), maxServers)] {
		v := input{value: document.Scalar(in.Default), secret: document.Scalar(in.Password) == "true"}
		var options []json.RawMessage
		if v.value == "" && json.Unmarshal(in.Options, &options) == nil && len(options) > 0 {
			v.value = document.Scalar(options[0])
		}
		c.inputs[in.ID] = v
	}
}

// jsonLaunch reads one server; ok is false if the object describes none.
func jsonLaunch(m jsonMember) (l launch, ok bool) {
	l.name = m.key
	program, args := "", []string(nil)
	for _, f := range members(m.value) {
		switch f.key {
		case "command", "cmd":
			program, args = jsonCommand(f.value, &l, args)
			ok = true
		case "args", "arguments":
			args = append(args, scalars(f.value)...)
		case "env", "environment", "envs":
			l.addEnv(f.value)
		case "cwd":
			l.cwd = document.Text(f.value)
		case "url", "serverUrl", "httpUrl", "server_url":
			l.url = document.Text(f.value)
			ok = true
		}
	}
	switch {
	case program != "":
		l.words = append([]string{program}, args...)
	case l.url == "":
		l.problem = "its configuration has neither a command nor a URL: the client gets it from elsewhere, such as an extension"
	}
	if len(l.words) > document.MaxWords || len(l.env) > document.MaxWords {
		l.problem = fmt.Sprintf("it has more than %d arguments or variables", document.MaxWords)
	}
	return l, ok
}

// jsonCommand reads a command in any of its three forms: a program, a list, or
// an object that also holds the rest.
func jsonCommand(raw json.RawMessage, l *launch, args []string) (string, []string) {
	if program := document.Text(raw); program != "" {
		return program, args
	}
	if words := scalars(raw); len(words) > 0 {
		return words[0], append(words[1:], args...)
	}
	program := ""
	for _, f := range members(raw) {
		switch f.key {
		case "path", "command":
			program = document.Text(f.value)
		case "args":
			args = append(args, scalars(f.value)...)
		case "env":
			l.addEnv(f.value)
		}
	}
	return program, args
}

func (l *launch) addEnv(raw json.RawMessage) {
	for _, v := range members(raw) {
		if len(l.env) <= document.MaxWords {
			l.env = append(l.env, envVar{name: v.key, value: document.Scalar(v.value)})
		}
	}
}

// scalars reads an array; items without text are left out.
func scalars(raw json.RawMessage) []string {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var out []string
	for _, item := range list[:min(len(list), document.MaxWords+1)] {
		if s := document.Scalar(item); s != "" || document.Text(item) == "" && len(item) == 2 {
			out = append(out, s)
		}
	}
	return out
}

type jsonMember struct {
	key   string
	value json.RawMessage
}

// members returns what is in a JSON object, in order; nil for anything else.
func members(raw json.RawMessage) []jsonMember {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if token, err := dec.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var all []jsonMember
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return all
		}
		m := jsonMember{}
		m.key, _ = key.(string)
		if dec.Decode(&m.value) != nil {
			return all
		}
		all = append(all, m)
	}
	return all
}
