package services

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// provider describes an OpenID provider, for every tenant of it.
func provider(r *Request) *Answer {
	const openID, oauth = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"
	before, _, found := strings.Cut(r.Path, openID)
	if !found {
		if before, _, found = strings.Cut(r.Path, oauth); !found || before == "" {
			return nil // a host that never said that it has one
		}
	}
	tenant := path.Clean("/" + before)
	if !isTenant(tenant) {
		tenant = "/"
	}
	at := "https://" + hostname(r) + strings.TrimSuffix(tenant, "/")
	return asJSON(http.StatusOK, object{
		"issuer": at, "authorization_endpoint": at + "/oauth/authorize", "token_endpoint": at + "/oauth/token",
		"device_authorization_endpoint": at + "/oauth/devicecode", "userinfo_endpoint": at + "/oauth/userinfo", "end_session_endpoint": at + "/oauth/logout",
		"jwks_uri": at + "/oauth/jwks", "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"}, "code_challenge_methods_supported": []string{"S256"},
		"grant_types_supported": []string{"authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"},
	})
}

// isTenant reports whether the beginning of a path is one that providers use: of what a
// client made up nothing is repeated.
func isTenant(path string) bool {
	switch path {
	case "/common", "/organizations", "/consumers", "/common/v2.0", "/organizations/v2.0", "/consumers/v2.0", "/oauth2/default", "/realms/master":
		return true
	}
	return false
}

// deviceCode begins a sign-in on another device, which the user confirms at once.
func deviceCode(s *Services, r *Request) *Answer {
	if r.Method != http.MethodPost || !hasAny(strings.ToLower(r.Path), "/devicecode", "/device/code", "/device_authorization", "/device_authorize") {
		return nil
	}
	d := s.diceFor(r)
	user, at := letters(d, 9, "BCDFGHJKLMNPQRSTVWXZ"), "https://"+hostname(r)+"/device"
	fields := object{
		"device_code": letters(d, 40, alphabet), "user_code": user, "verification_uri": at, "verification_url": at, "expires_in": 900, "interval": 1,
		"message": "To sign in, open the page " + at + " and enter the code " + user + ".",
	}
	if hasAny(r.Header("Accept"), "json") || !under(r.Domain(), "github.com") {
		return asJSON(http.StatusOK, fields)
	}
	return asForm(fields, "device_code", "user_code", "verification_uri")
}

// asForm answers with some fields as GitHub does without an Accept header.
func asForm(fields object, names ...string) *Answer {
	values := url.Values{"expires_in": {"900"}, "interval": {"1"}}
	for _, name := range names {
		if text, ok := fields[name].(string); ok {
			values.Set(name, text)
		}
	}
	return of(http.StatusOK, "application/x-www-form-urlencoded", []byte(values.Encode()))
}

// identity is who signed in: a token with claims, as all providers have it, and what
// Microsoft's have beside it. Nothing is signed.
func identity(s *Services, r *Request, d *rand.Rand) (token, client string) {
	encode := func(v object) string {
		raw, err := json.Marshal(v)
		if err != nil {
			return ""
		}
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	const user, tenant = "9f4c2d51-6a3e-4b7c-8d20-5e1f3a7b9c64", "3c8e5a17-2b94-4d6f-a1c3-7f0e9d2b5846"
	claims := object{
		"iss": "https://" + hostname(r), "sub": user, "oid": user, "tid": tenant, "ver": "2.0", "name": "Alex Doe", "email": "alex@example.com",
		"preferred_username": "alex@example.com", "iat": s.opts.Now().Unix(), "exp": s.opts.Now().Unix() + 3599,
	}
	token = encode(object{"alg": "RS256", "typ": "JWT", "kid": "1"}) + "." + encode(claims) + "." + letters(d, 86, alphabet)
	return token, encode(object{"uid": user, "utid": tenant})
}
