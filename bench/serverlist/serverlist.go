// Package serverlist reads the list of public servers that benchmarks share,
// bench/startup/servers.txt.
//
// In: the path of a list. Out: its servers.
package serverlist

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// Server is one line of the list.
type Server struct {
	// Source is what a user would type, with the version.
	Source string
	// Account is "none", "broken", or "real" for a server that cannot even list
	// its tools before a service has accepted a real account or a connection. It
	// was decided from the server's documentation and code, not from its run.
	Account string
	Note    string
}

// Read reads lines of the form "SOURCE account=none|real|broken [note]".
// Empty lines and lines that begin with "#" are skipped.
func Read(path string) ([]Server, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the list: %w", err)
	}
	defer f.Close()
	var servers []Server
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

func parseLine(line string) (Server, error) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return Server{}, fmt.Errorf("want SOURCE account=none|real|broken [note]")
	}
	s := Server{Source: fields[0], Note: strings.Join(fields[2:], " ")}
	if !pinned(s.Source) {
		return Server{}, fmt.Errorf("%q is not of the form npm:NAME@VERSION or pypi:NAME==VERSION", s.Source)
	}
	s.Account = strings.TrimPrefix(fields[1], "account=")
	if s.Account == fields[1] || s.Account != "none" && s.Account != "real" && s.Account != "broken" {
		return Server{}, fmt.Errorf("%q: want account=none, account=real or account=broken", fields[1])
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
