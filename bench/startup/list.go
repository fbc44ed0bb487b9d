package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// server is one line of the list.
type server struct {
	// Source is what a user would type, with the version.
	Source string
	// Account is "none", "broken", or "real" for a server that cannot even list
	// its tools before a service has accepted a real account or a connection. It
	// was decided from the server's documentation and code, not from its run.
	Account string
	Note    string
}

// readList reads lines of the form "SOURCE account=none|real|broken [note]".
// Empty lines and lines that begin with "#" are skipped.
func readList(path string) ([]server, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	defer f.Close()
	var servers []server
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		s, err := parseLine(line)
		if err == nil && seen[s.Source] {
			err = fmt.Errorf("%s is in the list twice", s.Source)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		seen[s.Source] = true
		servers = append(servers, s)
	}
	return servers, lines.Err()
}

func parseLine(line string) (server, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return server{}, fmt.Errorf("want SOURCE account=none|real|broken [note]")
	}
	s := server{Source: fields[0], Note: strings.Join(fields[2:], " ")}
	if !pinned(s.Source) {
		return server{}, fmt.Errorf("%q is not of the form npm:NAME@VERSION or pypi:NAME==VERSION", s.Source)
	}
	s.Account = strings.TrimPrefix(fields[1], "account=")
	if s.Account == fields[1] || s.Account != "none" && s.Account != "real" && s.Account != "broken" {
		return server{}, fmt.Errorf("%q: want account=none, account=real or account=broken", fields[1])
	}
	return s, nil
}

func pinned(source string) bool {
	manager, rest, _ := strings.Cut(source, ":")
	switch manager {
	case "npm":
		return strings.LastIndex(rest, "@") > 0
	case "pypi":
		return strings.Contains(rest, "==")
	}
	return false
}
