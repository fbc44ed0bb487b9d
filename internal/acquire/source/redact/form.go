package redact

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// publicPrefixes begin the keys of well-known services. They reveal the
// service, and nothing of the key.
func publicPrefixes() []string {
	return []string{
		"github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "glpat-", "gldt-", "glrt-",
		"sk-ant-api03-", "sk-ant-oat01-", "sk-ant-admin01-", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-or-v1-", "sk-lf-", "pk-lf-", "sk-",
		"sk_live_", "sk_test_", "pk_live_", "pk_test_", "rk_live_", "rk_test_", "whsec_",
		"xoxb-", "xoxp-", "xoxa-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xoxp-", "xapp-",
		"AKIA", "ASIA", "AIza", "ya29.", "GOCSPX-", "1//0",
		"hf_", "r8_", "gsk_", "xai-", "pplx-", "nvapi-", "tvly-", "fc-", "BSA", "csk-",
		"npm_", "pypi-AgEIcHlwaS5vcmc", "dckr_pat_", "dop_v1_", "doo_v1_", "vercel_",
		"shpat_", "shpca_", "shppa_", "shpss_", "lin_api_", "lin_oauth_", "ntn_", "secret_", "figd_", "figo_",
		"pat-na1-", "pat-eu1-", "SG.", "key-", "EAA", "sq0atp-", "sq0csp-", "sbp_", "sb_secret_", "sb_publishable_",
		"ATATT3xFfGF0", "ATCTT3xFfGF0", "glsa_", "phc_", "phx_", "dapi", "NRAK-", "sntrys_", "sntryu_", "PMAK-", "rnd_", "re_", "apify_api_",
	}
}

// publicPrefix returns the longest known prefix of a secret that is followed by
// enough characters for a key.
func publicPrefix(secret string) string {
	const least = 12
	longest := ""
	for _, p := range publicPrefixes() {
		if len(p) > len(longest) && strings.HasPrefix(secret, p) && len(secret) >= len(p)+least {
			longest = p
		}
	}
	return longest
}

var uuidForm = lazyregexp.New(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)

func isUUID(s string) bool { return uuidForm.MatchString(s) }

// mintUUID keeps the case, the version and a valid variant.
func mintUUID(rng *rand.Rand, secret string) string {
	const hexDigits = "0123456789abcdef"
	lower := strings.ToLower(secret)
	for {
		out := []byte(lower)
		for i, c := range out {
			if c != '-' {
				out[i] = hexDigits[rng.IntN(len(hexDigits))]
			}
		}
		out[14] = lower[14]
		out[19] = "89ab"[rng.IntN(4)]
		if !survives(lower, string(out)) {
			if secret != lower {
				return strings.ToUpper(string(out))
			}
			return string(out)
		}
	}
}

// survives reports whether any part of secret is in text.
func survives(secret, text string) bool {
	for at := 0; at+survivor <= len(secret); at++ {
		if strings.Contains(text, secret[at:at+survivor]) {
			return true
		}
	}
	return len(secret) > 0 && len(secret) < survivor && strings.Contains(text, secret)
}

// maxJWT bounds the tokens that are decoded.
// no gap: hides the user's own secrets; it finds nothing about the server
const maxJWT = 8 << 10

// mintJWT makes a token of the same length whose header and claims can be
// decoded: the usual header, and one fake claim.
func mintJWT(rng *rand.Rand, secret string) (string, bool) {
	parts := strings.Split(secret, ".")
	if len(parts) != 3 || len(secret) > maxJWT || !isJWTObject(parts[0]) || !isJWTObject(parts[1]) {
		return "", false
	}
	header := jwtHeader(parts[0])
	claims := mintClaims(rng, parts[1])
	return header + "." + claims + "." + reshape(rng, parts[2]), true
}

func isJWTObject(part string) bool {
	data, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Valid(data) && strings.HasPrefix(strings.TrimSpace(string(data)), "{")
}

// jwtHeader keeps the header if it is a common one.
func jwtHeader(part string) string {
	data, err := base64.RawURLEncoding.DecodeString(part)
	var header struct{ Alg, Typ string }
	if err != nil || json.Unmarshal(data, &header) != nil {
		header.Alg = ""
	}
	for _, alg := range []string{"HS256", "HS384", "HS512", "RS256", "ES256", "EdDSA"} {
		if header.Alg != alg {
			continue
		}
		if slices.Contains([]string{
			`{"alg":"` + alg + `","typ":"JWT"}`, `{"typ":"JWT","alg":"` + alg + `"}`, `{"alg":"` + alg + `"}`,
		}, string(data)) {
			return part
		}
		return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"` + alg + `","typ":"JWT"}`))
	}
	return base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
}

func mintClaims(rng *rand.Rand, part string) string {
	n := base64.RawURLEncoding.DecodedLen(len(part))
	for _, claim := range []string{"sub", "jti", "azp", "nonce", "uid"} {
		around := `{"` + claim + `":""}`
		fill := make([]rune, max(0, n-len(around)))
		for i := range fill {
			fill[i] = classLower.draw(rng, 0)
		}
		text := `{"` + claim + `":"` + string(fill) + `"}`
		if n < len(around) {
			text = "{" + strings.Repeat(" ", max(0, n-2)) + "}"
		}
		if out := base64.RawURLEncoding.EncodeToString([]byte(text)); !survives(part, out) {
			return out
		}
	}
	return base64.RawURLEncoding.EncodeToString([]byte("{" + strings.Repeat("\t", max(0, n-2)) + "}"))
}
