package sbom

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// digest is a digest in the form of the documents.
type digest struct{ algorithm, hex string }

// digests reads "sha512-<base64>" and "sha256:<hex>". It drops anything else.
func digests(in []string) []digest {
	var out []digest
	for _, s := range in {
		var raw []byte
		var err error
		algorithm, value, isHex := strings.Cut(s, ":")
		if isHex {
			raw, err = hex.DecodeString(value)
		} else {
			algorithm, value, _ = strings.Cut(s, "-")
			raw, err = base64.StdEncoding.DecodeString(value)
		}
		if size := map[string]int{"md5": 16, "sha1": 20, "sha256": 32, "sha384": 48, "sha512": 64}[algorithm]; err == nil && size == len(raw) && size > 0 {
			out = append(out, digest{algorithm, hex.EncodeToString(raw)})
		}
	}
	slices.SortFunc(out, func(a, b digest) int { return strings.Compare(a.algorithm+a.hex, b.algorithm+b.hex) })
	return slices.Compact(out)
}

// split separates digests of one file from those of several: a package that was
// published as many files has many digests of one kind, and none of them is the
// package's.
func split(all []digest) (own, several []digest) {
	count := make(map[string]int)
	for _, d := range all {
		count[d.algorithm]++
	}
	for _, d := range all {
		if count[d.algorithm] == 1 {
			own = append(own, d)
		} else {
			several = append(several, d)
		}
	}
	return own, several[:min(len(several), maxList)]
}
