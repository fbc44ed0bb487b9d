package policy

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

const maxName = 512

var (
	hostName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*$`)
	variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// harmless tells whether a name means nothing but itself in JSON, in YAML, in a
// shell, in a mount and in a glob. Few names of honest servers are more than that.
func harmless(kind mcpsf.AccessKind, name string) bool {
	if name == "" || len(name) > maxName || safetext.Clean(name) != name { // some letters cannot be seen
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

// harmlessPath takes absolute paths, and the words that things without one are
// told by.
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

// splitPort takes "host:port" apart; port is 0 if there is none, and below it if
// it is none. Addresses of version 6 stand there without brackets.
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

// key makes a name into one that is a key, a word and a file name.
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
