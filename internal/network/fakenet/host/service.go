package host

import (
	"net/http"
	"strings"
)

// preflight allows a browser everything.
func preflight(_ *session, r *request) *answer {
	if r.method != http.MethodOptions {
		return nil
	}
	a := &answer{status: http.StatusNoContent}
	a.with("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
	if r.header("Origin") == "" {
		return a
	}
	return a.with("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS").
		with("Access-Control-Allow-Headers", "*, Authorization, Content-Type").with("Access-Control-Max-Age", "600")
}

// grpc answers any call with an empty message, which is valid whatever the
// type.
func grpc(_ *session, r *request) *answer {
	if r.version != "2" || !strings.HasPrefix(r.header("Content-Type"), "application/grpc") {
		return nil
	}
	a := of(http.StatusOK, "application/grpc", make([]byte, 5))
	a.trailers = []field{{"grpc-status", "0"}}
	return a
}

// token is the end of OAuth flows.
func token(s *session, r *request) *answer {
	if r.method != http.MethodPost || !hasAny(r.base(), "token") || !hasAny(r.path, "oauth", "/token", "login", "auth") {
		return nil
	}
	d := s.dice(r)
	return asJSON(http.StatusOK, object{
		"access_token": "ya29." + letters(d, 80, alphabet), "token_type": "Bearer", "expires_in": 3599,
		"refresh_token": "1//" + letters(d, 60, alphabet), "scope": "openid email profile",
	}).with("Cache-Control", "no-store")
}

// wellKnown are the paths every host has, or has not.
func wellKnown(_ *session, r *request) *answer {
	if !r.reads() {
		return nil
	}
	switch {
	case r.path == "/robots.txt":
		return plainText("User-agent: *\nDisallow: /admin/\n")
	case r.path == "/favicon.ico":
		return of(http.StatusOK, "image/x-icon", icon())
	case strings.HasPrefix(r.path, "/.well-known/openid-configuration"):
		at := "https://" + hostname(r)
		return asJSON(http.StatusOK, object{
			"issuer": at, "authorization_endpoint": at + "/oauth/authorize", "token_endpoint": at + "/oauth/token",
			"jwks_uri": at + "/oauth/jwks", "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
			"id_token_signing_alg_values_supported": []string{"RS256"},
		})
	case strings.HasPrefix(r.path, "/.well-known/"), r.path == "/sitemap.xml":
		return page(http.StatusNotFound)
	}
	return nil
}

// chat takes messages as the APIs of messengers do.
func chat(s *session, r *request) *answer {
	d, host := s.dice(r), r.domain()
	id := d.IntN(900000) + 100000
	switch {
	case strings.HasPrefix(host, "hooks.slack"):
		return plainText("ok")
	case under(host, "slack.com") || strings.HasPrefix(r.path, "/api/chat."):
		return asJSON(http.StatusOK, object{
			"ok": true, "channel": "C0" + letters(d, 9, "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"), "ts": itoa(s.h.o.Now().Unix()) + ".000200",
			"messages": []string{}, "channels": []string{}, "members": []string{}, "response_metadata": object{"next_cursor": ""},
		})
	case strings.HasPrefix(r.path, "/bot") && strings.Contains(r.path, ":"):
		if hasAny(strings.ToLower(r.base()), "getupdates") {
			return asJSON(http.StatusOK, object{"ok": true, "result": []string{}})
		}
		return asJSON(http.StatusOK, object{"ok": true, "result": object{"message_id": id, "date": s.h.o.Now().Unix(), "chat": object{"id": id * 7, "type": "private"}}})
	case strings.HasPrefix(r.path, "/api/webhooks/") && r.method == http.MethodPost:
		return &answer{status: http.StatusNoContent}
	}
	return nil
}

// whoami are the services programs ask for their own address.
func whoami(s *session, r *request) *answer {
	if !r.reads() {
		return nil
	}
	host, m := r.domain(), s.h.machine()
	switch {
	case hasAny(host, "ip-api", "ipinfo", "ipapi", "geoip"):
		return asJSON(http.StatusOK, object{
			"status": "success", "ip": m.public, "query": m.public, "country": "United States", "countryCode": "US", "region": "VA",
			"regionName": "Virginia", "city": "Ashburn", "timezone": "America/New_York", "isp": "Example Broadband", "org": "AS64500 Example Broadband", "lat": 39.04, "lon": -77.49,
		})
	case hasAny(host, "ipify", "ifconfig", "icanhazip", "checkip", "myip", "ident.me") || r.path == "/ip":
		if r.query.Get("format") == "json" || strings.Contains(r.header("Accept"), "json") || strings.HasSuffix(r.path, "json") {
			return asJSON(http.StatusOK, object{"ip": m.public})
		}
		return plainText(m.public)
	}
	return nil
}

// hostname is the host as far as it can be put into a reply.
func hostname(r *request) string {
	if strings.ContainsFunc(r.host, func(c rune) bool { return !(c < 0x80 && isAlnum(byte(c))) && !strings.ContainsRune(".-_:[]", c) }) {
		return "localhost"
	}
	return r.host
}
