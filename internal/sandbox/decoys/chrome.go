package decoys

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1" //nolint:gosec // what the browser derives its key with
	"crypto/sha256"
	"fmt"
	"time"
)

const chromeDir = ".config/google-chrome/"

// chrome is a browser's profile. Without a key ring, the browser encrypts with
// a publicly known password, and thieves decrypt with it. So the tokens are the
// encrypted and the plain values.
func chrome(k *kit, h *Home) error {
	lock, err := chromeLock()
	if err != nil {
		return fmt.Errorf("making a browser's key: %w", err)
	}
	for _, f := range []struct {
		name, kind, prefix string
		tables             func(*kit, *mint, func(string) []byte) []table
	}{
		{"Cookies", KindCookies, "cookies", chromeCookies},
		{"Login Data", KindLogins, "logins", chromeLogins},
	} {
		m := k.mint("chrome " + f.name)
		file, err := database(f.tables(k, m, lock)...)
		if err != nil {
			return fmt.Errorf("writing a browser's %s: %w", f.name, err)
		}
		h.decoy(m, f.kind, f.prefix, chromeDir+"Default/"+f.name, string(file))
	}
	h.plain(chromeDir+"Local State", 0o600, fmt.Sprintf(`{"browser":{"enabled_labs_experiments":[]},"profile":{"info_cache":{"Default":{"active_time":%d.0,"gaia_name":"%s %s","name":"%[2]s","user_name":"%[4]s"}},"last_used":"Default"}}`,
		k.now.Unix()-1800, k.who.first, k.who.last, k.who.email))
	return nil
}

// chromeLock returns the encryption function.
func chromeLock() (func(string) []byte, error) {
	key, err := pbkdf2.Key(sha1.New, "peanuts", []byte("saltysalt"), 1, 16)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return func(plain string) []byte {
		out := padded([]byte(plain), aes.BlockSize)
		cipher.NewCBCEncrypter(block, bytes.Repeat([]byte{' '}, aes.BlockSize)).CryptBlocks(out, out)
		return append([]byte("v10"), out...)
	}, nil
}

// padded fills up the last block with the number of missing bytes.
func padded(b []byte, size int) []byte {
	n := size - len(b)%size
	return append(bytes.Clone(b), bytes.Repeat([]byte{byte(n)}, n)...)
}

// chromeTime counts microseconds from 1601.
func chromeTime(t time.Time) int64 { return t.UnixMicro() + 11644473600000000 }

func chromeMeta(version string) table {
	return table{
		name: "meta", create: "CREATE TABLE meta(key LONGVARCHAR NOT NULL UNIQUE PRIMARY KEY, value LONGVARCHAR)",
		rows:    [][]any{{"mmap_status", "-1"}, {"version", version}, {"last_compatible_version", version}},
		indexes: []index{{columns: []int{0}}},
	}
}

// cookie is a site's login cookie.
type cookie struct{ host, name, value string }

func (k *kit) cookies(m *mint) []cookie {
	return []cookie{
		{"github.com", "user_session", m.secret("", 48, urlsafe)},
		{"github.com", "__Host-user_session_same_site", m.secret("", 48, urlsafe)},
		{".slack.com", "d", m.secret("xoxd-", 146, alnum)},
		{".google.com", "__Secure-1PSID", m.secret("g.a000", 147, urlsafe)},
		{".google.com", "SAPISID", m.keep(m.text(16, urlsafe) + "/A" + m.text(16, urlsafe))},
		{".amazon.com", "at-main", m.secret("Atza|Iw", 240, urlsafe)},
		{".linkedin.com", "li_at", m.secret("AQED", 148, urlsafe)},
		{"intranet." + k.who.domain, "JSESSIONID", m.secret("", 32, "0123456789ABCDEF")},
	}
}

func chromeCookies(k *kit, m *mint, lock func(string) []byte) []table {
	t := table{
		name: "cookies", create: "CREATE TABLE cookies(creation_utc INTEGER NOT NULL,host_key TEXT NOT NULL,top_frame_site_key TEXT NOT NULL," +
			"name TEXT NOT NULL,value TEXT NOT NULL,encrypted_value BLOB NOT NULL,path TEXT NOT NULL,expires_utc INTEGER NOT NULL," +
			"is_secure INTEGER NOT NULL,is_httponly INTEGER NOT NULL,last_access_utc INTEGER NOT NULL,has_expires INTEGER NOT NULL," +
			"is_persistent INTEGER NOT NULL,priority INTEGER NOT NULL,samesite INTEGER NOT NULL,source_scheme INTEGER NOT NULL," +
			"source_port INTEGER NOT NULL,last_update_utc INTEGER NOT NULL,source_type INTEGER NOT NULL,has_cross_site_ancestor INTEGER NOT NULL)",
		indexes: []index{{
			name: "cookies_unique_index",
			create: "CREATE UNIQUE INDEX cookies_unique_index ON cookies(host_key, top_frame_site_key, has_cross_site_ancestor, " +
				"name, path, source_scheme, source_port)",
			columns: []int{1, 2, 19, 3, 6, 15, 16},
		}},
	}
	for _, c := range k.cookies(m) {
		made, used := chromeTime(k.ago(m, 40)), chromeTime(k.ago(m, 1))
		site := sha256.Sum256([]byte(c.host)) // binds a value to its site
		secret := lock(string(site[:]) + c.value)
		m.keep(string(secret[len(secret)-48:]))
		t.rows = append(t.rows, []any{
			made, c.host, "", c.name, "", secret, "/", chromeTime(k.now.AddDate(0, 11, 0)),
			int64(1), int64(1), used, int64(1), int64(1), int64(1), int64(-1), int64(2), int64(443), used, int64(1), int64(0),
		})
	}
	return []table{chromeMeta("24"), t}
}

// login is a stored password of a site.
type login struct{ site, user, password string }

func (k *kit) logins(m *mint) []login {
	return []login{
		{"https://github.com", k.who.login, m.password()},
		{"https://signin.aws.amazon.com", k.who.email, m.password()},
		{"https://accounts.google.com", k.who.email, m.password()},
		{"https://intranet." + k.who.domain, k.who.login, m.password()},
		{"https://jira." + k.who.domain, k.who.login, m.password()},
	}
}

func chromeLogins(k *kit, m *mint, lock func(string) []byte) []table {
	t := table{
		name: "logins", create: "CREATE TABLE logins (origin_url VARCHAR NOT NULL, action_url VARCHAR, username_element VARCHAR, " +
			"username_value VARCHAR, password_element VARCHAR, password_value BLOB, submit_element VARCHAR, signon_realm VARCHAR NOT NULL, " +
			"date_created INTEGER NOT NULL, blacklisted_by_user INTEGER NOT NULL, scheme INTEGER NOT NULL, password_type INTEGER, " +
			"times_used INTEGER, id INTEGER PRIMARY KEY AUTOINCREMENT, date_last_used INTEGER NOT NULL DEFAULT 0, " +
			"date_password_modified INTEGER NOT NULL DEFAULT 0, " +
			"UNIQUE (origin_url, username_element, username_value, password_element, signon_realm))",
		indexes: []index{{columns: []int{0, 2, 3, 4, 7}}},
	}
	for _, l := range k.logins(m) {
		made := chromeTime(k.ago(m, 90))
		secret := lock(l.password)
		m.keep(string(secret[len("v10"):]))
		t.rows = append(t.rows, []any{
			l.site + "/login", l.site + "/session", "login", l.user, "password", secret, "", l.site + "/",
			made, int64(0), int64(0), int64(0), int64(3 + m.rng.IntN(80)), nil, chromeTime(k.ago(m, 3)), made,
		})
	}
	counter := table{
		name: "sqlite_sequence", create: "CREATE TABLE sqlite_sequence(name,seq)",
		rows: [][]any{{"logins", int64(len(t.rows))}},
	}
	return []table{chromeMeta("40"), t, counter}
}
