package sbom

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcpsf/mcpsf"
)

var update = flag.Bool("update", false, "write the golden files anew")

// deny keeps the validator from opening files and URLs.
type deny struct{}

func (deny) Load(u string) (any, error) { return nil, fmt.Errorf("reference %s refused", u) }

// schemas are the official ones.
func schemas(t testing.TB) map[string]*jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.UseLoader(deny{})
	c.AssertFormat()
	c.UseRegexpEngine(plainRegexp)
	for _, name := range []string{"bom-1.6.schema.json", "spdx.schema.json", "jsf-0.82.schema.json", "spdx-schema-2.3.json"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("http://cyclonedx.org/schema/"+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	out := map[string]*jsonschema.Schema{}
	for kind, name := range map[string]string{"cyclonedx": "bom-1.6.schema.json", "spdx": "spdx-schema-2.3.json"} {
		s, err := c.Compile("http://cyclonedx.org/schema/" + name)
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = s
	}
	return out
}

// both writes the two documents of a report and validates them.
func both(t testing.TB, r *mcpsf.Report, valid map[string]*jsonschema.Schema) (cyclonedx, spdx []byte) {
	t.Helper()
	var c, s bytes.Buffer
	if err := errors.Join(CycloneDX(&c, r), SPDX(&s, r)); err != nil {
		t.Fatal(err)
	}
	for kind, data := range map[string][]byte{"cyclonedx": c.Bytes(), "spdx": s.Bytes()} {
		for _, b := range data {
			if b != '\n' && (b < ' ' || b > '~') {
				t.Fatalf("%s has a byte %#x", kind, b)
			}
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s is no JSON: %v", kind, err)
		}
		if err := valid[kind].Validate(doc); err != nil {
			t.Fatalf("%s: %v\n%.3000s", kind, err, data)
		}
	}
	checkReferences(t, c.Bytes(), s.Bytes())
	return c.Bytes(), s.Bytes()
}

// checkReferences checks what the schemas cannot express: every reference has
// exactly one target.
func checkReferences(t testing.TB, cyclonedx, spdx []byte) {
	t.Helper()
	var c struct {
		Metadata struct {
			Component struct {
				Ref string `json:"bom-ref"`
			}
		}
		Components []struct {
			Ref string `json:"bom-ref"`
		}
		Dependencies []struct {
			Ref       string
			DependsOn []string
		}
		Vulnerabilities []struct{ Affects []struct{ Ref string } }
	}
	var s struct {
		Packages      []struct{ SPDXID string }
		Relationships []struct{ SpdxElementId, RelatedSpdxElement string }
	}
	if err := errors.Join(json.Unmarshal(cyclonedx, &c), json.Unmarshal(spdx, &s)); err != nil {
		t.Fatal(err)
	}
	refs := map[string]bool{c.Metadata.Component.Ref: true, "SPDXRef-DOCUMENT": true}
	for _, x := range c.Components {
		if refs[x.Ref] || x.Ref == "" {
			t.Errorf("the reference %q is there twice", x.Ref)
		}
		refs[x.Ref] = true
	}
	for _, x := range s.Packages {
		if refs[x.SPDXID] {
			t.Errorf("the identifier %q is there twice", x.SPDXID)
		}
		refs[x.SPDXID] = true
	}
	need := func(ref string) {
		if !refs[ref] {
			t.Errorf("nothing is called %q", ref)
		}
	}
	for _, d := range c.Dependencies {
		need(d.Ref)
		for _, on := range d.DependsOn {
			need(on)
		}
	}
	for _, v := range c.Vulnerabilities {
		for _, a := range v.Affects {
			need(a.Ref)
		}
	}
	for _, r := range s.Relationships {
		need(r.SpdxElementId)
		need(r.RelatedSpdxElement)
	}
	if len(c.Dependencies) != len(c.Components)+1 || len(s.Packages) != len(c.Components)+1 {
		t.Errorf("%d dependencies, %d packages for %d components", len(c.Dependencies), len(s.Packages), len(c.Components))
	}
}

func sample() *mcpsf.Report {
	day := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	return &mcpsf.Report{
		Tool: mcpsf.ToolInfo{Name: "mcpsf", Version: "1.0.0"}, Run: mcpsf.Run{ID: "20260102-abc", Started: day},
		Artifact: mcpsf.Artifact{
			Kind: "npm", Name: "@example/server", Version: "1.2.3", Digest: "sha256:ab", Description: "A server.",
			Origin: &mcpsf.Origin{URL: "https://registry.example/server.tgz", Pin: "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="},
		},
		Inspection: &mcpsf.Inspection{
			Packages: []mcpsf.Package{
				{Ecosystem: "npm", Name: "ms", Version: "2.0.0", PURL: "pkg:npm/ms@2.0.0", Found: []string{"package-lock.json"}, Via: []string{"pkg:npm/%40s/debug@2.6.9"}, Licences: []string{"BSD", "(MIT or LGPL-2.1+)"}},
				{Ecosystem: "npm", Name: "@s/debug", Version: "2.6.9", PURL: "pkg:npm/%40s/debug@2.6.9", Found: []string{"package-lock.json"}, Via: []string{}, Needs: []string{"pkg:npm/ms@2.0.0"},
					Licences: []string{"mit"}, Digests: []string{"sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="}, Installed: true, Loaded: mcpsf.LoadedYes},
				{Ecosystem: "npm", Name: "@example/server", Version: "1.2.3", PURL: "pkg:npm/%40example/server@1.2.3", Found: []string{"package.json"}, Installed: true, Needs: []string{"pkg:npm/%40s/debug@2.6.9", "pkg:npm/jest", "pkg:npm/gone@1"}, Licences: []string{"GPL-2.0-only WITH Classpath-exception-2.0"}},
				{Ecosystem: "npm", Name: "jest", Wanted: "^29", PURL: "pkg:npm/jest", Found: []string{"package.json"}, Via: []string{}, Dev: true},
				{Ecosystem: "PyPI", Name: "loose", Version: "1", PURL: "pkg:pypi/loose@1", Found: []string{"x/METADATA"}, Installed: true, Digests: []string{"sha256:" + strings.Repeat("ab", 32), "sha256:" + strings.Repeat("cd", 32)}},
				{Ecosystem: "Maven", Name: "org.lib:named", Version: "1", PURL: "pkg:maven/org.lib/named@1", Found: []string{"gradle.lockfile"}, Licences: []string{"3D-Slicer-1.0"}},
			},
			Advisories: []mcpsf.Advisory{
				{ID: "GHSA-xxxx", Aliases: []string{"CVE-2017-1", "PYSEC-1"}, Package: "pkg:npm/ms@2.0.0", Summary: "It hangs.", Severity: mcpsf.SeverityMedium, Score: 5.3, Vector: "CVSS:3.1/AV:N", Fixed: []string{"2.0.1", "3.0.0"}, Published: day, Modified: day, Loaded: mcpsf.LoadedNo},
				{ID: "GHSA-xxxx", Package: "pkg:npm/%40s/debug@2.6.9", Severity: mcpsf.SeverityMedium},
				{ID: "MAL-1", Package: "pkg:npm/nowhere@1", Malicious: true, Severity: mcpsf.SeverityCritical},
			},
		},
	}
}

func TestGolden(t *testing.T) {
	valid := schemas(t)
	c, s := both(t, sample(), valid)
	for name, got := range map[string][]byte{"sample.cdx.json": c, "sample.spdx.json": s} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// The order of the packages does not matter.
	other := sample()
	p := other.Inspection.Packages
	p[0], p[1], p[2], p[3] = p[3], p[2], p[1], p[0]
	again, alsoAgain := both(t, other, valid)
	if !bytes.Equal(c, again) || !bytes.Equal(s, alsoAgain) {
		t.Error("the same report gives another document")
	}
	other.Run.ID = "other"
	if again, alsoAgain := both(t, other, valid); bytes.Equal(c, again) || bytes.Equal(s, alsoAgain) {
		t.Error("another run gives the same document")
	}
}

// The schemas reject invalid documents; otherwise the other tests would prove
// nothing.
func TestSchemasRefuse(t *testing.T) {
	valid := schemas(t)
	for kind, text := range map[string]string{
		"cyclonedx": `{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[{"type":"library"}]}`,
		"spdx":      `{"spdxVersion":"SPDX-2.3"}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if valid[kind].Validate(doc) == nil {
			t.Errorf("%s takes %s", kind, text)
		}
	}
}

// The documents are valid whatever the packages are called.
func TestHostile(t *testing.T) {
	valid := schemas(t)
	for name, bad := range map[string]string{
		"empty": "", "escape": "\x1b]0;x\x07", "utf-8": "\xff\xfe\xc3", "controls": "a\x00b\nc\td\x7f\u0085", "direction": "\u202eabc\u200b\u2028",
		"quotes": "\"'<script>&\\", "long": strings.Repeat("x", 1<<20), "long and bad": strings.Repeat("\u202e", 1<<18), "blanks": " a  b ",
		"surrogate": "\xed\xa0\x80", "emoji": "\U0001f600", "url": "http://[::1", "percent": "%zz%", "brackets": strings.Repeat("(", 500),
	} {
		t.Run(name, func(t *testing.T) {
			both(t, hostile(bad), valid)
		})
	}
}

// hostile is a report with the text in every field.
func hostile(bad string) *mcpsf.Report {
	p := mcpsf.Package{
		Ecosystem: bad, Name: bad, Version: bad, Wanted: bad, PURL: "pkg:" + bad, Licences: []string{bad, "MIT OR " + bad}, Digests: []string{bad, "sha256:" + bad},
		Found: []string{bad, bad}, Via: []string{bad}, Needs: []string{bad, "pkg:" + bad, "pkg:2" + bad, "pkg:2" + bad}, Loaded: mcpsf.Loaded(bad), Installed: true,
	}
	second, third := p, p
	second.PURL, third.PURL, third.Ecosystem = "pkg:2"+bad, bad, mcpsf.EcosystemNPM
	second.Digests = []string{"sha256:" + strings.Repeat("00", 32), "sha256:" + strings.Repeat("01", 32)}
	third.Name = "@" + bad + "/" + bad
	return &mcpsf.Report{
		Tool: mcpsf.ToolInfo{Name: bad, Version: bad}, Run: mcpsf.Run{ID: bad},
		Artifact: mcpsf.Artifact{Kind: bad, Name: bad, Version: bad, Digest: bad, Description: bad, Origin: &mcpsf.Origin{URL: bad, Pin: bad}},
		Inspection: &mcpsf.Inspection{
			Packages: []mcpsf.Package{p, second, third, p},
			Advisories: []mcpsf.Advisory{{
				ID: bad, Aliases: []string{bad}, Package: "pkg:2" + bad, Summary: bad, Severity: mcpsf.Severity(bad), Vector: bad, Score: 1e300, Fixed: []string{bad},
				Published: time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC), Modified: time.Unix(-1e12, 0), Loaded: mcpsf.Loaded(bad),
			}},
		},
	}
}

// Without an inspection the document has only the server.
func TestNothingInspected(t *testing.T) {
	both(t, &mcpsf.Report{}, schemas(t))
}

// A server without its own package needs what it asks for, or what nothing else
// needs.
func TestNoRoot(t *testing.T) {
	for name, via := range map[string][]string{"asked": {}, "from a file": nil} {
		b := newBill(&mcpsf.Report{Inspection: &mcpsf.Inspection{Packages: []mcpsf.Package{
			{Name: "a", PURL: "pkg:npm/a", Via: via, Needs: []string{"pkg:npm/b"}}, {Name: "b", PURL: "pkg:npm/b", Via: []string{"pkg:npm/a"}},
		}}})
		if diff := cmp.Diff([]string{"pkg:npm/a"}, b.needs(&b.root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOwn(t *testing.T) {
	server := mcpsf.Package{Name: "real-name", PURL: "pkg:npm/real-name", Found: []string{"package.json"}, Needs: []string{"pkg:npm/a"}, Installed: true}
	a := mcpsf.Package{Name: "a", PURL: "pkg:npm/a", Found: []string{"package.json"}}
	for name, tt := range map[string]struct {
		packages []mcpsf.Package
		artifact mcpsf.Artifact
		want     string
	}{
		"by its manifest": {[]mcpsf.Package{a, server}, mcpsf.Artifact{Name: "directory"}, "real-name"},
		"by its name":     {[]mcpsf.Package{server, {Name: "A_Directory", PURL: "pkg:pypi/x"}}, mcpsf.Artifact{Name: "a-directory"}, "A_Directory"},
		"two of them":     {[]mcpsf.Package{server, {Name: "b", PURL: "pkg:pypi/b", Found: []string{"setup.cfg"}, Installed: true}}, mcpsf.Artifact{}, ""},
		"needed":          {[]mcpsf.Package{server, {Name: "b", PURL: "pkg:pypi/b", Needs: []string{server.PURL}}}, mcpsf.Artifact{}, ""},
		"none":            {nil, mcpsf.Artifact{}, ""},
	} {
		got := ""
		if i := own(tt.packages, &tt.artifact); i >= 0 {
			got = tt.packages[i].Name
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}

func TestExpression(t *testing.T) {
	l := newList()
	for in, want := range map[string]string{
		"MIT": "MIT", "apache-2.0": "Apache-2.0", "MIT or Apache-2.0": "MIT OR Apache-2.0", "(MIT AND (ISC OR 0BSD))": "(MIT AND (ISC OR 0BSD))",
		"GPL-2.0+": "GPL-2.0-or-later", "Apache-2.0+": "", "GPL-2.0": "GPL-2.0", "GPL-3.0-only WITH gcc-exception-3.1": "GPL-3.0-only WITH GCC-exception-3.1",
		"": "", "BSD": "", "MIT MIT": "", "MIT OR": "", "(MIT": "", "MIT)": "", "WITH": "", "MIT WITH MIT": "", "MIT WITH": "", "+": "", "MIT/Apache-2.0": "",
		strings.Repeat("(", 40) + "MIT" + strings.Repeat(")", 40): "", "SEE LICENSE IN file": "",
	} {
		got, ok := l.expression(in)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// Every identifier not marked with a star is in the CycloneDX schema.
func TestListAgrees(t *testing.T) {
	data, err := os.ReadFile("testdata/spdx.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct{ Enum []string }
	if err := json.Unmarshal(data, &schema); err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, id := range schema.Enum {
		has[id] = true
	}
	l := newList()
	if len(l.licences) < 700 || len(l.exceptions) < 60 {
		t.Errorf("%d licences, %d exceptions", len(l.licences), len(l.exceptions))
	}
	for _, id := range l.licences {
		if has[id] == l.late[id] {
			t.Errorf("%s: the schema has it: %t, it is marked as late: %t", id, has[id], l.late[id])
		}
	}
}

func FuzzDocuments(f *testing.F) {
	for _, s := range []string{"a", "\x1b", "\xff", "(MIT", "sha256:00", "@a/b", "pkg:npm/a@1", "\u202e", "http://x/%"} {
		f.Add(s)
	}
	valid := schemas(f)
	f.Fuzz(func(t *testing.T, bad string) { both(t, hostile(bad), valid) })
}

func FuzzExpression(f *testing.F) {
	for _, s := range []string{"MIT OR (Apache-2.0 AND ISC)", "GPL-2.0-only WITH Classpath-exception-2.0", "((("} {
		f.Add(s)
	}
	l := newList()
	f.Fuzz(func(t *testing.T, s string) {
		once, ok := l.expression(s)
		if !ok {
			return
		}
		if twice, ok := l.expression(once); !ok || twice != once {
			t.Errorf("%q is %q, which is %q", s, once, twice)
		}
	})
}
