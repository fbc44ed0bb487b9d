package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// server is a server that has all features, or nearly all.
type server struct {
	name string
	// source returns what to assess.
	source func(ctx context.Context, temp string) (string, error)
	// command starts it, with these arguments for each transport it has.
	command   string
	arguments map[string][]string
	// lacks are the features that it does not have.
	lacks []string
}

// The transports.
const (
	stdio      = "stdio"
	sse        = "SSE"
	streamable = "streamable HTTP"
)

// all returns the columns of the table.
func all() []*column {
	ours := map[string][]string{stdio: {"stdio"}, sse: {"sse"}, streamable: {"streamable-http"}}
	servers := []*server{
		{
			name: "npm", command: "mcp-server-everything",
			source:    at("npm:@modelcontextprotocol/server-everything@2026.8.31"),
			arguments: map[string][]string{stdio: {"stdio"}, sse: {"sse"}, streamable: {"streamableHttp"}},
			lacks:     []string{pagination},
		},
		{name: "Python", command: "everything-py", source: folder("bench/everything/python"), arguments: ours, lacks: []string{tasks}},
		{name: "Go", command: "./everything-go", source: built("./bench/everything/golang", "everything-go"), arguments: ours, lacks: []string{tasks}},
		{
			name: "Go SDK's example", command: "./everything-sdk",
			source:    built("github.com/modelcontextprotocol/go-sdk/examples/server/everything", "everything-sdk"),
			arguments: map[string][]string{stdio: {}, streamable: {"-http", "127.0.0.1:3001"}},
			lacks:     []string{tasks, pagination, progress, cancellation, changes, subscriptions},
		},
	}
	var list []*column
	for _, s := range servers {
		for _, transport := range []string{stdio, sse, streamable} {
			if s.arguments[transport] != nil {
				list = append(list, &column{server: s, transport: transport})
			}
		}
	}
	return list
}

// at is a source that is published elsewhere.
func at(source string) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) { return source, nil }
}

// folder is a folder of this repository.
func folder(path string) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) { return filepath.Abs(path) }
}

// built is a Go program of this repository.
func built(path, name string) func(context.Context, string) (string, error) {
	return func(ctx context.Context, temp string) (string, error) {
		file := filepath.Join(temp, name)
		cmd := exec.CommandContext(ctx, "go", "build", "-o", file, path)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("building %s: %w: %s", path, err, text)
		}
		return file, nil
	}
}
