package decoys

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/des" //nolint:gosec // what the browser encrypts with
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // see above
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
)

// encryptedHead is the length of the encryption header of an encrypted login.
const encryptedHead = 48

// firefox is a Firefox profile. Without a master password, the key of its
// logins is stored beside them.
func firefox(k *kit, h *Home) error {
	m := k.mint("firefox")
	profile := m.text(8, lower+digits) + ".default-release"
	dir := ".mozilla/firefox/" + profile + "/"
	h.plain(".mozilla/firefox/profiles.ini", 0o644, fmt.Sprintf("[Profile0]\nName=default-release\nIsRelative=1\nPath=%s\nDefault=1\n\n[General]\nStartWithLastProfile=1\nVersion=2\n", profile))

	m = k.mint("firefox key")
	key := m.bytes(24)
	store, err := keyStore(m, key)
	if err != nil {
		return fmt.Errorf("writing a browser's key: %w", err)
	}
	h.decoy(m, KindLogins, "logins", dir+"key4.db", string(store))

	m = k.mint("firefox logins")
	logins, err := firefoxLogins(k, m, key)
	if err != nil {
		return fmt.Errorf("writing a browser's logins: %w", err)
	}
	h.decoy(m, KindLogins, "logins", dir+"logins.json", logins)

	m = k.mint("firefox cookies")
	file, err := database(firefoxCookies(k, m))
	if err != nil {
		return fmt.Errorf("writing a browser's cookies: %w", err)
	}
	binary.BigEndian.PutUint32(file[60:], 16) // the schema's version
	h.decoy(m, KindCookies, "cookies", dir+"cookies.sqlite", string(file))
	return nil
}

func firefoxCookies(k *kit, m *mint) table {
	t := table{
		name: "moz_cookies", create: "CREATE TABLE moz_cookies (id INTEGER PRIMARY KEY, originAttributes TEXT NOT NULL DEFAULT '', name TEXT, " +
			"value TEXT, host TEXT, path TEXT, expiry INTEGER, lastAccessed INTEGER, creationTime INTEGER, isSecure INTEGER, isHttpOnly INTEGER, " +
			"inBrowserElement INTEGER DEFAULT 0, sameSite INTEGER DEFAULT 0, schemeMap INTEGER DEFAULT 0, " +
			"isPartitionedAttributeSet INTEGER DEFAULT 0, CONSTRAINT moz_uniqueid UNIQUE (name, host, path, originAttributes))",
		indexes: []index{{columns: []int{2, 4, 5, 1}}},
	}
	for _, c := range k.cookies(m) {
		t.rows = append(t.rows, []any{
			nil, "", c.name, c.value, c.host, "/", k.now.AddDate(0, 11, 0).Unix(), k.ago(m, 1).UnixMicro(), k.ago(m, 50).UnixMicro(),
			int64(1), int64(1), int64(0), int64(0), int64(2), int64(0),
		})
	}
	return t
}

// encryptedLogin is a text encrypted with the key of that id.
type encryptedLogin struct {
	KeyID []byte
	With  struct {
		Algorithm asn1.ObjectIdentifier
		IV        []byte
	}
	Text []byte
}

// keyID is the same in all profiles.
func keyID() []byte { return append([]byte{0xf8}, append(make([]byte, 14), 1)...) }

func firefoxLogins(k *kit, m *mint, key []byte) (string, error) {
	block, err := des.NewTripleDESCipher(key) //nolint:gosec // see above
	if err != nil {
		return "", err
	}
	encrypt := func(plain string) string {
		s := encryptedLogin{KeyID: keyID(), Text: padded([]byte(plain), des.BlockSize)}
		s.With.Algorithm, s.With.IV = asn1.ObjectIdentifier{1, 2, 840, 113549, 3, 7}, m.bytes(des.BlockSize)
		cipher.NewCBCEncrypter(block, s.With.IV).CryptBlocks(s.Text, s.Text)
		der, failed := asn1.Marshal(s)
		if failed != nil {
			err = failed
		}
		return base64.StdEncoding.EncodeToString(der)
	}
	var entries []string
	for i, l := range k.logins(m) {
		password := encrypt(l.password)
		m.keep(password[encryptedHead:])
		made := k.ago(m, 120).UnixMilli()
		entries = append(entries, fmt.Sprintf(`{"id":%d,"hostname":"%s","httpRealm":null,"formSubmitURL":"%[2]s","usernameField":"login","passwordField":"password","encryptedUsername":"%s","encryptedPassword":"%s","guid":"{%s}","encType":1,"timeCreated":%d,"timeLastUsed":%d,"timePasswordChanged":%[6]d,"timesUsed":%[8]d}`,
			i+1, l.site, encrypt(l.user), password, m.uuid(), made, made+int64(time.Hour/time.Millisecond), 1+m.rng.IntN(60)))
	}
	return fmt.Sprintf(`{"nextId":%d,"logins":[%s],"potentiallyVulnerablePasswords":[],"dismissedBreachAlertsByLoginGUID":{},"version":3}`,
		len(entries)+1, strings.Join(entries, ",")), err
}

// keyStore holds the key under the empty password.
func keyStore(m *mint, key []byte) ([]byte, error) {
	salt := m.bytes(20)
	check, err := underPassword(m, salt, []byte("password-check"))
	if err != nil {
		return nil, err
	}
	encrypted, err := underPassword(m, salt, key)
	if err != nil {
		return nil, err
	}
	m.keep(string(encrypted[len(encrypted)-32:]))
	return database(
		table{
			name: "metaData", create: "CREATE TABLE metaData (id PRIMARY KEY UNIQUE ON CONFLICT REPLACE, item1, item2)",
			rows: [][]any{{"password", salt, check}}, indexes: []index{{columns: []int{0}}},
		},
		table{
			name: "nssPrivate", create: "CREATE TABLE nssPrivate (id PRIMARY KEY UNIQUE ON CONFLICT ABORT, a0, a11, a102)",
			rows: [][]any{{int64(0x2f3a1c54), []byte{0, 0, 0, 4}, encrypted, keyID()}}, indexes: []index{{columns: []int{0}}},
		})
}

// byPassword describes password-based encryption: a key is derived and used
// with AES.
type byPassword struct {
	Scheme struct {
		ID     asn1.ObjectIdentifier
		Params struct {
			Derive struct {
				ID     asn1.ObjectIdentifier
				Params struct {
					Salt        []byte
					Rounds, Len int
					Hash        pkix.AlgorithmIdentifier
				}
			}
			Encrypt struct {
				ID asn1.ObjectIdentifier
				IV []byte
			}
		}
	}
	Text []byte
}

func underPassword(m *mint, storeSalt, plain []byte) ([]byte, error) {
	var b byPassword
	b.Scheme.ID = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 13}
	derive, encrypt := &b.Scheme.Params.Derive, &b.Scheme.Params.Encrypt
	derive.ID = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 5, 12}
	derive.Params.Salt, derive.Params.Rounds, derive.Params.Len = m.bytes(32), 1, 32
	derive.Params.Hash.Algorithm = asn1.ObjectIdentifier{1, 2, 840, 113549, 2, 9}
	encrypt.ID, encrypt.IV = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 1, 42}, m.bytes(14)

	password := sha1.Sum(storeSalt) //nolint:gosec // the user's own password, which is empty, would follow the salt
	key, err := pbkdf2.Key(sha256.New, string(password[:]), derive.Params.Salt, derive.Params.Rounds, derive.Params.Len)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	b.Text = padded(plain, aes.BlockSize)
	iv := append([]byte{4, 14}, encrypt.IV...) // the IV is the encoded field itself
	cipher.NewCBCEncrypter(block, iv).CryptBlocks(b.Text, b.Text)
	return asn1.Marshal(b)
}
