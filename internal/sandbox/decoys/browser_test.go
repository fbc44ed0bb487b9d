package decoys

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/des"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func decoyAt(t *testing.T, home Home, suffix string) mcpsf.Decoy {
	t.Helper()
	for _, d := range home.Decoys {
		if strings.HasSuffix(d.Path, suffix) {
			return d
		}
	}
	t.Fatalf("no %s", suffix)
	return mcpsf.Decoy{}
}

// unlock decrypts as a thief does, with the password that all browsers share.
func unlock(t *testing.T, block cipher.Block, iv, secret []byte) []byte {
	t.Helper()
	if len(secret) == 0 || len(secret)%block.BlockSize() != 0 {
		t.Fatalf("%d bytes are no blocks", len(secret))
	}
	plain := make([]byte, len(secret))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, secret)
	pad := int(plain[len(plain)-1])
	if pad == 0 || pad > block.BlockSize() || !bytes.Equal(plain[len(plain)-pad:], bytes.Repeat([]byte{byte(pad)}, pad)) {
		t.Fatalf("padding is wrong: %x", plain)
	}
	return plain[:len(plain)-pad]
}

func chromeValue(t *testing.T, text string) string {
	t.Helper()
	secret, err := hex.DecodeString(text)
	if err != nil || !bytes.HasPrefix(secret, []byte("v10")) {
		t.Fatalf("%q is not encrypted", text)
	}
	key, err := pbkdf2.Key(sha1.New, "peanuts", []byte("saltysalt"), 1, 16)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return string(unlock(t, block, []byte(strings.Repeat(" ", 16)), secret[3:]))
}

func TestChromeCookies(t *testing.T) {
	d := decoyAt(t, mustMint(t, 40), "google-chrome/Default/Cookies")
	rows := strings.Split(strings.TrimSpace(query(t, d.Content, "SELECT host_key, hex(encrypted_value) FROM cookies WHERE name != '' AND value = '' AND is_secure")), "\n")
	if len(rows) != 8 {
		t.Fatalf("%d cookies", len(rows))
	}
	for _, row := range rows {
		host, secret, _ := strings.Cut(row, "|")
		plain, site := chromeValue(t, secret), sha256.Sum256([]byte(host))
		value, ok := strings.CutPrefix(plain, string(site[:]))
		if !ok || !hasToken(d.Tokens, value) {
			t.Errorf("cookie of %s is %q, which is no token", host, plain)
		}
	}
	got := query(t, d.Content, "PRAGMA integrity_check",
		"SELECT count(*) FROM cookies INDEXED BY cookies_unique_index WHERE host_key = 'github.com' AND top_frame_site_key = ''",
		"SELECT value FROM meta WHERE key = 'version'",
		// about 2031 in the browser's time
		"SELECT min(expires_utc > 13570000000000000 AND expires_utc < 13650000000000000 AND creation_utc < last_access_utc) FROM cookies")
	if want := "ok\n2\n24\n1\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestChromeLogins(t *testing.T) {
	d := decoyAt(t, mustMint(t, 41), "google-chrome/Default/Login Data")
	for row := range strings.Lines(query(t, d.Content, "SELECT hex(password_value) FROM logins")) {
		if plain := chromeValue(t, strings.TrimSpace(row)); !slices.Contains(d.Tokens, plain) {
			t.Errorf("password %q is no token", plain)
		}
	}
	got := query(t, d.Content, "PRAGMA integrity_check", "SELECT count(*), min(id), max(id) FROM logins", "SELECT name, seq FROM sqlite_sequence",
		"SELECT username_value != '' FROM logins WHERE origin_url = 'https://github.com/login'",
		"INSERT INTO logins (origin_url, signon_realm, date_created, blacklisted_by_user, scheme) VALUES ('x', 'x', 1, 0, 0)",
		"SELECT max(id) FROM logins", "PRAGMA integrity_check")
	if want := "ok\n5|1|5\nlogins|5\n1\n6\nok\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestFirefoxCookies(t *testing.T) {
	d := decoyAt(t, mustMint(t, 42), "/cookies.sqlite")
	for value := range strings.Lines(query(t, d.Content, "SELECT value FROM moz_cookies")) {
		if !hasToken(d.Tokens, value) {
			t.Errorf("cookie %q is no token", value)
		}
	}
	got := query(t, d.Content, "PRAGMA integrity_check", "PRAGMA user_version",
		"SELECT count(*) FROM moz_cookies WHERE name = 'user_session' AND host = 'github.com'", "SELECT count(*), max(id) FROM moz_cookies")
	if want := "ok\n16\n1\n8|8\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestFirefoxLogins decrypts the passwords from the two files.
func TestFirefoxLogins(t *testing.T) {
	home := mustMint(t, 43)
	store := decoyAt(t, home, "/key4.db").Content
	parts := strings.Split(strings.TrimSpace(query(t, store, "PRAGMA integrity_check",
		"SELECT hex(item1), hex(item2) FROM metaData WHERE id = 'password'", "SELECT hex(a11), hex(a102) FROM nssPrivate")), "\n")
	if len(parts) != 3 || parts[0] != "ok" {
		t.Fatalf("store says %q", parts)
	}
	salt, check, _ := strings.Cut(parts[1], "|")
	encrypted, id, _ := strings.Cut(parts[2], "|")
	if got := openUnderPassword(t, salt, check); string(got) != "password-check" {
		t.Errorf("the check says %q", got)
	}
	block, err := des.NewTripleDESCipher(openUnderPassword(t, salt, encrypted))
	if err != nil {
		t.Fatal(err)
	}

	logins := decoyAt(t, home, "/logins.json")
	var file struct {
		Logins []struct{ Hostname, EncryptedUsername, EncryptedPassword string }
		NextID int
	}
	parseJSON(t, logins.Content, &file)
	if len(file.Logins) != 5 || file.NextID != 6 {
		t.Fatalf("%+v", file)
	}
	open := func(text string) string {
		der, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		var s encryptedLogin
		if rest, err := asn1.Unmarshal(der, &s); err != nil || len(rest) != 0 {
			t.Fatalf("%v, %d bytes follow", err, len(rest))
		}
		if got := strings.ToUpper(hex.EncodeToString(s.KeyID)); got != id {
			t.Errorf("key %s is wanted, key %s is there", got, id)
		}
		return string(unlock(t, block, s.With.IV, s.Text))
	}
	for _, l := range file.Logins {
		if user := open(l.EncryptedUsername); user == "" {
			t.Errorf("nobody logs in to %s", l.Hostname)
		}
		if password := open(l.EncryptedPassword); !slices.Contains(logins.Tokens, password) {
			t.Errorf("password %q of %s is no token", password, l.Hostname)
		}
	}
}

func openUnderPassword(t *testing.T, salt, text string) []byte {
	t.Helper()
	global, err := hex.DecodeString(salt)
	if err != nil {
		t.Fatal(err)
	}
	der, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var b byPassword
	if rest, err := asn1.Unmarshal(der, &b); err != nil || len(rest) != 0 {
		t.Fatalf("%v, %d bytes follow", err, len(rest))
	}
	password := sha1.Sum(global)
	derive := b.Scheme.Params.Derive.Params
	key, err := pbkdf2.Key(sha256.New, string(password[:]), derive.Salt, derive.Rounds, derive.Len)
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	return unlock(t, block, append([]byte{4, 14}, b.Scheme.Params.Encrypt.IV...), b.Text)
}

// hasToken reports whether a value contains one of the tokens.
func hasToken(tokens []string, value string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return strings.Contains(value, t) })
}
