package flows

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// credentialOf names a credential of the user that the server uses: a variable
// that is configured or belongs to its service, or a file of its service. The
// service's answers may then be the user's private data.
func credentialOf(report *mcpsf.Report) string {
	for i := range report.Accesses {
		a := &report.Accesses[i]
		by := a.Explanation.By
		switch {
		case a.Phase == mcpsf.PhaseInstall:
		case a.Kind == mcpsf.AccessVariable && (by == mcpsf.ByConfiguration || by == mcpsf.ByPurpose) && isCredential(a.Name):
			return a.Name
		case a.Kind == mcpsf.AccessRead && a.Planted != "" && a.Planted != mcpsf.DecoyDocument && (by == mcpsf.ByPurpose || by == mcpsf.ByNature):
			return shown(a.Name)
		}
	}
	for _, kv := range slices.Concat(report.Declared.Env, report.Target.Env) {
		if name, _, _ := strings.Cut(kv, "="); isCredential(name) {
			return name
		}
	}
	return ""
}

// isCredential decides by the words in the name of a variable.
func isCredential(name string) bool {
	words := strings.FieldsFunc(strings.ToUpper(name), func(r rune) bool { return r == '_' || r == '-' })
	for i, w := range words {
		switch w {
		case "TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "CREDENTIAL", "CREDENTIALS", "COOKIE":
			return true
		case "KEY", "PAT", "PASS", "AUTH", "DSN", "JWT", "BEARER":
			if i == len(words)-1 {
				return true
			}
		}
	}
	return false
}
