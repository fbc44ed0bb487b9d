package decoys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha1" //nolint:gosec // the names of OpenPGP's keys
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// gpgKeys is one key, in GnuPG's own store and in a backup as its manual
// recommends.
func gpgKeys(k *kit, h *Home) error {
	m := k.mint("gpg")
	private := ed25519.NewKeyFromSeed(m.bytes(ed25519.SeedSize))
	seed, public := private.Seed(), []byte(private[ed25519.SeedSize:])
	created := k.ago(m, 400)
	content := fmt.Sprintf("Created: %s\nKey: (private-key (ecc (curve Ed25519)(flags eddsa)(q\n  #40%X#)(d #%s#)))\n",
		created.Format("20060102T150405"), public, m.keep(fmt.Sprintf("%X", seed)))
	h.decoy(m, KindGPGKey, "gpg", ".gnupg/private-keys-v1.d/"+keygrip(public)+".key", content)

	m = k.mint("gpg backup")
	armored := armor(secretKeyExport(private, created, fmt.Sprintf("%s %s <%s>", k.who.first, k.who.last, k.who.email)))
	// The first line has the public half, the third and later ones the name and
	// the signature, which are public.
	m.keep(strings.Split(armored, "\n")[3])
	h.decoy(m, KindGPGKey, "gpg", "Private/gpg-backup.asc", armored)
	return nil
}

// keygrip is GnuPG's name of a key: a hash over the curve and the public half.
func keygrip(public []byte) string {
	hash := sha1.New() //nolint:gosec // see above
	for _, p := range []struct{ name, value string }{
		{"p", "7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFED"},
		{"a", "01"}, // negative, but signs are not hashed
		{"b", "2DFC9311D490018C7338BF8688861767FF8FF5B2BEBE27548A14B235ECA6874A"},
		{"g", "04216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A6666666666666666666666666666666666666666666666666666666666666658"},
		{"n", "1000000000000000000000000000000014DEF9DEA2F79CD65812631A5CF5D3ED"},
		{"q", fmt.Sprintf("%X", public)},
	} {
		value, _ := hex.DecodeString(p.value) // the constants are valid hexadecimal
		fmt.Fprintf(hash, "(1:%s%d:%s)", p.name, len(value), value)
	}
	return fmt.Sprintf("%X", hash.Sum(nil))
}

// The packets of OpenPGP used here.
const (
	pgpSignature = 2
	pgpSecretKey = 5
	pgpUserID    = 13
)

// secretKeyExport is an unprotected self-signed key with one name.
func secretKeyExport(private ed25519.PrivateKey, created time.Time, name string) []byte {
	when := binary.BigEndian.AppendUint32(nil, uint32(created.Unix()))
	public := slices.Concat([]byte{4}, when, []byte{22, 9}, // EdDSA
		[]byte("\x2b\x06\x01\x04\x01\xda\x47\x0f\x01"), // over Ed25519
		pgpNumber(append([]byte{0x40}, private[ed25519.SeedSize:]...)))
	hashed := append([]byte{0x99}, binary.BigEndian.AppendUint16(nil, uint16(len(public)))...)
	fingerprint := sha1.Sum(append(hashed, public...)) //nolint:gosec // see above

	secret := pgpNumber(private.Seed())
	var sum uint16
	for _, b := range secret {
		sum += uint16(b)
	}
	key := slices.Concat(public, []byte{0}, secret, binary.BigEndian.AppendUint16(nil, sum))

	about := slices.Concat(
		append([]byte{22, 33, 4}, fingerprint[:]...), // issuer
		append([]byte{5, 2}, when...),
		[]byte{2, 27, 0x03},          // may certify and sign
		[]byte{4, 11, 9, 8, 7},       // prefers AES
		[]byte{4, 21, 10, 8, 9},      // prefers SHA-512
		[]byte{3, 22, 2, 3},          // prefers ZLIB
		[]byte{2, 30, 1, 2, 23, 128}, // detects changes; key server no-modify
	)
	head := append([]byte{4, 0x13, 22, 10}, binary.BigEndian.AppendUint16(nil, uint16(len(about)))...)
	head = append(head, about...)
	digest := sha512.New()
	digest.Write(append(hashed, public...))
	fmt.Fprintf(digest, "\xb4%s%s", binary.BigEndian.AppendUint32(nil, uint32(len(name))), name)
	digest.Write(head)
	digest.Write(binary.BigEndian.AppendUint32([]byte{4, 0xff}, uint32(len(head))))
	hash := digest.Sum(nil)
	signature := ed25519.Sign(private, hash)
	tail := slices.Concat([]byte{0, 10, 9, 16}, fingerprint[12:], hash[:2], pgpNumber(signature[:32]), pgpNumber(signature[32:]))
	return slices.Concat(pgpPacket(pgpSecretKey, key), pgpPacket(pgpUserID, []byte(name)), pgpPacket(pgpSignature, append(head, tail...)))
}

// pgpPacket has a length of one byte, which suffices for all of these.
func pgpPacket(tag byte, body []byte) []byte {
	return append([]byte{0x80 | tag<<2, byte(len(body))}, body...)
}

// pgpNumber is a number with its length in bits.
func pgpNumber(b []byte) []byte {
	n := new(big.Int).SetBytes(b)
	return append(binary.BigEndian.AppendUint16(nil, uint16(n.BitLen())), n.Bytes()...)
}

// armor writes bytes as text, with OpenPGP's checksum.
func armor(b []byte) string {
	sum := uint32(0xb704ce)
	for _, c := range b {
		sum ^= uint32(c) << 16
		for range 8 {
			if sum <<= 1; sum&0x1000000 != 0 {
				sum ^= 0x1864cfb
			}
		}
	}
	var out bytes.Buffer
	out.WriteString("-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n")
	text := base64.StdEncoding.EncodeToString(b)
	for ; len(text) > 64; text = text[64:] {
		out.WriteString(text[:64] + "\n")
	}
	check := base64.StdEncoding.EncodeToString([]byte{byte(sum >> 16), byte(sum >> 8), byte(sum)})
	out.WriteString(text + "\n=" + check + "\n-----END PGP PRIVATE KEY BLOCK-----\n")
	return out.String()
}
