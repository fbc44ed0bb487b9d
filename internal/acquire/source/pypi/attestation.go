package pypi

import (
	"context"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// attester is the builder that an attestation names. Its signature is not
// checked: only its presence and the name are known.
type attester struct {
	Kind       string `json:"kind,omitempty"`
	Repository string `json:"repository,omitempty"`
	Workflow   string `json:"workflow,omitempty"`
	// Commit is the commit that it says was built.
	Commit string `json:"commit,omitempty"`
}

// String describes it for a report.
func (a attester) String() string {
	if a.Workflow == "" {
		return usererr.Quote(a.Repository)
	}
	return usererr.Quote(a.Repository) + " with " + usererr.Quote(a.Workflow)
}

// same reports whether two versions were built at the same place. Repository
// names ignore case.
func (a attester) same(b attester) bool {
	return strings.EqualFold(a.Kind, b.Kind) && strings.EqualFold(a.Repository, b.Repository) && a.Workflow == b.Workflow
}

// url is the URL of a repository on GitHub, "" for those elsewhere.
func (a attester) url() string {
	if !strings.EqualFold(a.Kind, "GitHub") {
		return ""
	}
	return "https://github.com/" + a.Repository
}

// attestationAt is the URL of an attestation on a page, nil if the page may not
// link there.
func attestationAt(href string, base *url.URL) *url.URL {
	const longest = 4096
	if href == "" || len(href) > longest {
		return nil
	}
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return nil
	}
	u := base.ResolveReference(ref)
	if !safeFrom(base, u) {
		return nil
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return u
}

// besideIndex asks what an index may offer beside its pages: a JSON API and
// attestations. A failure there is ignored.
type besideIndex struct {
	client  *registry.Client
	index   registry.Registry
	project string
}

// The limits of such answers.
// no gap: a larger package, manifest or list is refused with an error
const (
	maxBeside  = 8 << 20
	maxBundles = 16
)

var repositoryForm = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)+$`)

// attester reads the PEP 740 document about one file, zero if it is not
// available or does not name one place.
func (b besideIndex) attester(ctx context.Context, at *url.URL) attester {
	var answer struct {
		Bundles []json.RawMessage `json:"attestation_bundles"`
	}
	err := b.client.JSON(ctx, &registry.Request{
		Registry: b.index, URL: at.String(), Accept: "application/vnd.pypi.integrity.v1+json, application/json", What: "an attestation of " + usererr.Quote(b.project),
	}, maxBeside, &answer)
	if err != nil || len(answer.Bundles) > maxBundles {
		return attester{}
	}
	var found attester
	for _, raw := range answer.Bundles {
		one := readBundle(raw)
		if one.Repository == "" || found.Repository != "" && !one.same(found) {
			return attester{} // several contradict each other
		}
		found = one
	}
	return found
}

func readBundle(raw json.RawMessage) attester {
	bundle := document.Object(raw)
	publisher := document.Object(bundle["publisher"])
	a := attester{
		Kind: safetext.Line(document.Text(publisher["kind"]), 40), Repository: document.Text(publisher["repository"]),
		Workflow: safetext.Line(document.Text(publisher["workflow"]), usererr.MaxShown),
	}
	if a.Workflow == "" {
		a.Workflow = safetext.Line(document.Text(publisher["workflow_filepath"]), usererr.MaxShown)
	}
	if len(a.Repository) > usererr.MaxShown || !repositoryForm.MatchString(a.Repository) {
		return attester{}
	}
	var attestations []json.RawMessage
	if json.Unmarshal(bundle["attestations"], &attestations) != nil {
		return a
	}
	for _, one := range attestations[:min(len(attestations), maxBundles)] {
		material := document.Object(document.Object(one)["verification_material"])
		if commit := commitOf(document.Text(material["certificate"])); commit != "" {
			a.Commit = commit
		}
	}
	return a
}

var commitForm = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// commitOf reads from the certificate of a build which commit was built, "" if
// it does not say.
func commitOf(certificate string) string {
	der, err := base64.StdEncoding.DecodeString(certificate)
	if err != nil || len(der) == 0 {
		return ""
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return ""
	}
	// The certificate authority of the attestations stores the digest of the
	// source repository there.
	source := asn1.ObjectIdentifier{1, 3, 6, 1, 4, 1, 57264, 1, 13}
	for _, e := range cert.Extensions {
		var commit string
		if !e.Id.Equal(source) {
			continue
		}
		if _, err := asn1.UnmarshalWithParams(e.Value, &commit, "utf8"); err == nil && commitForm.MatchString(commit) {
			return commit
		}
	}
	return ""
}
