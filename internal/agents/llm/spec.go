package llm

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Spec names a model.
type Spec struct {
	Provider string // one of [Providers]
	Model    string // "" means whatever the server has
	URL      string // base URL of the API; "" means the default
}

// maxSpec is longer than any name with a URL.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxSpec = 1 << 10

// Parse parses the name of a model: PROVIDER/MODEL, as in "openai/gpt-5.4-mini"
// or "groq/openai/gpt-oss-120b". MODEL may be omitted where a server has few:
// "local", "ollama", "vllm". "@" and a URL behind it select the same API
// elsewhere: "openai/NAME@https://llm.example/v1".
func Parse(s string) (Spec, error) {
	if len(s) > maxSpec || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return Spec{}, usagef("%q names no model; say PROVIDER/MODEL, as in %s", clean(s), example)
	}
	rest, address := cutAddress(s)
	name, model, _ := strings.Cut(rest, "/")
	p, ok := providerOf(name)
	switch {
	case !ok:
		return Spec{}, usagef("%q names no provider of models; say PROVIDER/MODEL, with one of %s, as in %s",
			s, strings.Join(Providers(), ", "), example)
	case model == "" && !p.unnamed:
		return Spec{}, usagef("%q names no model; say %s/MODEL, as in %s", s, name, example)
	}
	spec := Spec{Provider: name, Model: model}
	if address != "" {
		base, err := parseBase(p.wire, address)
		if err != nil {
			return Spec{}, err
		}
		spec.URL = base
	}
	return spec, nil
}

const example = `"anthropic/claude-sonnet-5-5"`

// cutAddress cuts at an "@" that a URL follows. Names may have others.
func cutAddress(s string) (name, address string) {
	for i := range len(s) {
		if tail, ok := strings.CutPrefix(s[i:], "@"); ok &&
			(strings.HasPrefix(tail, "http://") || strings.HasPrefix(tail, "https://")) {
			return s[:i], tail
		}
	}
	return s, ""
}

// String is what [Parse] reads.
func (s Spec) String() string {
	name := s.Provider
	if s.Model != "" {
		name += "/" + s.Model
	}
	if s.URL != "" {
		name += "@" + s.URL
	}
	return name
}

// hostName matches a name or an address, perhaps with a port, without escapes.
var hostName = lazyregexp.New(`^[a-zA-Z0-9._:\[\]-]+$`)

// parseBase checks the base URL of an API and removes the parts that the SDKs
// add themselves.
func parseBase(w wire, address string) (string, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || !hostName.MatchString(u.Host) || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || u.Opaque != "":
		return "", usagef("%q is no address of a model; it begins with https:// or http://", clean(address))
	case u.User != nil:
		return "", usagef("the address of the model at %q has a password in it; give the key with --api-key", u.Host)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", usagef("the address of the model at %q has a ? or # in it; leave that out", u.Host)
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	if w == wireAnthropic {
		path = strings.TrimSuffix(strings.TrimSuffix(path, "/messages"), "/v1")
	} else {
		path = strings.TrimSuffix(path, "/chat/completions")
		if path == "" {
			path = "/v1"
		}
	}
	return u.Scheme + "://" + u.Host + path, nil
}

// usagef makes an error that the user can fix.
func usagef(format string, args ...any) error {
	return &mcpsf.Error{Code: mcpsf.CodeUsage, Message: fmt.Sprintf(format, args...)}
}
