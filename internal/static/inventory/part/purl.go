package part

import (
	"strings"

	"github.com/mcpsf/mcpsf"
)

// PURL returns the package URL of a part.
//
// Names that a type compares without case are in lower case, except for npm: a
// few old packages there differ from a new one only in case.
func (p *Part) PURL() string {
	var b strings.Builder
	kind, path := p.path()
	b.WriteString("pkg:")
	b.WriteString(kind)
	for _, segment := range path {
		if segment != "" {
			b.WriteByte('/')
			b.WriteString(encode(segment, ""))
		}
	}
	if p.Version != "" {
		b.WriteByte('@')
		b.WriteString(encode(p.Version, ""))
	}
	separator := byte('?')
	for _, q := range p.qualifiers() {
		if q[1] != "" {
			b.WriteByte(separator)
			b.WriteString(q[0] + "=" + encode(q[1], "/"))
			separator = '&'
		}
	}
	return b.String()
}

// path returns the type of the package and the segments of its name.
func (p *Part) path() (kind string, segments []string) {
	ecosystem, _, _ := strings.Cut(p.Ecosystem, ":")
	switch ecosystem {
	case mcpsf.EcosystemNPM:
		return "npm", strings.Split(p.Name, "/")
	case mcpsf.EcosystemPyPI:
		return "pypi", []string{p.Name}
	case mcpsf.EcosystemGo:
		return "golang", strings.Split(strings.ToLower(p.Name), "/")
	case mcpsf.EcosystemRust:
		return "cargo", []string{p.Name}
	case mcpsf.EcosystemMaven:
		return "maven", strings.SplitN(p.Name, ":", 2)
	}
	vendor, _, _ := strings.Cut(p.Distro, "-")
	name := strings.ToLower(p.Name)
	switch ecosystem {
	case mcpsf.EcosystemAlpine, "Wolfi", "Chainguard":
		return "apk", []string{vendor, name}
	case mcpsf.EcosystemDebian, "Ubuntu":
		return "deb", []string{vendor, name}
	}
	return "generic", []string{p.Name}
}

// qualifiers returns them sorted by name.
func (p *Part) qualifiers() [][2]string {
	download, vcs := p.From, ""
	if strings.HasPrefix(p.From, "git") {
		download, vcs = "", p.From
	}
	return [][2]string{
		{"arch", p.Arch}, {"distro", p.Distro}, {"download_url", download}, {"upstream", p.Source}, {"vcs_url", vcs},
	}
}

// encode escapes all characters except those that the specification exempts.
func encode(s, also string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(".-_~:"+also, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// Encode escapes a text for a purl.
func Encode(s string) string { return encode(s, "") }
