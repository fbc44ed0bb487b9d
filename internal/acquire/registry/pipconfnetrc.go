package registry

import (
	"path/filepath"
	"strings"
)

// anyMachine is the machine of the default entry.
const anyMachine = "*"

// netrcLogin is one entry of a netrc file.
type netrcLogin struct{ machine, user, password string }

// netrcFor finds the user's login for a host as pip does: in the file that
// NETRC names, else in ~/.netrc. An unreadable file has none.
func netrcFor(getenv func(string) string, home, host string) (netrcLogin, bool) {
	file := getenv("NETRC")
	if file == "" && home != "" {
		file = filepath.Join(home, ".netrc")
	}
	if !filepath.IsAbs(file) {
		return netrcLogin{}, false
	}
	data, err := readSettings(file)
	if err != nil {
		return netrcLogin{}, false
	}
	var fallback netrcLogin
	for _, l := range parseNetrc(string(data)) {
		switch {
		case strings.EqualFold(l.machine, host):
			return l, l.user != "" || l.password != ""
		case l.machine == anyMachine:
			fallback = l
		}
	}
	return fallback, fallback.user != "" || fallback.password != ""
}

// parseNetrc returns the valid entries.
func parseNetrc(text string) []netrcLogin {
	// no gap: bounds the user's own settings and the answers of registries; more is an error
	const most = 1000
	var logins []netrcLogin
	words := netrcWords(text)
	for i := 0; i < len(words) && len(logins) < most; i++ {
		var value string
		if i+1 < len(words) {
			value = words[i+1]
		}
		last := len(logins) - 1
		switch words[i] {
		case "machine":
			logins = append(logins, netrcLogin{machine: value})
			i++
		case "default":
			logins = append(logins, netrcLogin{machine: anyMachine})
		case "login", "user", "password", "account":
			i++
			if last < 0 {
				continue
			}
			switch words[i-1] {
			case "password":
				logins[last].password = value
			case "login", "user":
				logins[last].user = value
			}
		}
	}
	return logins
}

// netrcWords splits the file into words, without comments and without macros,
// which end at an empty line.
func netrcWords(text string) []string {
	var words []string
	macro := false
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			macro = false
			continue
		}
		for i, w := range fields {
			if w == "macdef" && !macro {
				macro = true
			}
			// A password can begin with the comment sign.
			if macro || strings.HasPrefix(w, "#") && (i == 0 || !isNetrcKey(fields[i-1])) {
				break
			}
			if len(w) > 1 && w[0] == '"' && w[len(w)-1] == '"' {
				w = w[1 : len(w)-1]
			}
			words = append(words, w)
		}
	}
	return words
}

func isNetrcKey(w string) bool {
	return w == "machine" || w == "login" || w == "user" || w == "password" || w == "account"
}
