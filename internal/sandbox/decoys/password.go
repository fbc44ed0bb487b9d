package decoys

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"
)

// passwordExports are exports of password managers that the user forgot to
// delete.
func passwordExports(k *kit, h *Home) error {
	m := k.mint("passwords")
	content := "name,url,username,password,note\n"
	for _, site := range []string{
		"github.com", "accounts.google.com", "slack.com", "signin.aws.amazon.com",
		"webmail." + k.who.domain, "shop-admin." + k.who.domain, "tax." + k.who.domain,
	} {
		content += fmt.Sprintf("%[1]s,https://%[1]s/login,%[2]s,%[3]s,\n", site, k.who.email, m.password())
	}
	h.decoy(m, KindPasswordExport, "passwords", "Documents/passwords.csv", content)

	m = k.mint("bitwarden")
	h.decoy(m, KindPasswordExport, "bitwarden", "Downloads/bitwarden_export_"+exported(m)+".json", bitwarden(k, m))

	m = k.mint("onepassword")
	content = "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\n"
	for _, item := range [][2]string{{"GitLab", "git"}, {"Router", "router"}, {"Deploy", "deploy"}, {"Payroll", "payroll"}} {
		content += fmt.Sprintf("%s,https://%s.%s,%s,%s,,false,false,,\n", item[0], item[1], k.who.domain, k.who.login, m.password())
	}
	content += fmt.Sprintf("Bank,,%s,%s,otpauth://totp/bank?secret=%s,true,false,money,\n", m.text(10, digits), m.password(), m.secret("", 32, base32))
	h.decoy(m, KindPasswordExport, "onepassword", "Downloads/1PasswordExport.csv", content)
	return nil
}

// exported is a date and time for file names, which must not depend on today.
func exported(m *mint) string {
	return time.Date(2025, 2, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(m.rng.Int64N(int64(60 * 24 * time.Hour)))).Format("20060102150405")
}

func bitwarden(k *kit, m *mint) string {
	var items []string
	for _, l := range k.logins(m) {
		_, name, _ := strings.Cut(l.site, "://")
		items = append(items, fmt.Sprintf(`    {
      "id": "%s",
      "organizationId": null,
      "folderId": null,
      "type": 1,
      "reprompt": 0,
      "name": "%s",
      "notes": null,
      "favorite": false,
      "login": {
        "uris": [{"match": null, "uri": "%s"}],
        "username": "%s",
        "password": "%s",
        "totp": null
      },
      "collectionIds": null
    }`, m.uuid(), name, l.site, l.user, l.password))
	}
	items = append(items, fmt.Sprintf(`    {
      "id": "%s",
      "organizationId": null,
      "folderId": null,
      "type": 2,
      "reprompt": 0,
      "name": "Recovery codes",
      "notes": "%s",
      "favorite": false,
      "secureNote": {"type": 0},
      "collectionIds": null
    }`, m.uuid(), m.keep(m.recovery(6))))
	return "{\n  \"encrypted\": false,\n  \"folders\": [],\n  \"items\": [\n" + strings.Join(items, ",\n") + "\n  ]\n}\n"
}

// recovery codes replace a lost second factor.
func (m *mint) recovery(n int) string {
	codes := make([]string, n)
	for i := range codes {
		codes[i] = m.text(5, hexits) + "-" + m.text(5, hexits)
	}
	return strings.Join(codes, " ")
}

// passwordDatabase is a KeePass file: a header that describes the encryption,
// and random bytes, which look like encrypted data.
func passwordDatabase(k *kit, h *Home) error {
	m := k.mint("keepass")
	file := []byte("\x03\xd9\xa2\x9a\x67\xfb\x4b\xb5\x00\x00\x04\x00")
	field := func(id byte, value []byte) {
		file = append(binary.LittleEndian.AppendUint32(append(file, id), uint32(len(value))), value...)
	}
	field(2, []byte("\x31\xc1\xf2\xe6\xbf\x71\x43\x50\xbe\x58\x05\x21\x6a\xfc\x5a\xff")) // AES-256
	field(3, []byte{1, 0, 0, 0})                                                         // compressed
	field(4, m.bytes(32))
	field(7, m.bytes(16))
	field(11, derivation(m))
	field(0, []byte("\r\n\r\n"))
	sum := sha256.Sum256(file)
	body := m.bytes(2048 + 16*m.rng.IntN(64))
	m.keep(string(body[:48]))
	m.keep(string(body[1024:1072]))
	file = slices.Concat(file, sum[:], m.bytes(32),
		m.bytes(32), binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body,
		m.bytes(32), make([]byte, 4))
	h.decoy(m, KindPasswordStore, "keepass", "Private/Passwords.kdbx", string(file))
	return nil
}

// derivation is the dictionary of the key derivation: Argon2 with its
// parameters.
func derivation(m *mint) []byte {
	const number32, number64, bytes = 0x04, 0x05, 0x42
	out := []byte{0, 1}
	add := func(kind byte, name string, value []byte) {
		out = append(binary.LittleEndian.AppendUint32(append(out, kind), uint32(len(name))), name...)
		out = append(binary.LittleEndian.AppendUint32(out, uint32(len(value))), value...)
	}
	add(bytes, "$UUID", []byte("\xef\x63\x6d\xdf\x8c\x29\x44\x4b\x91\xf7\xa9\xa4\x03\xe3\x0a\x0c"))
	add(number64, "I", binary.LittleEndian.AppendUint64(nil, 14))
	add(number64, "M", binary.LittleEndian.AppendUint64(nil, 64<<20))
	add(number32, "P", []byte{2, 0, 0, 0})
	add(bytes, "S", m.bytes(32))
	add(number32, "V", []byte{0x13, 0, 0, 0})
	return append(out, 0)
}

// keyring is the secret store of a desktop.
func keyring(k *kit, h *Home) error {
	m := k.mint("keyring")
	file := []byte("GnomeKeyring\n\r\x00\n\x00\x00\x00\x00")
	u32 := func(n int) { file = binary.BigEndian.AppendUint32(file, uint32(n)) }
	u32(len("Login"))
	file = append(file, "Login"...)
	for _, days := range []int{2, 300} { // modified and created
		file = binary.BigEndian.AppendUint64(file, uint64(k.ago(m, days).Unix()))
	}
	u32(0) // flags
	u32(0) // never locks itself
	u32(1500 + m.rng.IntN(1500))
	file = append(file, m.bytes(8)...)
	file = append(file, make([]byte, 16)...)
	const items = 3
	u32(items)
	for i := range items {
		u32(i + 1)
		u32(0) // a secret
		u32(0) // without attributes
	}
	secret := m.bytes(1024)
	m.keep(string(secret[:48]))
	u32(len(secret))
	h.decoy(m, KindPasswordStore, "keyring", ".local/share/keyrings/login.keyring", string(append(file, secret...)))
	h.plain(".local/share/keyrings/default", 0o600, "login")
	return nil
}

// passwordNotes is a text file with passwords.
func passwordNotes(k *kit, h *Home) error {
	m := k.mint("password notes")
	h.decoy(m, KindPasswordNotes, "notes", "Private/logins.txt", fmt.Sprintf(`wifi home       %s
wifi office     %s
nas             admin / %s
laptop disk     %s
github recovery codes
  %s
IBAN            %s
`, m.password(), m.password(), m.password(), m.secret("", 26, alnum), m.keep(m.recovery(4)), m.iban()))
	return nil
}

// iban is an account number at a bank that cannot exist: no bank code of the
// country begins with 9.
func (m *mint) iban() string {
	account := "9" + m.text(17, digits)
	n, _ := new(big.Int).SetString(account+"131400", 10) // the country's letters, without check digits yet
	rest := new(big.Int).Mod(n, big.NewInt(97)).Int64()
	return m.keep(fmt.Sprintf("DE%02d%s", 98-rest, account))
}
