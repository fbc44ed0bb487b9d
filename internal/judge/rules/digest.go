package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest pins the rules: "sha256:<hex>" over the id and the file of each.
func (s *Set) Digest() string {
	h := sha256.New()
	for _, r := range s.rules {
		fmt.Fprintf(h, "%s %x\n", r.ID, r.Sum)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
