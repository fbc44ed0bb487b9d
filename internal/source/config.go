package source

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// maxConfig bounds a client's configuration.
const maxConfig = 5 << 20

// maxServers bounds how many servers one configuration can have.
const maxServers = 500

// Server is one server of a client's configuration.
type Server struct {
	// Name is what the client calls it, safe to print.
	Name string
	// Target is what to assess. It holds nothing secret: see Replaced.
	Target mcpsf.Target
	// Problem says why it cannot be assessed, "" if it can.
	Problem string
	// Replaced names the variables and arguments whose values were secret, or
	// were not in the configuration itself. Tokens are what took their place,
	// as far as they are long enough to occur nowhere else.
	Replaced, Tokens []string
}

// ConfigOptions say whose configuration it is.
type ConfigOptions struct {
	// Seed makes what takes the place of secrets.
	Seed uint64
	// Home is the user's home directory, which is never copied as a whole.
	Home string
	// Path is where programs are looked for, as in the variable PATH.
	Path string
}

// Servers reads a client's configuration file and returns every server in it,
// in the order of the file. Values that are secret, or might be, never leave
// it: not in the servers, not in an error.
func Servers(path string, opts ConfigOptions) ([]Server, error) {
	data, abs, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	c, err := parseConfig(abs, data)
	if err != nil {
		return nil, err
	}
	if len(c.launches) == 0 {
		return nil, usage("%s has no MCP servers in it; name a client's configuration that has some", quote(path))
	}
	if len(c.launches) > maxServers {
		return nil, usage("%s has more than %d servers in it; name a smaller configuration", quote(path), maxServers)
	}
	var servers []Server
	for _, l := range c.launches {
		servers = append(servers, serverOf(l, c, opts))
	}
	return servers, nil
}

// LooksLikeConfig reports whether path is a client's configuration: by its
// name, or by what is in it.
func LooksLikeConfig(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	isJSON := slices.Contains([]string{".json", ".jsonc", ".code-workspace"}, filepath.Ext(name))
	if !isJSON && name != "config.toml" {
		return false
	}
	data, abs, err := readConfig(path)
	if err != nil {
		return knownConfig(name) && isFile(path)
	}
	if knownConfig(name) {
		return true
	}
	c, err := parseConfig(abs, data)
	return err == nil && len(c.launches) > 0
}

// knownConfig lists the names that clients give their configurations.
func knownConfig(name string) bool {
	return slices.Contains([]string{"claude_desktop_config.json", ".mcp.json", "mcp.json", "mcp_config.json", "settings.json"}, name) ||
		strings.HasSuffix(name, ".code-workspace")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readConfig returns the file's contents and where it is.
func readConfig(path string) ([]byte, string, error) {
	at, err := locate(path)
	if err != nil {
		return nil, "", err
	}
	if at.file == "" {
		return nil, "", usage("%s is a directory; name the configuration file in it", quote(path))
	}
	root, err := os.OpenRoot(at.dir)
	if err != nil {
		return nil, "", unreadable(path, err)
	}
	defer root.Close()
	info, err := root.Lstat(at.file)
	if err != nil {
		return nil, "", unreadable(path, err)
	}
	if info.Size() > maxConfig {
		return nil, "", usage("%s is larger than %s; that is no client's configuration", quote(path), size(maxConfig))
	}
	f, err := reopen(root, &entry{path: at.file, info: info})
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	data := make([]byte, maxConfig+1)
	n, err := io.ReadFull(f, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, "", unreadable(path, err)
	}
	if n > maxConfig {
		return nil, "", changed(path)
	}
	// Not where a link leads: relative paths are meant from the project.
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = filepath.Join(at.dir, at.file)
	}
	return data[:n], abs, nil
}
