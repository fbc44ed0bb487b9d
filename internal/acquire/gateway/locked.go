package gateway

import (
	"encoding/json"
	"strings"
)

// keepLocked removes the versions of a packument that are not locked, and those
// whose file is another one than the locked one.
func keepLocked(body []byte, locked map[string]string) ([]byte, error) {
	d, err := parsePackument(body)
	if err != nil {
		return nil, err
	}
	for version, raw := range d.versions {
		want, ok := locked[version]
		if !ok || want != "" && otherFile(raw, want) {
			delete(d.versions, version)
			delete(d.times, version)
		}
	}
	d.moveTags()
	return d.render(false)
}

// otherFile reports whether a version states a digest of the same kind that differs.
func otherFile(raw json.RawMessage, want string) bool {
	var about struct {
		Dist struct {
			Integrity string `json:"integrity"`
		} `json:"dist"`
	}
	if json.Unmarshal(raw, &about) != nil {
		return true
	}
	is := about.Dist.Integrity
	return strings.HasPrefix(is, "sha512-") && strings.HasPrefix(want, "sha512-") && is != want
}
