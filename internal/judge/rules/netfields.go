package rules

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// kindVariable is the kind of a decoy that is a variable and no file.
const kindVariable = "environment-variable"

// maxURL bounds the address of a request that a condition sees.
const maxURL = 4096

func (f *fields) fillLeak(e *mcpsf.Event) {
	d := e.Leak
	f.Decoy, f.Path, f.Subject = d.Kind, d.Source, d.Source
	f.Given, f.Configured, f.Belongs = d.Given, d.Configured, d.Belongs
	f.Channel, f.To, f.Part = d.Channel, d.Destination, d.Part
	f.Encoding = strings.Join(d.Chain[:min(len(d.Chain), maxArgs)], " in ")
	f.Planted = !d.Given && !d.Configured && d.Kind != mcpsf.DecoyDocument
	f.leak = d.ID
	switch d.Channel {
	case mcpsf.ChannelHTTP, mcpsf.ChannelDNS, mcpsf.ChannelSMTP, mcpsf.ChannelStream, mcpsf.ChannelPacket:
		f.Outside = true
		// Of a name that was asked for the resolver is not the destination.
		if f.Host == "" || d.Channel == mcpsf.ChannelDNS || f.Resolver {
			f.Host = splitPort(d.Destination)
		}
	}
	if d.Kind == kindVariable {
		f.Variable = variableName(d.Source)
	}
	f.Hidden = slices.ContainsFunc(d.Chain, hides)
	f.Writes = d.Channel != mcpsf.ChannelHTTP || f.Part == "body" || f.Part == "frame" || f.Hidden
}

// variableName is the name in the source of a leak.
func variableName(source string) string {
	return strings.TrimLeft(source[strings.LastIndexByte(source, ' ')+1:], "$")
}

// hides tells encodings that somebody chose from those that any client of a
// protocol uses.
func hides(encoding string) bool {
	for _, name := range []string{"base64", "base32", "hex", "reverse", "rot", "xor", "split"} {
		if strings.HasPrefix(encoding, name) {
			return true
		}
	}
	return false
}

func (f *fields) fillExecProof(d *mcpsf.ExecProofDetail) {
	f.What, f.Subject, f.Detail = d.What, d.Source, d.Detail
	f.Host = splitPort(d.Source)
	if strings.Contains(d.Source, "://") {
		f.Host = hostOfURL(d.Source)
	}
	f.Domain = registrable(f.Host)
}

func hostOfURL(s string) string {
	u, err := url.Parse(cut(s, maxURL))
	if err != nil {
		return ""
	}
	return canonical(u.Hostname())
}

func reach(d *mcpsf.NetDetail) string {
	if d.Family == "unix" {
		return "unix"
	}
	addr, err := netip.ParseAddr(d.Address)
	if err != nil {
		return "remote"
	}
	switch addr = addr.Unmap(); {
	case addr.IsLoopback():
		return "loopback"
	case addr.IsUnspecified():
		return "any"
	}
	return "remote"
}

// bareAddress tells whether an address was spoken to that no name was asked
// for, of the Internet or of the house. What everybody may speak to does not
// count: resolvers and clocks.
func (f *fields) bareAddress(public bool) bool {
	addr, err := netip.ParseAddr(f.Host)
	if f.Host == mcpsf.NetAddress4 || f.Host == mcpsf.NetAddress6 {
		return false // the machine itself
	}
	if err != nil || f.Reach != "remote" || f.Resolver || isMetadata(f.Host) || class(f.Class) == classResolver {
		return false
	}
	if addr.IsMulticast() || f.Port == 123 || f.Port == 53 || addr == netip.MustParseAddr("255.255.255.255") {
		return false
	}
	return isPublic(addr) == public
}

// mining finds the first words of those who calculate for a pool.
func mining(first string) bool {
	return strings.Contains(first, `"mining.`) || strings.Contains(first, `"method":"login"`) && strings.Contains(first, `"algo"`) ||
		strings.Contains(first, `"eth_submitLogin"`)
}

// leastData is the length from which a value in a request is taken for data.
const leastData = 48

// dataInRequest tells whether a value in the address or the head of a request
// is too long and says too little to be there for finding something. A digest
// in a path is there for just that.
func dataInRequest(f *fields) bool {
	where, query, _ := strings.Cut(f.URL, "?")
	for pair := range strings.SplitSeq(query, "&") {
		_, value, _ := strings.Cut(pair, "=")
		if text, err := url.QueryUnescape(value); err == nil && isData(text) {
			return true
		}
	}
	for part := range strings.SplitSeq(where, "/") {
		if isData(part) && !isDigest(part) {
			return true
		}
	}
	return slices.ContainsFunc(f.headers, func(h mcpsf.HTTPHeader) bool { return isData(h.Value) && !isDigest(h.Value) })
}

func isData(s string) bool {
	return len(s) >= leastData && !strings.ContainsAny(s, " ;,()") && longestPart(s) >= leastPart && meaningless(s)
}

// leastPart is the length that a part of such a value has between hyphens and
// dots: names of files are long, but of short words and numbers.
const leastPart = 20

func longestPart(s string) int {
	longest := 0
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_.~", r) }) {
		longest = max(longest, len(part))
	}
	return longest
}

func isDigest(s string) bool {
	switch len(s) {
	case 56, 64, 96, 128:
		return strings.Trim(s, "0123456789abcdefABCDEF") == ""
	}
	return false
}
