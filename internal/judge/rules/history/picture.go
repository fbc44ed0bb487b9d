package history

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// packed matches parts of a URL that may be encoded data.
var packed = lazyregexp.New(`[A-Za-z0-9_+/=-]{8,}`)

// unpacked decodes the parts of a text from base64 and hex. A slash may be part
// of the encoding or separate two parts.
func unpacked(s string) string {
	var out strings.Builder
	for _, run := range packed.FindAllString(s, 32) {
		for _, part := range append(strings.Split(run, "/"), run) {
			unpack(&out, part)
		}
	}
	return out.String()
}

func unpack(out *strings.Builder, part string) {
	bare := strings.TrimRight(part, "=")
	if len(bare)%4 == 1 { // the URL was truncated
		bare = bare[:len(bare)-1]
	}
	for _, decode := range []func(string) ([]byte, error){
		base64.RawStdEncoding.DecodeString, base64.RawURLEncoding.DecodeString, hex.DecodeString,
	} {
		if data, err := decode(bare); err == nil {
			out.Write(data)
			out.WriteByte('\n')
		}
	}
}

// pictures tells whether an image URL in a result contains the caller's text,
// plain or encoded. The image's host then receives the text when the result is
// shown.
func (r *Run) pictures(f *event.Fields) bool {
	c := r.Calls.ByID[f.Call]
	if f.What != string(mcpsf.TextImage) || c == nil {
		return false
	}
	address := f.To
	if plain, err := url.QueryUnescape(address); err == nil {
		address += "\n" + plain
	}
	address += "\n" + unpacked(address)
	given := newCaller(&mcpsf.MCPDetail{Method: c.Method, Tool: c.tool, Body: c.Params, ServerValues: c.server})
	for _, one := range given.texts {
		text := one.text
		// A short word occurs in many URLs by chance.
		if len(text) >= 2*leastGiven && strings.Contains(address, text[:min(len(text), 40)]) {
			return true
		}
	}
	return false
}

// CarriesInput tells whether an event contains the caller's text.
func (r *Run) CarriesInput(f *event.Fields) bool {
	return f.Given || len(r.Traffic.Carried[f.Seq]) > 0 || r.pictures(f)
}

// CarriesCredential tells whether an event contains a password, a token or a key
// that the caller gave. A leak names the call whose arguments were found, and not
// which of them.
func (r *Run) CarriesCredential(f *event.Fields) bool {
	if !f.Given {
		return r.Traffic.Credentials[f.Seq]
	}
	c := r.Calls.ByID[f.LeakID]
	return c != nil && slices.ContainsFunc(c.Each(), func(a argument) bool { return !a.ByServer() && isCredential(&a, c.tool) })
}
