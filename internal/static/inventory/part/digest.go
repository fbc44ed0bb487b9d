package part

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// size returns the length of a digest in bytes, 0 for an unknown algorithm.
func size(algorithm string) int {
	switch algorithm {
	case "md5":
		return 16
	case "sha1":
		return 20
	case "sha256":
		return 32
	case "sha384":
		return 48
	case "sha512":
		return 64
	}
	return 0
}

// digests keeps valid digests: "sha512-<base64>" as npm writes it, or
// "sha256:<hex>". A string may hold several, separated by blanks.
func digests(in []string) []string {
	var out []string
	for _, s := range in {
		for word := range strings.FieldsSeq(s) {
			if d := digest(word); d != "" && !slices.Contains(out, d) && len(out) < maxDigests {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return out
}

func digest(s string) string {
	if len(s) > maxLicence {
		return ""
	}
	if algorithm, text, ok := strings.Cut(s, ":"); ok {
		text = strings.ToLower(text)
		if raw, err := hex.DecodeString(text); err == nil && len(raw) == size(algorithm) && len(raw) > 0 {
			return algorithm + ":" + text
		}
		return ""
	}
	algorithm, text, _ := strings.Cut(s, "-")
	text, _, _ = strings.Cut(text, "?") // unused options
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(raw) != size(algorithm) || len(raw) == 0 {
		return ""
	}
	return algorithm + "-" + text
}

// licences keeps what can be the name of a licence.
func licences(in []string) []string {
	// gap: source-not-read
	const most = 8
	var out []string
	for _, s := range in {
		s = clean(s, maxLicence)
		if s != "" && len(out) < most && !slices.Contains(out, s) && !strings.EqualFold(s, "unknown") {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}
