package llm

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/network/netclass"
)

// keyVariable holds a key for any model that the user names.
const keyVariable = "MCPSF_LLM_KEY"

// endpoint is the address and key of a model.
type endpoint struct {
	base string
	key  string
	own  bool   // the provider's own address, not one that speaks the same API
	hint string // what to do if the key is rejected
}

// resolve finds the address and its key. A key from the provider's variable
// goes only to that provider, or to the address in the provider's own variable.
// An address that was named for this run only gets a key that was, too.
func resolve(p provider, s Spec, o *Options) (endpoint, error) {
	base, named, err := address(p, s, o)
	if err != nil {
		return endpoint{}, err
	}
	u, err := url.Parse(base)
	if err != nil {
		return endpoint{}, usagef("%q is no address of a model", clean(base))
	}
	usual, _ := url.Parse(p.base)
	e := endpoint{base: base, own: u.Scheme == usual.Scheme && u.Host == usual.Host}
	if p.here && !loopback(u.Hostname()) {
		return endpoint{}, usagef("%s is not on this machine; say ollama/MODEL@%s if that is meant", u.Host, base)
	}
	e.hint = "give the key with --api-key or " + keyVariable
	if p.keyVariable != "" && (e.own || !named) {
		e.hint = "check " + p.keyVariable
	}
	e.key, err = findKey(p, o, e.own || !named)
	switch {
	case err != nil:
		return endpoint{}, err
	case e.key == "" && p.needsKey && e.own:
		return endpoint{}, usagef("%s needs a key; set %s or give --api-key", s, p.keyVariable)
	case e.key != "" && u.Scheme == "http" && !near(u.Hostname()):
		return endpoint{}, usagef("a key would travel to %s unencrypted; say https://", u.Host)
	}
	return e, nil
}

// address is the base URL of the API, and whether it was named for this run.
func address(p provider, s Spec, o *Options) (base string, named bool, err error) {
	if o.BaseURL != "" {
		base, err := parseBase(p.wire, o.BaseURL)
		if err == nil && s.URL != "" && s.URL != base {
			err = usagef("two addresses for one model: %s and %s", s.URL, base)
		}
		return base, true, err
	}
	if s.URL != "" {
		return s.URL, true, nil
	}
	value := strings.TrimSpace(o.Getenv(p.urlVariable))
	switch {
	case p.urlVariable == "" || value == "":
		return p.base, false, nil
	case p.urlVariable != ollamaHost:
		base, err := parseBase(p.wire, value)
		return base, false, err
	}
	base, err = parseBase(p.wire, ollamaAddress(value))
	if u, perr := url.Parse(base); p.here && err == nil && perr == nil && !loopback(u.Hostname()) {
		return p.base, false, nil // the user's Ollama is elsewhere, but the user said "local"
	}
	return base, false, err
}

// ollamaAddress completes Ollama's notation: "host", ":port", "host:port" or a
// URL. 0.0.0.0 is an address to listen on, so it is replaced.
func ollamaAddress(value string) string {
	scheme, rest, ok := strings.Cut(value, "://")
	port := map[string]string{"http": "80", "https": "443"}[scheme]
	if !ok {
		scheme, rest, port = "http", value, "11434"
	}
	authority, path, _ := strings.Cut(rest, "/")
	host := strings.Trim(authority, "[]")
	if h, p, err := net.SplitHostPort(authority); err == nil {
		host, port = h, p
	}
	if host == "" || host == "0.0.0.0" || host == "::" {
		host = "127.0.0.1"
	}
	if path = strings.Trim(path, "/"); path != "" && !strings.HasSuffix(path, "v1") {
		path += "/v1"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/" + path
}

// findKey looks for the key; in the provider's variable only if that key may be
// sent to the model's address.
func findKey(p provider, o *Options, usual bool) (string, error) {
	places := []struct{ name, key string }{{"--api-key", o.Key}, {keyVariable, o.Getenv(keyVariable)}}
	if usual && p.keyVariable != "" {
		places = append(places, struct{ name, key string }{p.keyVariable, o.Getenv(p.keyVariable)})
	}
	for _, from := range places {
		key := strings.TrimSpace(from.key)
		if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return "", usagef("the key in %s has characters that no key has", from.name)
		}
		if key != "" {
			return key, nil
		}
	}
	return "", nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// near recognises hosts of this machine and its network.
func near(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return netclass.Near(a)
	}
	return netclass.Local(host)
}
