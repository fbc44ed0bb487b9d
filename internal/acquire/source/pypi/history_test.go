package pypi

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

// releases are versions: "VERSION DATE", and after that "attested" or
// "attested=DOCUMENT", "yanked", "authors=WORD".
type releases []string

// historyIndex serves the versions, their attestation documents, and their
// authors in the JSON API.
func historyIndex(t *testing.T, documents map[string]string, versions releases) *index {
	t.Helper()
	authors := map[string]string{}
	var files []upload
	for _, line := range versions {
		words := strings.Fields(line)
		f := upload{name: "demo_server-" + words[0] + "-py3-none-any.whl", data: wheel(t, words[0])}
		if words[1] != "-" {
			f.uploaded = words[1] + "T10:00:00Z"
		}
		for _, word := range words[2:] {
			switch key, value, _ := strings.Cut(word, "="); key {
			case "attested":
				f.attested = "/integrity/" + value
			case "null":
				f.attested = json.RawMessage("null")
			case "number":
				f.attested = 7
			case "yanked":
				f.yanked = &value
			case "authors":
				authors["/pypi/demo-server/"+words[0]+"/json"] = value
			}
		}
		files = append(files, f)
	}
	x := newIndex(t, map[string][]upload{"demo-server": files})
	x.json = true
	x.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if text, ok := strings.CutPrefix(r.URL.Path, "/integrity/"); ok && documents[text] != "" {
			fmt.Fprint(w, documents[text])
			return true
		}
		who, ok := authors[r.URL.Path]
		if ok {
			fmt.Fprintf(w, `{"info":{"author":"","author_email":"Somebody <%s@example.com>","maintainer":null}}`, who)
		}
		return ok
	}
	return x
}

func attestedBy(repository, workflow string) string {
	return fmt.Sprintf(`{"version":1,"attestation_bundles":[{"publisher":{"kind":"GitHub","repository":%q,"workflow":%q},"attestations":[{}]}]}`, repository, workflow)
}

// kinds are the kinds of the facts about the history, without the date of the
// first version.
func kinds(facts []mcpsf.Fact) []string {
	var all []string
	for _, f := range facts {
		if strings.HasPrefix(f.Kind, "provenance.") && f.Kind != published.FactFirst {
			all = append(all, f.Kind)
		}
	}
	return all
}

func TestHistory(t *testing.T) {
	documents := map[string]string{
		"ours": attestedBy("anna/demo", "release.yml"), "ours-too": attestedBy("Anna/Demo", "release.yml"),
		"theirs": attestedBy("mallory/demo", "release.yml"), "workflow": attestedBy("anna/demo", "other.yml"),
		"empty": `{}`, "deep": strings.Repeat(`{"attestation_bundles":[`, 50_000), "odd": `{"attestation_bundles":[{"publisher":7,"attestations":{}}]}`,
		"shape": `{"attestation_bundles":7}`, "two": `{"attestation_bundles":[` + bundle("anna/demo") + "," + bundle("mallory/demo") + `]}`,
		"path": attestedBy("../../mallory/demo", "release.yml"), "long": attestedBy("a/"+strings.Repeat("b", 5000), "x"),
	}
	usual := releases{"1.0 2024-01-01", "1.1 2024-02-01", "1.2 2024-03-01"}
	attested := releases{"1.0 2024-01-01 attested=ours", "1.1 2024-02-01 attested=ours", "1.2 2024-03-01 attested=ours"}
	named := releases{"1.0 2024-01-01 authors=anna", "1.1 2024-02-01 authors=anna", "1.2 2024-03-01 authors=anna"}
	for name, tt := range map[string]struct {
		before releases
		this   string
		want   []string
	}{
		"nothing is known":             {usual, "1.3 2024-04-01", nil},
		"no dates":                     {releases{"1.0 -", "1.1 -"}, "1.3 -", nil},
		"attested as before":           {attested, "1.3 2024-04-01 attested=ours", nil},
		"written otherwise":            {attested, "1.3 2024-04-01 attested=ours-too", nil},
		"no longer attested":           {attested, "1.3 2024-04-01", []string{published.FactUnattested}},
		"null is none":                 {attested, "1.3 2024-04-01 null", []string{published.FactUnattested}},
		"attested for the first time":  {usual, "1.3 2024-04-01 attested=ours", nil},
		"never attested, null":         {releases{"1.0 2024-01-01 null"}, "1.3 2024-04-01 null", nil},
		"no attestation, no dates":     {releases{"1.0 - attested=ours"}, "1.3 -", []string{published.FactUnattested}},
		"of another repository":        {attested, "1.3 2024-04-01 attested=theirs", []string{published.FactAttester}},
		"of another workflow":          {attested, "1.3 2024-04-01 attested=workflow", []string{published.FactAttester}},
		"its document is not there":    {attested, "1.3 2024-04-01 attested=missing", nil},
		"its document is empty":        {attested, "1.3 2024-04-01 attested=empty", nil},
		"its document is deep":         {attested, "1.3 2024-04-01 attested=deep", nil},
		"its document is odd":          {attested, "1.3 2024-04-01 attested=odd", nil},
		"its document has no shape":    {attested, "1.3 2024-04-01 attested=shape", nil},
		"its document says two things": {attested, "1.3 2024-04-01 attested=two", nil},
		"its document names a path":    {attested, "1.3 2024-04-01 attested=path", nil},
		"its document is long":         {attested, "1.3 2024-04-01 attested=long", nil},
		"not an address":               {usual, "1.3 2024-04-01 number", nil},
		"the same authors":             {named, "1.3 2024-04-01 authors=anna", nil},
		"other authors":                {named, "1.3 2024-04-01 authors=mallory", []string{published.FactAuthors}},
		"authors are not known":        {named, "1.3 2024-04-01", nil},
		"those before are not known":   {usual, "1.3 2024-04-01 authors=mallory", nil},
		"other authors, a short past":  {named[:2], "1.3 2024-04-01 authors=mallory", nil},
		"after years":                  {usual, "1.3 2027-04-01", []string{published.FactPause}},
		"withdrawn":                    {usual, "1.3 2024-04-01 yanked=oops", []string{published.FactWithdrawn}},
	} {
		t.Run(name, func(t *testing.T) {
			x := historyIndex(t, documents, append(slices.Clip(tt.before), tt.this, "1.4 2030-01-01"))
			opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: client(t, x.URL+"/simple/")}
			for range 2 { // from the index, then from the cache
				_, facts, err := fetched(t, x, "pypi:demo-server==1.3", opts)
				sourcetest.Must(t, err)
				if diff := cmp.Diff(tt.want, kinds(facts)); diff != "" {
					t.Errorf("facts (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func bundle(repository string) string {
	return fmt.Sprintf(`{"publisher":{"kind":"GitHub","repository":%q,"workflow":"x"}}`, repository)
}

// TestFirst expects the first day only if all days are known.
func TestFirst(t *testing.T) {
	for _, tt := range []struct {
		versions releases
		want     string
	}{
		{releases{"1.0 2024-01-01", "1.3 2024-02-01", "1.4 2025-01-01"}, "2024-01-01"},
		{releases{"1.0 -", "1.3 2024-02-01"}, ""},
		{releases{"1.0 -", "1.3 -"}, ""},
		{releases{"1.3 2024-02-01"}, "2024-02-01"},
	} {
		_, facts, err := fetched(t, historyIndex(t, nil, tt.versions), "pypi:demo-server==1.3", kind.Options{})
		sourcetest.Must(t, err)
		got := ""
		for _, f := range facts {
			if f.Kind == published.FactFirst {
				got = f.Text
			}
		}
		if got != tt.want {
			t.Errorf("%q: first published %q, not %q", tt.versions, got, tt.want)
		}
	}
}

// TestFileAddedLater expects a fact about a wheel without attestation beside a
// source with one: anybody with upload rights can add a file to an old version.
func TestFileAddedLater(t *testing.T) {
	x := newIndex(t, map[string][]upload{"demo-server": {
		{name: "demo-server-1.0.tar.gz", data: sdist(t, "1.0"), attested: "/integrity/x"},
		{name: "demo_server-1.0-py3-none-any.whl", data: wheel(t, "1.0")},
	}})
	for _, x.json = range []bool{true, false} {
		_, facts, err := fetched(t, x, "pypi:demo-server", kind.Options{})
		sourcetest.Must(t, err)
		if diff := cmp.Diff([]string{published.FactUnattested}, kinds(facts)); diff != "" {
			t.Errorf("facts (-want +got):\n%s", diff)
		}
	}
}

func TestCommitOf(t *testing.T) {
	commit := strings.Repeat("ab", 20)
	for value, want := range map[string]string{commit: commit, "main": "", strings.Repeat("zz", 20): ""} {
		if got := commitOf(certificate(t, value)); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
	for _, text := range []string{"", "!", base64.StdEncoding.EncodeToString([]byte{0x30, 0x84, 0xff, 0xff, 0xff, 0xff}), strings.Repeat("A", 1<<20)} {
		if got := commitOf(text); got != "" {
			t.Errorf("%.20q: %q", text, got)
		}
	}
}

// certificate is an attestation's certificate with a commit in it.
func certificate(t *testing.T, commit string) string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	sourcetest.Must(t, err)
	value, err := asn1.MarshalWithParams(commit, "utf8")
	sourcetest.Must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, 13}, Value: value}}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	sourcetest.Must(t, err)
	return base64.StdEncoding.EncodeToString(der)
}

func FuzzBundle(f *testing.F) {
	f.Add([]byte(bundle("anna/demo")))
	f.Add([]byte(`{"publisher":{"repository":"a/b"},"attestations":[{"verification_material":{"certificate":"MA=="}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a := readBundle(data)
		if a.Repository != "" && !repositoryForm.MatchString(a.Repository) || a.Commit != "" && !commitForm.MatchString(a.Commit) {
			t.Errorf("%+v", a)
		}
	})
}
