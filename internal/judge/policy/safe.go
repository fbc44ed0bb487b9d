package policy

import (
	"net/netip"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// no gap: bounds comments in a policy
const maxName = 512

var (
	hostName = lazyregexp.New(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$`)
	variable = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// harmless tells whether a name has no special meaning in JSON, YAML, a shell, a
// mount or a glob. Nearly all names of honest servers are harmless.
func harmless(kind mcpsf.AccessKind, name string) bool {
	if name == "" || len(name) > maxName || safetext.Clean(name) != name { // rejects invisible characters
		return false
	}
	switch kind {
	case mcpsf.AccessVariable:
		return variable.MatchString(name)
	case mcpsf.AccessHost, mcpsf.AccessListen:
		host, port := splitPort(name)
		_, err := netip.ParseAddr(host)
		return port >= 0 && (err == nil && !strings.Contains(host, "%") || hostName.MatchString(host))
	}
	return harmlessPath(name)
}

// harmlessPath accepts absolute paths, and the words for pipes and sockets.
func harmlessPath(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ._-+@=/()#", r) {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." || part != strings.TrimSpace(part) {
			return false
		}
	}
	return true
}

// splitPort splits "host:port"; port is 0 if missing and negative if invalid.
// IPv6 addresses are without brackets.
func splitPort(name string) (host string, port int) {
	i := strings.LastIndexByte(name, ':')
	if i < 0 {
		return name, 0
	}
	n, err := strconv.ParseUint(name[i+1:], 10, 16)
	if err != nil || n == 0 {
		return name[:i], -1
	}
	return name[:i], int(n)
}

// key makes a name usable as a key, a word and a file name.
func key(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 64 {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "server"
}
