package canary

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const (
	alnum    = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func pick(r *rand.Rand, n int, from string) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = from[r.IntN(len(from))]
	}
	return string(b)
}

func noise(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// sshKey is an OpenSSH key as ssh-keygen writes it.
func sshKey(r *rand.Rand, comment string) string {
	key := ed25519.NewKeyFromSeed(noise(r, ed25519.SeedSize))
	public := key.Public().(ed25519.PublicKey)
	str := func(b []byte, s string) []byte { return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...) }
	pub := str(str(nil, "ssh-ed25519"), string(public))
	check := noise(r, 4)
	private := append(append([]byte(nil), check...), check...)
	private = str(str(str(str(private, "ssh-ed25519"), string(public)), string(key)), comment)
	for i := byte(1); len(private)%8 != 0; i++ {
		private = append(private, i)
	}
	b := str(str(str([]byte("openssh-key-v1\x00"), "none"), "none"), "")
	b = binary.BigEndian.AppendUint32(b, 1)
	b = str(str(b, string(pub)), string(private))
	return string(pem.EncodeToMemory(&pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: b}))
}

func awsFile(r *rand.Rand) string {
	return fmt.Sprintf("[default]\naws_access_key_id = AKIA%s\naws_secret_access_key = %s\nregion = eu-west-1\n", pick(r, 16, capitals), pick(r, 40, base64Digits))
}

func document(r *rand.Rand) string {
	return fmt.Sprintf("# Webshop weekly\n\n- Checkout is slow when the cart has more than 40 lines; profile it first\n- Accounting asked for the export in CSV again\n- Release on Thursday, change CHG-%s-%s\n\n## Open\n- Who answers the mails of the payment provider?\n", pick(r, 6, capitals), pick(r, 8, "0123456789"))
}

// kinds has marks of every kind.
func kinds() []Mark {
	r := newRand(7)
	m := func(id, value string) Mark { return Mark{ID: id, Value: []byte(value)} }
	return []Mark{
		m("github", "ghp_"+pick(r, 36, alnum)),
		m("aws", pick(r, 40, base64Digits)),
		m("password", "vK7#pQ2x!mZ9"),
		m("short", pick(r, 16, alnum)),
		m("ssh", sshKey(r, "dev@laptop")),
		m("file", awsFile(r)),
		m("document", document(r)),
		m("binary", string(noise(r, 48))),
		m("uuid", fmt.Sprintf("%s-%s-%s-%s-%s", pick(r, 8, hexDigits), pick(r, 4, hexDigits), pick(r, 4, hexDigits), pick(r, 4, hexDigits), pick(r, 12, hexDigits))),
	}
}

// crowd has a hundred marks of 16 to 4000 bytes.
func crowd() []Mark {
	r := newRand(8)
	var marks []Mark
	for _, m := range kinds() {
		if len(m.Value) >= 16 {
			marks = append(marks, m)
		}
	}
	for i := len(marks); i < 100; i++ {
		var value string
		switch i % 5 {
		case 0:
			value = sshKey(r, "dev@laptop")
		case 1:
			value = awsFile(r) + document(r)
		case 2:
			value = base64.StdEncoding.EncodeToString(noise(r, 300+r.IntN(2700)))
		case 3:
			value = strings.Repeat(document(r), 1+r.IntN(10))
		default:
			value = pick(r, 16+r.IntN(64), alnum)
		}
		marks = append(marks, Mark{ID: fmt.Sprintf("mark-%d", i), Value: []byte(value)})
	}
	return marks
}

func compile(t testing.TB, marks []Mark) *Set {
	t.Helper()
	s, err := Compile(marks)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
