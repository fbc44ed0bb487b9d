package decoys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
)

func sshKeys(k *kit, h *Home) error {
	m := k.mint("id_rsa")
	key := k.sshKey()
	der, err := asn1.Marshal(key)
	if err != nil {
		return fmt.Errorf("encoding an RSA key: %w", err)
	}
	private := string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: der}))
	m.keepLines(private, 64)
	h.decoy(m, KindSSHKey, "ssh", ".ssh/id_rsa", private)
	h.plain(".ssh/id_rsa.pub", 0o644, publicLine("ssh-rsa", k.who.email, mpint(big.NewInt(int64(key.E))), mpint(key.N)))

	m = k.mint("id_ed25519")
	ed := ed25519.NewKeyFromSeed(m.bytes(ed25519.SeedSize))
	public := []byte(ed)[ed25519.SeedSize:] // an ed25519 key is its seed and its public half
	private = openSSHKey(m, ed, public, k.who.email)
	m.keepLines(private, 70)
	h.decoy(m, KindSSHKey, "ssh", ".ssh/id_ed25519", private)
	h.plain(".ssh/id_ed25519.pub", 0o644, publicLine("ssh-ed25519", k.who.email, public))
	return nil
}

// keepLines records the full lines of a key file. It omits the first, which is
// mostly the format's header that all keys share, and those that name the kind
// of key.
func (m *mint) keepLines(file string, width int) {
	const kind = "yNTUxOQ" // part of "ssh-ed25519" as encoded in every such file
	lines := strings.Split(file, "\n")
	for _, line := range lines[2:] {
		if len(line) == width && !strings.Contains(line, kind) {
			m.keep(line)
		}
	}
}

// openSSHKey writes an unencrypted key in the format of ssh-keygen.
func openSSHKey(m *mint, private ed25519.PrivateKey, public []byte, comment string) string {
	check := m.bytes(4)
	secret := bytes.Join([][]byte{
		check, check, sshString([]byte("ssh-ed25519")), sshString(public), sshString(private), sshString([]byte(comment)),
	}, nil)
	for pad := byte(1); len(secret)%8 != 0; pad++ {
		secret = append(secret, pad)
	}
	blob := bytes.Join([][]byte{
		[]byte("openssh-key-v1\x00"),
		sshString([]byte("none")), sshString([]byte("none")), sshString(nil), // cipher, derivation, its options
		{0, 0, 0, 1}, // one key
		sshString(publicBlob("ssh-ed25519", public)),
		sshString(secret),
	}, nil)
	var b strings.Builder
	b.WriteString("-----BEGIN OPENSSH PRIVATE KEY-----\n")
	text := base64.StdEncoding.EncodeToString(blob)
	for ; len(text) > 70; text = text[70:] {
		b.WriteString(text[:70] + "\n")
	}
	b.WriteString(text + "\n-----END OPENSSH PRIVATE KEY-----\n")
	return b.String()
}

func publicLine(algorithm, comment string, fields ...[]byte) string {
	return algorithm + " " + base64.StdEncoding.EncodeToString(publicBlob(algorithm, fields...)) + " " + comment + "\n"
}

func publicBlob(algorithm string, fields ...[]byte) []byte {
	blob := sshString([]byte(algorithm))
	for _, f := range fields {
		blob = append(blob, sshString(f)...)
	}
	return blob
}

func sshString(b []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// mpint is a positive number in SSH's notation.
func mpint(n *big.Int) []byte {
	b := n.Bytes()
	if b[0]&0x80 != 0 {
		return append([]byte{0}, b...)
	}
	return b
}
