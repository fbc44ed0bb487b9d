// Package clientconfig reads the configurations of MCP clients.
//
// In: a configuration file of Claude, Cursor, VS Code, Codex and others. Out: a
// target for each server in it, without any secret: package redact replaces
// what might be one.
package clientconfig

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
)

// maxSize bounds a client's configuration.
// no gap: a larger package, manifest or list is refused with an error
const maxSize = 5 << 20

// maxServers bounds how many servers one configuration can have.
// no gap: a larger package, manifest or list is refused with an error
const maxServers = 500

// Server is one server of a client's configuration.
type Server struct {
	// Name is the client's name for it, safe to print.
	Name string
	// Target is what to assess. It contains no secret: see Replaced.
	Target mcpsf.Target
	// Problem says why it cannot be assessed, "" if it can.
	Problem string
	// Replaced names the variables and arguments whose values were secret, or
	// were not in the configuration itself. Tokens are their replacements, as
	// far as they are long enough to occur nowhere else.
	Replaced, Tokens []string
}

// Options say whose configuration it is.
type Options struct {
	// Seed determines the replacements of secrets.
	Seed uint64
	// Home is the user's home directory, which is never copied as a whole.
	Home string
	// Path is where programs are searched, like the variable PATH.
	Path string
}

// Servers reads a client's configuration file and returns its servers in the
// order of the file. Values that are or might be secret are never returned,
// neither in the servers nor in an error.
func Servers(path string, opts Options) ([]Server, error) {
	data, abs, err := read(path)
	if err != nil {
		return nil, err
	}
	c, err := parse(abs, data)
	if err != nil {
		return nil, err
	}
	if len(c.launches) == 0 {
		return nil, usererr.Usage("%s has no MCP servers in it; name a client's configuration that has some", usererr.Quote(path))
	}
	if len(c.launches) > maxServers {
		return nil, usererr.Usage("%s has more than %d servers in it; name a smaller configuration", usererr.Quote(path), maxServers)
	}
	var servers []Server
	for _, l := range c.launches {
		servers = append(servers, serverOf(l, c, opts))
	}
	return servers, nil
}

// LooksLike reports whether path is a client's configuration, by its name or
// its content.
func LooksLike(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	isJSON := slices.Contains([]string{".json", ".jsonc", ".code-workspace"}, filepath.Ext(name))
	if !isJSON && name != "config.toml" {
		return false
	}
	data, abs, err := read(path)
	if err != nil {
		return isKnown(name) && isFile(path)
	}
	if isKnown(name) {
		return true
	}
	c, err := parse(abs, data)
	return err == nil && len(c.launches) > 0
}

// isKnown lists the names of clients' configuration files.
func isKnown(name string) bool {
	return slices.Contains([]string{"claude_desktop_config.json", ".mcp.json", "mcp.json", "mcp_config.json", "settings.json"}, name) ||
		strings.HasSuffix(name, ".code-workspace")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// read returns the file's contents and its path.
func read(path string) ([]byte, string, error) {
	at, err := staging.Locate(path)
	if err != nil {
		return nil, "", err
	}
	if at.File == "" {
		return nil, "", usererr.Usage("%s is a directory; name the configuration file in it", usererr.Quote(path))
	}
	root, err := os.OpenRoot(at.Dir)
	if err != nil {
		return nil, "", staging.Unreadable(path, err)
	}
	defer root.Close()
	info, err := root.Lstat(at.File)
	if err != nil {
		return nil, "", staging.Unreadable(path, err)
	}
	if info.Size() > maxSize {
		return nil, "", usererr.Usage("%s is larger than %s; that is no client's configuration", usererr.Quote(path), usererr.Size(maxSize))
	}
	f, err := staging.Reopen(root, &staging.Entry{Path: at.File, Info: info})
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	data := make([]byte, maxSize+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "", staging.Unreadable(path, err)
	}
	if n > maxSize {
		return nil, "", staging.Changed(path)
	}
	// Links are not followed: relative paths are relative to the project.
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Join(at.Dir, at.File)
	}
	return data[:n], abs, nil
}
