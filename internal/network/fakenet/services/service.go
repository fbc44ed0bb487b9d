package services

import (
	"net/http"
	"strings"
)

// preflight allows a browser every cross-origin request.
func preflight(_ *Services, r *Request) *Answer {
	if r.Method != http.MethodOptions {
		return nil
	}
	a := &Answer{Status: http.StatusNoContent}
	a.with("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
	if r.Header("Origin") == "" {
		return a
	}
	return a.with("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS").
		with("Access-Control-Allow-Headers", "*, Authorization, Content-Type").with("Access-Control-Max-Age", "600")
}

// grpc answers any call with an empty message, which is valid for every type.
func grpc(_ *Services, r *Request) *Answer {
	if r.Version != "2" || !strings.HasPrefix(r.Header("Content-Type"), "application/grpc") {
		return nil
	}
	a := of(http.StatusOK, "application/grpc", make([]byte, 5))
	a.Trailers = []Field{{"grpc-status", "0"}}
	return a
}

// token answers the token request at the end of OAuth flows.
func token(s *Services, r *Request) *Answer {
	if r.Method != http.MethodPost || !hasAny(r.base(), "token") || !hasAny(r.Path, "oauth", "/token", "login", "auth") {
		return nil
	}
	d := s.diceFor(r)
	idToken, client := identity(s, r, d)
	return asJSON(http.StatusOK, object{
		"id_token": idToken, "client_info": client,
		"access_token": "ya29." + letters(d, 80, alphabet), "token_type": "Bearer", "expires_in": 3599,
		"refresh_token": "1//" + letters(d, 60, alphabet), "scope": "openid email profile",
	}).with("Cache-Control", "no-store")
}

// wellKnown answers the paths that clients ask of every host.
func wellKnown(_ *Services, r *Request) *Answer {
	if !r.Reads() {
		return nil
	}
	if found := provider(r); found != nil {
		return found
	}
	switch {
	case r.Path == "/favicon.ico":
		return of(http.StatusOK, "image/x-icon", icon())
	case strings.HasPrefix(r.Path, "/.well-known/"), r.Path == "/sitemap.xml", r.Path == "/robots.txt":
		return Page(http.StatusNotFound)
	}
	return nil
}

// chat accepts messages like the APIs of messengers.
func chat(s *Services, r *Request) *Answer {
	d, host := s.diceFor(r), r.Domain()
	id := d.IntN(900000) + 100000
	switch {
	case strings.HasPrefix(host, "hooks.slack"):
		return plainText("ok")
	case under(host, "slack.com") || strings.HasPrefix(r.Path, "/api/chat."):
		return asJSON(http.StatusOK, object{
			"ok": true, "channel": "C0" + letters(d, 9, "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"), "ts": itoa(s.opts.Now().Unix()) + ".000200",
			"messages": []string{}, "channels": []string{}, "members": []string{}, "response_metadata": object{"next_cursor": ""},
		})
	case strings.HasPrefix(r.Path, "/bot") && strings.Contains(r.Path, ":"):
		if hasAny(strings.ToLower(r.base()), "getupdates") {
			return asJSON(http.StatusOK, object{"ok": true, "result": []string{}})
		}
		return asJSON(http.StatusOK, object{"ok": true, "result": object{"message_id": id, "date": s.opts.Now().Unix(), "chat": object{"id": id * 7, "type": "private"}}})
	case strings.HasPrefix(r.Path, "/api/webhooks/") && r.Method == http.MethodPost:
		return &Answer{Status: http.StatusNoContent}
	}
	return nil
}

// whoami answers services that tell programs their own IP address.
func whoami(s *Services, r *Request) *Answer {
	if !r.Reads() {
		return nil
	}
	host, m := r.Domain(), s.machine()
	switch {
	case hasAny(host, lists().Whoami.Locate...):
		return asJSON(http.StatusOK, object{
			"status": "success", "ip": m.public, "query": m.public, "country": "United States", "countryCode": "US", "region": "VA",
			"regionName": "Virginia", "city": "Ashburn", "timezone": "America/New_York", "isp": "Example Broadband", "org": "AS64500 Example Broadband", "lat": 39.04, "lon": -77.49,
		})
	case hasAny(host, lists().Whoami.Address...) || r.Path == "/ip":
		if r.Query.Get("format") == "json" || strings.Contains(r.Header("Accept"), "json") || strings.HasSuffix(r.Path, "json") {
			return asJSON(http.StatusOK, object{"ip": m.public})
		}
		return plainText(m.public)
	}
	return nil
}

// hostname is the request's host, made safe to put into a reply.
func hostname(r *Request) string {
	if strings.ContainsFunc(r.Host, func(c rune) bool { return !(c < 0x80 && isAlnum(byte(c))) && !strings.ContainsRune(".-_:[]", c) }) {
		return "localhost"
	}
	return r.Host
}
