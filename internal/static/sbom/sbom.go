// Package sbom writes the packages of a server as an SBOM.
//
// It takes a report with an inspection and writes a CycloneDX 1.6 or an SPDX
// 2.3 document in JSON. The same report gives the same document: its serial
// number and time are those of the run. Names are untrusted: the document is
// always valid, and ASCII.
package sbom

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Bounds of untrusted texts.
// no gap: bounds the bill of materials; the inspection has everything
const (
	maxText = 1_000 // the formats allow 1,024
	maxList = 200
)

// bill is the content that both formats share.
type bill struct {
	report *mcpsf.Report
	root   mcpsf.Package
	// packages are all packages but the server, by purl, each purl once.
	packages []mcpsf.Package
	// refs are the names by which documents refer to packages.
	refs map[string]string
	list list
}

func newBill(r *mcpsf.Report) *bill {
	b := &bill{report: r, refs: make(map[string]string), list: newList()}
	var all []mcpsf.Package
	if r.Inspection != nil {
		all = slices.Clone(r.Inspection.Packages)
	}
	all = slices.DeleteFunc(all, func(p mcpsf.Package) bool { return p.PURL == "" }) // nothing could refer to a package without a purl
	slices.SortStableFunc(all, func(a, b mcpsf.Package) int { return strings.Compare(a.PURL, b.PURL) })
	all = slices.CompactFunc(all, func(a, b mcpsf.Package) bool { return a.PURL == b.PURL })
	at := own(all, &r.Artifact)
	if at >= 0 {
		b.root = all[at]
		all = slices.Delete(all, at, at+1)
	}
	b.packages = all
	taken := make(map[string]bool)
	for _, p := range append([]mcpsf.Package{b.root}, all...) {
		b.refs[p.PURL] = unique(text(p.PURL), taken)
	}
	if b.root.PURL == "" {
		b.refs[""] = unique("artifact", taken)
		b.root.Needs = asked(all)
	}
	return b
}

// own finds the server among its packages: by its name, or else as the one that
// a top-level manifest describes and that nothing needs. It returns -1 if there
// is none, or more than one.
func own(all []mcpsf.Package, a *mcpsf.Artifact) int {
	for i, p := range all {
		if sameName(p.Name, a.Name) && (p.Version == a.Version || a.Version == "") && p.Via == nil {
			return i
		}
	}
	needed := make(map[string]bool)
	for _, p := range all {
		for _, n := range p.Needs {
			needed[n] = true
		}
	}
	var candidates []int
	for i, p := range all {
		if p.Installed && p.Via == nil && !needed[p.PURL] && slices.ContainsFunc(p.Found, manifest) {
			candidates = append(candidates, i)
		}
	}
	if len(candidates) != 1 {
		return -1
	}
	return candidates[0]
}

// sameName compares names by the combined rules of the Python and npm
// registries.
func sameName(a, b string) bool {
	plain := strings.NewReplacer("_", "-", ".", "-")
	return strings.EqualFold(plain.Replace(a), plain.Replace(b))
}

// manifest reports whether a file is a top-level manifest.
func manifest(file string) bool {
	switch file {
	case "package.json", "pyproject.toml", "setup.cfg", "PKG-INFO", "Cargo.toml", "go.mod", "pom.xml":
		return true
	}
	return false
}

// asked returns the packages that a server without its own package needs: those
// it asks for, or else those that nothing else needs.
func asked(all []mcpsf.Package) []string {
	var direct, loose []string
	needed := make(map[string]bool)
	for _, p := range all {
		for _, n := range p.Needs {
			needed[n] = true
		}
	}
	for _, p := range all {
		if p.Via != nil && len(p.Via) == 0 {
			direct = append(direct, p.PURL)
		}
		if !needed[p.PURL] {
			loose = append(loose, p.PURL)
		}
	}
	if len(direct) > 0 {
		return direct
	}
	return loose
}

// needs returns the names of the packages that p needs, sorted, each once.
func (b *bill) needs(p *mcpsf.Package) []string {
	out := []string{}
	for _, n := range p.Needs {
		if ref, ok := b.refs[n]; ok && n != p.PURL && n != "" {
			out = append(out, ref)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// name and version of the server, as its artifact has them.
func (b *bill) name() (name, version string) {
	name, version = b.report.Artifact.Name, b.report.Artifact.Version
	if name == "" {
		name = b.root.Name
	}
	if version == "" {
		version = b.root.Version
	}
	if name = text(name); name == "" {
		name = "server"
	}
	return name, text(version)
}

// uuid is derived from the run, so that the same report gives the same one.
func (b *bill) uuid(kind string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + b.report.Run.ID + "\x00" + b.report.Artifact.Digest))
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // version 8: custom
	h := hex.EncodeToString(sum[:16])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// started is when the run began, without fractions.
func (b *bill) started() string { return moment(b.report.Run.Started) }

func moment(t time.Time) string {
	t = t.UTC()
	if y := t.Year(); y < 1 || y > 9999 {
		t = time.Unix(0, 0).UTC()
	}
	return t.Format("2006-01-02T15:04:05Z")
}

// text makes any text safe to read: invisible characters are written as \u{..},
// and a long text is cut, with a digest of the whole.
func text(s string) string {
	if len(s) <= maxText && utf8.ValidString(s) && !strings.ContainsFunc(s, hidden) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if out.Len() > maxText {
			sum := sha256.Sum256([]byte(s))
			return out.String() + "…" + hex.EncodeToString(sum[:4])
		}
		if hidden(r) {
			fmt.Fprintf(&out, `\u{%x}`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func hidden(r rune) bool { return !unicode.IsPrint(r) }

// unique returns the name, or a similar one that is not taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s#%d", name, i)
	}
	taken[out] = true
	return out
}

// write writes a document.
func write(w io.Writer, v any) error {
	data, err := safetext.JSON(v)
	if err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	_, err = w.Write(data)
	return err
}
