package history

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// packed finds what may be encoded in an address.
var packed = regexp.MustCompile(`[A-Za-z0-9_+/=-]{8,}`)

// unpacked is what the parts of a text are in base64 and hex. A slash may be
// part of the code or stand between two parts.
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
	if len(bare)%4 == 1 { // the address was cut
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

// pictures tells whether the address of a picture in a result carries what the
// caller gave, as it is or encoded: whoever serves the picture learns of it
// when the result is shown.
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
	given := newCaller(&mcpsf.MCPDetail{Method: c.Method, Tool: c.tool, Body: c.Params}, r.Declared.Tools)
	for _, text := range given.texts {
		// A short word stands in many addresses by chance.
		if len(text) >= 2*leastGiven && strings.Contains(address, text[:min(len(text), 40)]) {
			return true
		}
	}
	return false
}

// CarriesInput tells whether an event carries what the caller gave.
func (r *Run) CarriesInput(f *event.Fields) bool {
	return f.Given || len(r.Traffic.Carried[f.Seq]) > 0 || r.pictures(f)
}
