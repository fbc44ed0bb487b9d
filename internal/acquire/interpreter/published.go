package interpreter

import (
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"strings"
)

// maxPackage bounds the file of a package; Node.js is a third of it.
// no gap: bounds the toolchain that we fetch, not the server
const maxPackage = 256 << 20

// published is a file of a registry.
type published struct {
	Version string `json:"version"`
	URL     string `json:"url"`
	// Sum is "sha512:<hex>" or "sha256:<hex>".
	Sum string `json:"sum"`
	// needs is the runtime version that it requires.
	needs string
}

func (p *published) valid() bool {
	return p.Version != "" && p.URL != "" && newVerifier(p.Sum) != nil
}

// sumOfIntegrity returns the strongest digest in the "integrity" of npm's
// registry: "sha512-<base64>", several separated by spaces. It returns "" if
// none is strong enough.
func sumOfIntegrity(integrity string) string {
	for _, name := range []string{"sha512", "sha256"} {
		for one := range strings.FieldsSeq(integrity) {
			text, ok := strings.CutPrefix(one, name+"-")
			text, _, _ = strings.Cut(text, "?")
			sum, err := base64.StdEncoding.DecodeString(text)
			if full := name + ":" + hex.EncodeToString(sum); ok && err == nil && newVerifier(full) != nil {
				return full
			}
		}
	}
	return ""
}

// verifier compares what is written to it with a digest.
type verifier struct {
	hash.Hash
	want string
}

// newVerifier returns nil for a weak digest.
func newVerifier(sum string) *verifier {
	name, want, _ := strings.Cut(sum, ":")
	v := &verifier{want: want}
	switch name {
	case "sha512":
		v.Hash = sha512.New()
	case "sha256":
		v.Hash = sha256.New()
	default:
		return nil
	}
	if raw, err := hex.DecodeString(want); err != nil || len(raw) != v.Size() {
		return nil
	}
	return v
}

func (v *verifier) holds() bool { return hex.EncodeToString(v.Sum(nil)) == strings.ToLower(v.want) }

// counter writes to several and counts.
type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}
