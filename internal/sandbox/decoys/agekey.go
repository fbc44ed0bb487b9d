package decoys

import (
	"crypto/ecdh"
	"fmt"
	"strings"
	"time"
)

// ageKey decrypts the encrypted files in the company's repositories.
func ageKey(k *kit, h *Home) error {
	m := k.mint("age")
	secret := m.bytes(32)
	private, err := ecdh.X25519().NewPrivateKey(secret)
	if err != nil {
		return fmt.Errorf("making an age key: %w", err)
	}
	h.decoy(m, KindAgeKey, "age", ".config/sops/age/keys.txt", fmt.Sprintf("# created: %s\n# public key: %s\n%s\n",
		k.ago(m, 200).Format(time.RFC3339), bech32("age", private.PublicKey().Bytes()),
		ageKeyPrefix+m.keep(strings.TrimPrefix(strings.ToUpper(bech32("age-secret-key-", secret)), ageKeyPrefix))))
	return nil
}

// ageKeyPrefix begins every such key.
const ageKeyPrefix = "AGE-SECRET-KEY-1"

// bech32 encodes bytes in groups of five bits after a readable prefix, with a
// checksum over both.
func bech32(prefix string, data []byte) string {
	const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	var groups []byte
	held, count := uint(0), 0
	for _, b := range data {
		held, count = held<<8|uint(b), count+8
		for ; count >= 5; count -= 5 {
			groups = append(groups, byte(held>>(count-5)&31))
		}
	}
	if count > 0 {
		groups = append(groups, byte(held<<(5-count)&31))
	}
	var checked []byte
	for i := range len(prefix) {
		checked = append(checked, prefix[i]>>5)
	}
	checked = append(checked, 0)
	for i := range len(prefix) {
		checked = append(checked, prefix[i]&31)
	}
	sum := bech32Sum(append(append(checked, groups...), 0, 0, 0, 0, 0, 0)) ^ 1
	for i := range 6 {
		groups = append(groups, byte(sum>>(5*(5-i))&31))
	}
	out := []byte(prefix + "1")
	for _, g := range groups {
		out = append(out, alphabet[g])
	}
	return string(out)
}

func bech32Sum(values []byte) uint32 {
	sum := uint32(1)
	for _, v := range values {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(v)
		for i, g := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	return sum
}
