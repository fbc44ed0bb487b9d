package redact

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/document"
)

// jwtOf writes a token with the claims.
func jwtOf(header, claims string) string {
	e := base64.RawURLEncoding.EncodeToString
	return e([]byte(header)) + "." + e([]byte(claims)) + "." + strings.Repeat("Ab3-", 10)
}

func TestMintKeepsTheShape(t *testing.T) {
	for _, test := range []struct{ name, secret, form string }{
		{"github", "ghp_" + strings.Repeat("aB3", 12), `^ghp_([a-z][A-Z]\d){12}$`},
		{"fine-grained", "github_pat_11ABCDEFG0abcdefghijkl_" + strings.Repeat("Zz9", 19), `^github_pat_\d\d[A-Z]{7}\d[a-z]{12}_([A-Z][a-z]\d){19}$`},
		{"openai", "sk-proj-abcdEFGH1234ijklMNOP", `^sk-proj-[a-z]{4}[A-Z]{4}\d{4}[a-z]{4}[A-Z]{4}$`},
		{"slack", "xoxb-1234567890-0987654321-aBcDeFgHiJ", `^xoxb-\d{10}-\d{10}-([a-z][A-Z]){5}$`},
		{"aws", "AKIAQ2W3E4R5T6Y7ABCD", `^AKIA[A-Z2-7]{16}$`},
		{"hex", "3f2a9c4e5b6d7081", `^[0-9a-f]{16}$`},
		{"upper hex", "3F2A9C4E5B6D7081", `^[0-9A-F]{16}$`},
		{"uuid", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		{"upper uuid", "3F2504E0-4F89-11D3-9A0C-0305E82C3301", `^[0-9A-F]{8}-[0-9A-F]{4}-1[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$`},
		{"password", "Tr0ub4dor&3", `^[A-Z][a-z]\d[a-z]{2}\d[a-z]{3}[!#%^*?~]\d$`},
		{"short", "pw", `^[a-z]{2}$`},
		{"accents", "pässwörd", `^p?[a-z][à-ö÷ø-ÿ][a-z]{3}[à-ö÷ø-ÿ][a-z]{2}$`},
		{"empty", "", `^$`},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := mint(7, "NAME", test.secret)
			if !regexp.MustCompile(test.form).MatchString(got) {
				t.Errorf("%q became %q, which is not of the form %s", test.secret, got, test.form)
			}
			if len(got) != len(test.secret) {
				t.Errorf("%q became %q, of another length", test.secret, got)
			}
			checkGone(t, test.secret, got)
		})
	}
}

// checkGone checks that, except for the public prefix, no part of a secret is
// in its replacement.
func checkGone(t *testing.T, secret, got string) {
	t.Helper()
	secret = strings.TrimPrefix(secret, publicPrefix(secret))
	in := []rune(strings.ToValidUTF8(secret, "?"))
	for at := 0; at < starts(len(in)); at++ {
		part := string(in[at:min(at+survivor, len(in))])
		drawn := 0
		for _, r := range part {
			if classOf(r) != "" {
				drawn++
			}
		}
		if drawn >= min(3, utf8.RuneCountInString(part)) && strings.Contains(got, part) {
			t.Errorf("%q of the secret %q survived in %q", part, secret, got)
			return
		}
	}
}

func TestMintDependsOnSeedAndName(t *testing.T) {
	const one, other = "ghp_abcdefABCDEF123456abcdefABCDEF123456", "ghp_zyxwvuZYXWVU987654zyxwvuZYXWVU987654"
	if a, b := mint(1, "TOKEN", one), mint(1, "TOKEN", other); a != b {
		t.Errorf("two secrets of the same shape became %q and %q: something of them shows", a, b)
	}
	if mint(1, "TOKEN", one) == mint(2, "TOKEN", one) {
		t.Error("the seed makes no difference")
	}
	if mint(1, "TOKEN", one) == mint(1, "OTHER", one) {
		t.Error("the name makes no difference")
	}
}

func TestMintJWT(t *testing.T) {
	for _, claims := range []string{
		`{"sub":"alice","email":"alice@corp.example","exp":1900000000}`,
		`{"jti":"x","role":"service_role","iss":"supabase","ref":"abcdefghijklmnopqrst"}`,
		`{}`, `{"a":1}`, `{"nonce":"` + strings.Repeat("ab", 300) + `"}`,
	} {
		for _, header := range []string{`{"alg":"HS256","typ":"JWT"}`, `{"alg":"RS256","typ":"JWT","kid":"the-private-key-id"}`, `{"alg":"none"}`} {
			secret := jwtOf(header, claims)
			parts := strings.Split(mint(3, "JWT", secret), ".")
			if len(parts) != 3 {
				t.Fatalf("%q has %d parts", parts, len(parts))
			}
			for _, part := range parts[:2] {
				data, err := base64.RawURLEncoding.DecodeString(part)
				if err != nil || !json.Valid(data) {
					t.Errorf("part %q does not decode to JSON", part)
				}
				if strings.Contains(string(data), "alice") || strings.Contains(string(data), "key-id") {
					t.Errorf("part %q still tells of the secret", data)
				}
			}
			was := strings.Split(secret, ".")
			if len(parts[1]) != len(was[1]) {
				t.Errorf("the claims had %d characters and have %d", len(was[1]), len(parts[1]))
			}
			if len(claims) > 8 {
				checkGone(t, was[1], parts[1])
			}
			checkGone(t, was[2], parts[2])
		}
	}
}

// TestMintLongSecrets has secrets of which chance would bring parts back: long
// ones with a small alphabet.
func TestMintLongSecrets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, alphabet := range []string{"0123456789", "abcdef", "01", "a", "a1-", "0123456789abcdef"} {
		for _, n := range []int{6, 60, 2000, document.MaxWord} {
			secret := make([]byte, n)
			for i := range secret {
				secret[i] = alphabet[rng.IntN(len(alphabet))]
			}
			got := reshape(shapeRand(1, "x"), string(secret))
			if got == "" {
				t.Errorf("%d characters of %q: nothing came of it", n, alphabet)
			}
			known := windows([]rune(string(secret)), classesOf([]rune(string(secret))))
			if again := survivors(known, []rune(got), classesOf([]rune(string(secret)))); got != "" && len(again) > 0 {
				t.Errorf("%d characters of %q: %d parts survived", n, alphabet, len(again))
			}
		}
	}
}

func FuzzMint(f *testing.F) {
	f.Add(uint64(1), "TOKEN", "ghp_abcdefABCDEF123456abcdefABCDEF123456")
	f.Add(uint64(1), "", "3f2504e0-4f89-41d3-9a0c-0305e82c3301")
	f.Add(uint64(9), "PW", "000000")
	f.Add(uint64(9), "PW", "\xff\xfe a-b_c.d")
	f.Add(uint64(2), "JWT", jwtOf(`{"alg":"HS256"}`, `{"sub":"alice"}`))
	f.Fuzz(func(t *testing.T, seed uint64, name, secret string) {
		if len(secret) > 4<<10 {
			return
		}
		got := mint(seed, name, secret)
		if got != mint(seed, name, secret) {
			t.Error("the same secret became two things")
		}
		if !utf8.ValidString(got) {
			t.Errorf("%q is not valid UTF-8", got)
		}
		if strings.Count(secret, ".") == 2 && isJWTObject(strings.Split(secret, ".")[0]) {
			return // its header may be a common one
		}
		if utf8.ValidString(secret) && got != "" && len(got) != len(secret) {
			t.Errorf("%q became %q, of another length", secret, got)
		}
		checkGone(t, secret, got)
	})
}
