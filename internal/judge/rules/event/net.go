package event

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/hostname"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/quote"
)

// KindVariable is the kind of a decoy that is an environment variable.
const KindVariable = "environment-variable"

// FillLeak describes known data that was found in outgoing data.
func (f *Fields) FillLeak(e *mcpsf.Event) {
	d := e.Leak
	f.Decoy, f.Path, f.Subject = d.Kind, d.Source, d.Source
	f.Given, f.Configured, f.Belongs = d.Given, d.Configured, d.Belongs
	f.Channel, f.To, f.Part = d.Channel, d.Destination, d.Part
	f.Encoding = strings.Join(d.Chain[:min(len(d.Chain), lex.MaxArgs)], " in ")
	f.Planted = !d.Given && !d.Configured && d.Kind != mcpsf.DecoyDocument
	f.LeakID = d.ID
	switch d.Channel {
	case mcpsf.ChannelHTTP, mcpsf.ChannelDNS, mcpsf.ChannelSMTP, mcpsf.ChannelStream, mcpsf.ChannelPacket:
		f.Outside = f.Reach != "loopback" // what another program on the machine gets stays on it
		// In a DNS query the destination is the name, not the resolver.
		if f.Host == "" || d.Channel == mcpsf.ChannelDNS || f.Resolver {
			f.Host = hostname.SplitPort(d.Destination)
		}
	}
	if d.Kind == KindVariable {
		f.Variable = variableName(d.Source)
	}
	f.Hidden = slices.ContainsFunc(d.Chain, hides)
	f.Writes = d.Channel != mcpsf.ChannelHTTP || f.Part == "body" || f.Part == "frame" || f.Hidden
}

// variableName returns the variable's name in the source of a leak.
func variableName(source string) string {
	return strings.TrimLeft(source[strings.LastIndexByte(source, ' ')+1:], "$")
}

// hides tells whether an encoding was chosen on purpose, and is not one that
// every client of a protocol uses.
func hides(encoding string) bool {
	for _, name := range []string{"base64", "base32", "hex", "reverse", "rot", "xor", "split"} {
		if strings.HasPrefix(encoding, name) {
			return true
		}
	}
	return false
}

// FillExecProof describes a proof that a command of an attack was run.
func (f *Fields) FillExecProof(d *mcpsf.ExecProofDetail) {
	f.What, f.Subject, f.Detail = d.What, d.Source, d.Detail
	f.Host = hostname.SplitPort(d.Source)
	if strings.Contains(d.Source, "://") {
		f.Host = HostOfURL(d.Source)
	}
	f.Domain = hostname.Registrable(f.Host)
}

// HostOfURL returns the host of a URL, "" if it has none.
func HostOfURL(s string) string {
	u, err := url.Parse(quote.Cut(s, lex.MaxURL))
	if err != nil {
		return ""
	}
	return hostname.Canonical(u.Hostname())
}

// Reach classifies an address: "unix", "loopback", "any" or "remote".
func Reach(d *mcpsf.NetDetail) string {
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

// BareAddress tells whether an IP address was contacted without resolving a
// name. public selects Internet or private addresses. Name and time servers do
// not count, because any program may use them.
func (f *Fields) BareAddress(public bool) bool {
	addr, err := netip.ParseAddr(f.Host)
	if f.Host == mcpsf.NetAddress4 || f.Host == mcpsf.NetAddress6 {
		return false // the sandbox itself
	}
	if err != nil || f.Reach != "remote" || f.Resolver || hostname.IsMetadata(f.Host) || hostname.Class(f.Class) == hostname.ClassResolver {
		return false
	}
	if addr.IsMulticast() || f.Port == 123 || f.Port == 53 || addr == netip.MustParseAddr("255.255.255.255") {
		return false
	}
	return hostname.IsPublic(addr) == public
}

// Mining tells whether the first bytes of a connection are those of a mining client.
func Mining(first string) bool {
	return strings.Contains(first, `"mining.`) || strings.Contains(first, `"method":"login"`) && strings.Contains(first, `"algo"`) ||
		strings.Contains(first, `"eth_submitLogin"`)
}

// leastData is the length from which a value in a request may be data.
const leastData = 48

// DataInRequest tells whether a value in the URL or the headers of a request is
// too long and too random to be an identifier. Digests are exempt, except in the
// query.
func DataInRequest(f *Fields) bool {
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
	return slices.ContainsFunc(f.Headers, func(h mcpsf.HTTPHeader) bool { return isData(h.Value) && !isDigest(h.Value) })
}

func isData(s string) bool {
	return len(s) >= leastData && !strings.ContainsAny(s, " ;,()") && longestPart(s) >= leastPart && lex.Meaningless(s)
}

// leastPart is the minimum length of one part of such a value between hyphens
// and dots. File names are long too, but consist of short words and numbers.
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

// addressHost returns the host of an image URL, "" if it has none.
func addressHost(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return hostname.Canonical(u.Hostname())
}
