package httpprobe

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Request is a request to be made.
type Request struct {
	Method, Path string
	// Names are the parameters, Payload their value.
	Names   []string
	Payload Payload
	// Page: a web page of another origin sends it. JSON: that page first asked by
	// a CORS preflight whether it may send JSON. Bound: the page's name was
	// rebound to the server's address (DNS rebinding); only then it can read the
	// answer.
	Page, JSON, Bound bool
}

// Payload is the value that parameters get.
type Payload struct {
	Kind Kind
	// Word is the program, file or address.
	Word string
}

// Kind is the effect that a request is to have.
type Kind uint8

// The kinds.
const (
	// Nothing: only explores.
	Nothing Kind = iota
	// Program: the program that a parameter names is run.
	Program
	// Shell: a parameter becomes part of a command.
	Shell
	// File: the file that a parameter names is opened.
	File
	// Address: the server sends a request to the address in a parameter.
	Address
)

// Target returns the path and query of a request without a body.
func (r *Request) Target() string {
	if r.Method != http.MethodGet || len(r.Names) == 0 {
		return r.Path
	}
	pairs := make([]string, 0, len(r.Names))
	for _, name := range r.Names {
		pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(r.Payload.text(name)))
	}
	return r.Path + "?" + strings.Join(pairs, "&")
}

// Body returns the parameters as JSON, nil for a request without a body.
func (r *Request) Body() []byte {
	if r.Method == http.MethodGet {
		return nil
	}
	return r.object(true)
}

// object writes the parameters as JSON. A parameter that takes an object gets all
// the others inside, but no second object.
func (r *Request) object(outer bool) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, name := range r.Names {
		is := kindOf(name)
		if is == holder && !outer {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(quoted(name))
		b.WriteByte(':')
		switch text := r.Payload.text(name); {
		case is == holder:
			b.Write(r.object(false))
		case is == list || is == object:
			b.WriteString(text)
		default:
			b.Write(quoted(text))
		}
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Arguments returns the parameters with their values.
func (r *Request) Arguments() map[string]string {
	all := make(map[string]string, len(r.Names))
	for _, name := range r.Names {
		all[name] = r.Payload.text(name)
	}
	return all
}

func quoted(text string) []byte {
	raw, err := json.Marshal(text)
	if err != nil {
		return []byte(`""`) // encoding a string cannot fail
	}
	return raw
}

// Header returns the headers, without credentials. A web page of another origin
// sends JSON as plain text, unless CORS permits more.
func (r *Request) Header() http.Header {
	h := http.Header{"Accept": {"*/*"}}
	if r.Method != http.MethodGet {
		h.Set("Content-Type", "application/json")
	}
	if !r.Page {
		return h
	}
	h.Set("Referer", stranger+"/")
	h.Set("Sec-Fetch-Site", "cross-site")
	h.Set("Sec-Fetch-Mode", "no-cors")
	if r.Method == http.MethodGet {
		return h
	}
	h.Set("Origin", stranger)
	if r.JSON {
		h.Set("Sec-Fetch-Mode", "cors")
	} else {
		h.Set("Content-Type", "text/plain;charset=UTF-8")
	}
	return h
}

// Stranger is the host of a web page of another origin.
const Stranger = "page.example"

const stranger = "https://" + Stranger

// Preflight returns the headers of the CORS preflight for JSON.
func Preflight() http.Header {
	return http.Header{
		"Origin": {stranger}, "Access-Control-Request-Method": {http.MethodPost}, "Access-Control-Request-Headers": {"content-type"},
	}
}

// Permits reports whether the answer to the preflight permits the request.
func Permits(status int, h http.Header) bool {
	allowed, headers := h.Get("Access-Control-Allow-Origin"), strings.ToLower(h.Get("Access-Control-Allow-Headers"))
	return status/100 == 2 && (allowed == "*" || allowed == stranger) && (strings.Contains(headers, "content-type") || strings.Contains(headers, "*"))
}

// text returns the value for a parameter of that name.
func (a Payload) text(name string) string {
	is := kindOf(name)
	switch {
	case a.Kind == Program && (is == named || is == other):
		return a.Word
	case a.Kind == Shell && (is == named || is == other || is == path || is == address):
		return "example$(" + a.Word + ")'$(" + a.Word + ")'"
	case a.Kind == File && is == path:
		return a.Word
	case a.Kind == Address && is == address:
		return a.Word
	}
	switch is {
	case list:
		return "[]"
	case object, holder:
		return "{}"
	case transport:
		if a.Kind == Address {
			return "sse"
		}
		return "stdio"
	case address:
		return "http://localhost/"
	}
	return "example"
}

// Bears reports whether the payload's marker fits into one of the parameters.
func (a Payload) Bears(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return a.Word != "" && strings.Contains(a.text(name), a.Word) })
}

// Fitting leaves out parameters that would mislead the server: a server that gets
// an address starts no program, and one that gets a program requests no address.
func (a Payload) Fitting(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		is := kindOf(name)
		return a.Kind == Program && is == address || a.Kind == Address && (is == named || is == list)
	})
}

type sort uint8

const (
	other sort = iota
	named
	list
	object
	holder
	transport
	path
	address
)

// kindOf guesses the kind of a parameter by its name.
func kindOf(name string) sort {
	plain := strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(name))
	for _, k := range []struct {
		is    sort
		names []string
	}{
		{transport, []string{"transporttype", "transport", "type", "mode", "protocol", "kind"}},
		{list, []string{"args", "arguments", "argv", "options", "flags"}},
		{object, []string{"env", "environment", "headers", "vars", "variables"}},
		{holder, []string{"serverconfig", "config", "settings", "params", "payload", "spec", "connection", "input"}},
		{named, []string{"command", "cmd", "exec", "execute", "program", "executable", "binary", "bin", "run", "shell", "script", "process", "app", "tool", "interpreter", "exe", "line", "code"}},
		{path, []string{"file", "path", "filename", "filepath", "src", "source", "document", "doc", "template", "log", "dir", "folder", "download", "name", "key", "image", "asset"}},
		{address, []string{"url", "uri", "target", "endpoint", "address", "href", "link", "server", "serverurl", "host", "proxy", "webhook", "callback", "remote", "baseurl", "site", "feed"}},
	} {
		if slices.Contains(k.names, plain) {
			return k.is
		}
	}
	return other
}
