package evidence

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// treeDigest is the name of our own digest, over a listing of files and not over
// the bytes of one: docs/evidence.md describes it.
const treeDigest = "mcpsfTree1"

// assessed returns the artifact as a subject, with the digests of the published
// file and of the files in it. A server that runs elsewhere has neither.
func assessed(a *mcpsf.Artifact) (subject, bool) {
	s := subject{Name: a.Name, Digest: map[string]string{}}
	if sum, ok := strings.CutPrefix(a.Digest, "sha256:"); ok && sum != "" {
		algorithm := treeDigest
		if a.Kind == "oci" { // the digest of the image, as in registries
			algorithm = "sha256"
		}
		s.Digest[algorithm] = sum
	}
	if a.Origin != nil {
		if algorithm, sum := pinned(a.Kind, a.Origin.Pin); sum != "" {
			s.Digest[algorithm] = sum
		}
		if p := purl(a); p != "" {
			s.Name = p
		}
	}
	return s, len(s.Digest) > 0
}

var commitForm = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// pinned returns a pin in the form of in-toto digests.
func pinned(kind, pin string) (algorithm, sum string) {
	if kind == "github" && commitForm.MatchString(pin) {
		return "gitCommit", pin
	}
	if algorithm, sum, ok := strings.Cut(pin, ":"); ok && algorithm == "sha256" {
		return algorithm, sum
	}
	algorithm, coded, _ := strings.Cut(pin, "-") // a registry's "integrity"
	raw, err := base64.StdEncoding.DecodeString(coded)
	if size := map[string]int{"sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}[algorithm]; err != nil || size == 0 || len(raw) != size {
		return "", ""
	}
	return algorithm, hex.EncodeToString(raw)
}

// purl returns the package URL of a published package, "" for other artifacts.
func purl(a *mcpsf.Artifact) string {
	if a.Kind != "npm" && a.Kind != "pypi" || a.Name == "" || a.Version == "" {
		return ""
	}
	parts := strings.Split(a.Name, "/")
	for i := range parts {
		parts[i] = percent(parts[i])
	}
	return "pkg:" + a.Kind + "/" + strings.Join(parts, "/") + "@" + percent(a.Version)
}

func percent(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
