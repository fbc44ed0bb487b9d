package sbom

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"

	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"

	"github.com/mcpsf/mcpsf"
)

// nothing is SPDX's value for an unknown field.
const nothing = "NOASSERTION"

// SPDX writes an SPDX 2.3 document in JSON: the server, its packages, and their
// dependencies.
func SPDX(w io.Writer, r *mcpsf.Report) error {
	b := newBill(r)
	name, _ := b.name()
	uuid := b.uuid("spdx")
	tool := strings.Trim(identifier(r.Tool.Name+"-"+r.Tool.Version), "-")
	if tool == "" {
		tool = "mcpsf"
	}
	d := &spdxDocument{bill: b, ids: make(map[string]common.ElementID), extracted: make(map[string]bool)}
	d.doc = &v2_3.Document{
		SPDXVersion: v2_3.Version, DataLicense: v2_3.DataLicense, SPDXIdentifier: "DOCUMENT", DocumentName: name,
		// The namespace that the specification suggests for documents without
		// their own.
		DocumentNamespace: "https://spdx.org/spdxdocs/" + identifier(name) + "-" + uuid,
		CreationInfo: &v2_3.CreationInfo{
			Created: b.started(), Creators: []common.Creator{{CreatorType: "Tool", Creator: tool}},
		},
	}
	d.packages()
	d.relationships()
	return write(w, d.doc)
}

type spdxDocument struct {
	*bill

	doc       *v2_3.Document
	ids       map[string]common.ElementID // by purl
	extracted map[string]bool             // licences that are not on the list
}

func (d *spdxDocument) packages() {
	server := d.pkg(&d.root, "Server")
	server.PackageName, server.PackageVersion = d.name()
	server.PrimaryPackagePurpose = "APPLICATION"
	if a := &d.report.Artifact; a.Origin != nil {
		if own, _ := split(digests([]string{a.Origin.Pin})); len(own) > 0 {
			server.PackageChecksums = checksums(own)
		}
	}
	d.doc.Packages = append(d.doc.Packages, server)
	for i := range d.bill.packages {
		d.doc.Packages = append(d.doc.Packages, d.pkg(&d.bill.packages[i], "Package"))
	}
}

func (d *spdxDocument) pkg(p *mcpsf.Package, prefix string) *v2_3.Package {
	sum := sha256.Sum256([]byte(p.PURL))
	id := common.ElementID(prefix + "-" + identifier(p.Name) + "-" + hex.EncodeToString(sum[:8]))
	d.ids[p.PURL] = id
	out := &v2_3.Package{
		PackageSPDXIdentifier: id, PackageName: text(p.Name), PackageVersion: text(p.Version),
		PackageSupplier:         &common.Supplier{Supplier: nothing},
		PackageDownloadLocation: nothing, PackageLicenseConcluded: nothing, PackageLicenseDeclared: d.licence(p.Licences),
		PackageCopyrightText: nothing, PrimaryPackagePurpose: "LIBRARY", PackageComment: comment(p),
	}
	if out.PackageName == "" {
		out.PackageName = "server"
	}
	own, _ := split(digests(p.Digests))
	out.PackageChecksums = checksums(own)
	if p.PURL != "" {
		out.PackageExternalReferences = []*v2_3.PackageExternalReference{{
			Category: common.CategoryPackageManager, RefType: common.TypePackageManagerPURL, Locator: strings.ReplaceAll(text(p.PURL), " ", "%20"),
		}}
	}
	return out
}

// comment holds information that SPDX has no field for.
func comment(p *mcpsf.Package) string {
	var out []string
	if p.Wanted != "" {
		out = append(out, "asked for as "+text(p.Wanted))
	}
	if len(p.Found) > 0 {
		out = append(out, "found in "+text(strings.Join(p.Found[:min(len(p.Found), maxList)], ", ")))
	}
	if _, several := split(digests(p.Digests)); len(several) > 0 {
		var files []string
		for _, f := range several {
			files = append(files, f.algorithm+":"+f.hex)
		}
		out = append(out, "published as files with "+strings.Join(files, ", "))
	}
	return strings.Join(out, "; ")
}

func checksums(in []digest) []common.Checksum {
	var out []common.Checksum
	for _, d := range in {
		out = append(out, common.Checksum{Algorithm: common.ChecksumAlgorithm(strings.ToUpper(d.algorithm)), Value: d.hex})
	}
	return out
}

// licence joins all licences in one expression. A licence that is not on the
// list is quoted in the document.
func (d *spdxDocument) licence(in []string) string {
	var out []string
	for _, s := range in[:min(len(in), maxList)] {
		if s == "" {
			continue
		}
		e, ok := d.list.expression(s)
		if !ok {
			sum := sha256.Sum256([]byte(s))
			e = "LicenseRef-mcpsf-" + hex.EncodeToString(sum[:8])
			if !d.extracted[e] {
				d.extracted[e] = true
				d.doc.OtherLicenses = append(d.doc.OtherLicenses, &v2_3.OtherLicense{
					LicenseIdentifier: e, LicenseName: text(s), ExtractedText: "Only its name is known: " + text(s),
				})
			}
		}
		if len(in) > 1 && strings.Contains(e, " ") {
			e = "(" + e + ")"
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		return nothing
	}
	return strings.Join(out, " AND ")
}

// identifier reduces a name to the characters that SPDX allows.
func identifier(name string) string {
	// no gap: bounds the bill of materials; the inspection has everything
	const most = 60
	out := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '-'
	}, name[:min(len(name), 4*most)])
	return out[:min(len(out), most)]
}

// relationships lists the dependencies. A package that nothing is known to need
// is listed as contained.
func (d *spdxDocument) relationships() {
	root := d.ids[d.root.PURL]
	d.relate("DOCUMENT", "DESCRIBES", root, "")
	needed := make(map[string]bool)
	purls := make(map[string]string) // by their names in the document
	for purl, ref := range d.refs {
		purls[ref] = purl
	}
	dev := make(map[string]bool)
	for _, p := range d.bill.packages {
		dev[p.PURL] = p.Dev
	}
	for _, p := range append([]mcpsf.Package{d.root}, d.bill.packages...) {
		for _, ref := range d.needs(&p) {
			purl := purls[ref]
			needed[purl] = true
			if p.PURL == d.root.PURL && dev[purl] {
				d.relate(d.ids[purl], "DEV_DEPENDENCY_OF", root, "")
			} else {
				d.relate(d.ids[p.PURL], "DEPENDS_ON", d.ids[purl], "")
			}
		}
	}
	for _, p := range d.bill.packages {
		switch {
		case needed[p.PURL]:
		case p.Installed:
			d.relate(root, "CONTAINS", d.ids[p.PURL], "")
		default:
			d.relate(root, "OTHER", d.ids[p.PURL], "a file of the server names it; what needs it is not known")
		}
	}
}

func (d *spdxDocument) relate(a common.ElementID, kind string, b common.ElementID, comment string) {
	d.doc.Relationships = append(d.doc.Relationships, &v2_3.Relationship{
		RefA: common.MakeDocElementID("", string(a)), RefB: common.MakeDocElementID("", string(b)), Relationship: kind, RelationshipComment: comment,
	})
}
