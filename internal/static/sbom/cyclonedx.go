package sbom

import (
	"fmt"
	"io"
	"net/url"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"

	"github.com/mcpsf/mcpsf"
)

// CycloneDX writes a CycloneDX 1.6 document in JSON: the server, its packages,
// their dependencies, and the advisories about them.
func CycloneDX(w io.Writer, r *mcpsf.Report) error {
	b := newBill(r)
	doc := cdx.NewBOM()
	doc.SpecVersion, doc.JSONSchema = cdx.SpecVersion1_6, "http://cyclonedx.org/schema/bom-1.6.schema.json"
	doc.SerialNumber = "urn:uuid:" + b.uuid("cyclonedx")
	doc.Metadata = &cdx.Metadata{
		Timestamp: b.started(),
		Tools: &cdx.ToolsChoice{Components: &[]cdx.Component{{
			Type: cdx.ComponentTypeApplication, Name: text(r.Tool.Name), Version: text(r.Tool.Version),
		}}},
		Component: b.server(),
	}
	components := make([]cdx.Component, 0, len(b.packages))
	for i := range b.packages {
		components = append(components, b.component(&b.packages[i]))
	}
	doc.Components = &components
	doc.Dependencies = b.dependencies()
	doc.Vulnerabilities = b.vulnerabilities()
	return write(w, doc)
}

// server is the main component.
func (b *bill) server() *cdx.Component {
	c := b.component(&b.root)
	c.Type, c.Scope, c.Group = cdx.ComponentTypeApplication, "", ""
	c.Name, c.Version = b.name()
	a := &b.report.Artifact
	if a.Description != "" {
		c.Description = text(a.Description)
	}
	c.Properties = properties([2]string{"kind", a.Kind}, [2]string{"digest", a.Digest})
	if a.Origin == nil {
		return &c
	}
	own, _ := split(digests([]string{a.Origin.Pin}))
	if len(own) > 0 {
		c.Hashes = hashes(own)
	}
	if to := address(a.Origin.URL, "https://", "http://"); to != "" {
		c.ExternalReferences = &[]cdx.ExternalReference{{Type: cdx.ERTypeDistribution, URL: to}}
	}
	return &c
}

func (b *bill) component(p *mcpsf.Package) cdx.Component {
	c := cdx.Component{
		BOMRef: b.refs[p.PURL], Type: cdx.ComponentTypeLibrary, Name: text(p.Name), Version: text(p.Version), PackageURL: text(p.PURL),
		Licenses: b.list.choices(p.Licences),
	}
	switch p.Ecosystem {
	case mcpsf.EcosystemNPM:
		if scope, name, ok := strings.Cut(p.Name, "/"); ok && name != "" {
			c.Group, c.Name = text(scope), text(name)
		}
	case mcpsf.EcosystemMaven:
		if group, name, ok := strings.Cut(p.Name, ":"); ok && name != "" {
			c.Group, c.Name = text(group), text(name)
		}
	}
	if p.Dev {
		c.Scope = cdx.ScopeExcluded
	}
	own, several := split(digests(p.Digests))
	if len(own) > 0 {
		c.Hashes = hashes(own)
	}
	if len(several) > 0 && address(p.PURL, "pkg:") != "" {
		c.ExternalReferences = &[]cdx.ExternalReference{{
			Type: cdx.ERTypeDistribution, URL: address(p.PURL, "pkg:"), Hashes: hashes(several), Comment: "the files it was published as",
		}}
	}
	c.Evidence = evidence(p.Found)
	installed := ""
	if p.Installed {
		installed = "true"
	}
	via := p.Via[:min(len(p.Via), maxList)]
	c.Properties = properties([2]string{"ecosystem", p.Ecosystem}, [2]string{"installed", installed}, [2]string{"wanted", p.Wanted},
		[2]string{"loaded", string(p.Loaded)}, [2]string{"via", strings.Join(via, " ")})
	return c
}

// evidence names the files that mention a package.
func evidence(files []string) *cdx.Evidence {
	var places []cdx.EvidenceOccurrence
	for _, f := range files[:min(len(files), maxList)] {
		if f != "" {
			places = append(places, cdx.EvidenceOccurrence{Location: text(f)})
		}
	}
	if len(places) == 0 {
		return nil
	}
	return &cdx.Evidence{Occurrences: &places}
}

// address escapes a text as an address if it begins with one of the wanted
// prefixes.
func address(s string, beginnings ...string) string {
	for _, beginning := range beginnings {
		rest, ok := strings.CutPrefix(text(s), beginning)
		if !ok {
			continue
		}
		var out strings.Builder
		for i := range len(rest) {
			c := rest[i]
			plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/?=&@+,;:", c) >= 0
			if c == '%' && i+2 < len(rest) && hexDigit(rest[i+1]) && hexDigit(rest[i+2]) || plain {
				out.WriteByte(c)
			} else {
				fmt.Fprintf(&out, "%%%02X", c)
			}
		}
		if _, err := url.Parse(beginning + out.String()); err == nil {
			return beginning + out.String()
		}
	}
	return ""
}

func hexDigit(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func hashes(in []digest) *[]cdx.Hash {
	names := map[string]cdx.HashAlgorithm{
		"md5": cdx.HashAlgoMD5, "sha1": cdx.HashAlgoSHA1, "sha256": cdx.HashAlgoSHA256, "sha384": cdx.HashAlgoSHA384, "sha512": cdx.HashAlgoSHA512,
	}
	out := make([]cdx.Hash, 0, len(in))
	for _, d := range in {
		out = append(out, cdx.Hash{Algorithm: names[d.algorithm], Value: d.hex})
	}
	return &out
}

// properties returns the pairs that have a value.
func properties(pairs ...[2]string) *[]cdx.Property {
	var out []cdx.Property
	for _, p := range pairs {
		if p[1] != "" {
			out = append(out, cdx.Property{Name: "mcpsf:" + p[0], Value: text(p[1])})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &out
}

// choices returns either one expression or a list of identifiers and names.
func (l list) choices(in []string) *cdx.Licenses {
	if len(in) == 0 {
		return nil
	}
	if whole, ok := l.expression(in[0]); ok && len(in) == 1 && (strings.Contains(whole, " ") || l.late[whole]) {
		return &cdx.Licenses{{Expression: whole}}
	}
	var out cdx.Licenses
	for _, s := range in[:min(len(in), maxList)] {
		if s == "" {
			continue
		}
		id, ok := l.expression(s)
		if ok && !strings.ContainsAny(id, " (") && !l.late[id] {
			out = append(out, cdx.LicenseChoice{License: &cdx.License{ID: id}})
		} else {
			out = append(out, cdx.LicenseChoice{License: &cdx.License{Name: text(s)}})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return &out
}

// dependencies lists the dependencies of every component, even if there are
// none.
func (b *bill) dependencies() *[]cdx.Dependency {
	out := make([]cdx.Dependency, 0, 1+len(b.packages))
	for _, p := range append([]mcpsf.Package{b.root}, b.packages...) {
		needs := b.needs(&p)
		out = append(out, cdx.Dependency{Ref: b.refs[p.PURL], Dependencies: &needs})
	}
	return &out
}
