package advisory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/osv-scalibr/semantic"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Ecosystems returns the default ecosystems.
func Ecosystems() []string {
	return []string{
		mcpsf.EcosystemNPM, mcpsf.EcosystemPyPI, mcpsf.EcosystemGo, mcpsf.EcosystemRust,
		mcpsf.EcosystemMaven, mcpsf.EcosystemDebian, mcpsf.EcosystemAlpine,
	}
}

// plainName matches names of ecosystems; they become file names.
var plainName = lazyregexp.New(`^[A-Za-z][A-Za-z0-9. -]{0,60}$`)

// CheckEcosystem reports whether advisories of an ecosystem can be used: the
// order of its versions must be known.
func CheckEcosystem(name string) error {
	if !plainName.MatchString(name) {
		return fmt.Errorf("%.70q is no ecosystem; there are %s", name, strings.Join(Ecosystems(), ", "))
	}
	if _, err := semantic.Parse("1", name); err != nil {
		if near := nearName(name); near != "" {
			return fmt.Errorf("there is no ecosystem %q; did you mean %s?", name, near)
		}
		return fmt.Errorf("there is no ecosystem %q; there are %s", name, strings.Join(Ecosystems(), ", "))
	}
	return nil
}

// nearName returns the ecosystem that a misspelled name probably means.
func nearName(name string) string {
	all := Ecosystems()
	i := slices.IndexFunc(all, func(e string) bool {
		return strings.EqualFold(e, name) || strings.EqualFold(e, name+".io") || strings.EqualFold(name, "pip") && e == mcpsf.EcosystemPyPI
	})
	if i < 0 {
		return ""
	}
	return all[i]
}
