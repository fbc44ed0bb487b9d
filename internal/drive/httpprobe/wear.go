package httpprobe

import (
	"net/http"
	"slices"
	"strings"
)

// HeadersFor returns request headers that make a server connect to an address, nil if
// the server reads no address from a header.
func (l *Learned) HeadersFor(address string) http.Header {
	h, leads := http.Header{}, false
	for _, name := range l.Headers {
		switch last := name[strings.LastIndexByte(name, '-')+1:]; {
		case slices.Contains([]string{"url", "uri", "host", "server", "endpoint", "domain", "site"}, last) && !strings.HasPrefix(name, "x-forwarded-"):
			h.Set(name, address)
			leads = true
		case !strings.HasPrefix(name, "x-forwarded-") && name != "x-api-key":
			h.Set(name, "example")
		}
	}
	if !leads {
		return nil
	}
	return h
}
