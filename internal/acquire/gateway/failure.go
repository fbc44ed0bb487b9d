package gateway

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// failure is an answer other than the one that was asked for.
type failure struct {
	status int
	text   string
	// refused says that the gateway did not even try.
	refused bool
	// cause is what a registry did, for the user. It never goes to the
	// sandbox: it names hosts.
	cause error
}

func (f *failure) Error() string { return f.text }

func refuse(status int, why string) error {
	return &failure{status: status, text: why, refused: true}
}

// unknown refuses a path that leads nowhere.
func unknown() error { return refuse(http.StatusNotFound, "no package is here") }

func errSpent() error { return refuse(http.StatusForbidden, "too many bytes") }

// failed tells what became of a request to a registry: the registry's own words
// do not go to the sandbox. Of status and err one is zero.
func failed(what string, r registry.Registry, status int, err error) error {
	f := &failure{status: http.StatusBadGateway, text: "the registry cannot be reached or is out of order"}
	switch status {
	case http.StatusNotFound, http.StatusGone:
		f.status, f.text = http.StatusNotFound, "the registry does not have it"
	case http.StatusUnauthorized, http.StatusForbidden:
		f.status, f.text = http.StatusForbidden, "the registry does not give it out"
	}
	// A package that does not exist is an answer; installers ask for such.
	if f.status != http.StatusNotFound {
		f.cause = registry.Explain(what, r, status, err)
	}
	return f
}

// clean makes text of the sandbox printable: ASCII on one line, n bytes.
func clean(s string, n int) string {
	var b strings.Builder
	for i := range len(s) {
		if b.Len() >= n {
			b.WriteString("...")
			break
		}
		if c := s[i]; c > ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
