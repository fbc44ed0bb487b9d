package npm

import (
	"crypto/sha1" //nolint:gosec // what old packages were published with
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/safetext"
)

// integrity is the expected hash of a file: one of the sums, all of one
// algorithm.
type integrity struct {
	algorithm string
	sums      []string // in base64
}

// parseIntegrity takes the strongest hash that a registry states. It is empty
// if none can be checked.
func parseIntegrity(stated, shasum string) integrity {
	var best integrity
	for token := range strings.FieldsSeq(safetext.Line(stated, 4096)) {
		token, _, _ = strings.Cut(token, "?")
		algorithm, sum, _ := strings.Cut(token, "-")
		data, err := base64.StdEncoding.DecodeString(sum)
		h := newHash(algorithm)
		if err != nil || h == nil || len(data) != h.Size() {
			continue
		}
		switch strong := strength(algorithm) - strength(best.algorithm); {
		case strong > 0:
			best = integrity{algorithm: algorithm, sums: []string{sum}}
		case strong == 0:
			best.sums = append(best.sums, sum)
		}
	}
	if data, err := hex.DecodeString(shasum); best.algorithm == "" && err == nil && len(data) == sha1.Size {
		return integrity{algorithm: "sha1", sums: []string{base64.StdEncoding.EncodeToString(data)}}
	}
	return best
}

// check returns the sum of h, "" if it is not one of the expected.
func (i integrity) check(h hash.Hash) string {
	sum := base64.StdEncoding.EncodeToString(h.Sum(nil))
	if !slices.Contains(i.sums, sum) {
		return ""
	}
	return i.algorithm + "-" + sum
}

// allows reports whether a pin is one of the sums.
func (i integrity) allows(pin string) bool {
	algorithm, sum, _ := strings.Cut(pin, "-")
	return algorithm == i.algorithm && slices.Contains(i.sums, sum)
}

func strength(algorithm string) int {
	return slices.Index([]string{"sha1", "sha256", "sha384", "sha512"}, algorithm)
}

func newHash(algorithm string) hash.Hash {
	switch algorithm {
	case "sha512":
		return sha512.New()
	case "sha384":
		return sha512.New384()
	case "sha256":
		return sha256.New()
	case "sha1":
		return sha1.New() //nolint:gosec // what old packages were published with
	}
	return nil
}
