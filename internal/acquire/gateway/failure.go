package gateway

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// failure is an answer other than the requested one.
type failure struct {
	status int
	text   string
	// refused says that the gateway did not ask a registry.
	refused bool
	// cause is the registry's error, for the user. It never goes to the
	// sandbox, because it names hosts.
	cause error
}

func (f *failure) Error() string { return f.text }

func refuse(status int, why string) error {
	return &failure{status: status, text: why, refused: true}
}

// unknown refuses an invalid path.
func unknown() error { return refuse(http.StatusNotFound, "no package is here") }

func errSpent() error { return refuse(http.StatusForbidden, "too many bytes") }

// failed describes a failed request to a registry. The registry's own words do
// not go to the sandbox. Either status or err is zero.
func failed(what string, r registry.Registry, status int, err error) error {
	f := &failure{status: http.StatusBadGateway, text: "the registry cannot be reached or is out of order"}
	switch status {
	case http.StatusNotFound, http.StatusGone:
		f.status, f.text = http.StatusNotFound, "the registry does not have it"
	case http.StatusUnauthorized, http.StatusForbidden:
		f.status, f.text = http.StatusForbidden, "the registry does not give it out"
	}
	// A missing package is a normal answer; installers ask for such.
	if f.status != http.StatusNotFound {
		f.cause = registry.Explain(what, r, status, err)
	}
	return f
}

// clean makes the sandbox's text printable: ASCII on one line, n bytes.
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
