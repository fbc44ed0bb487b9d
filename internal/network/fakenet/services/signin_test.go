package services_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestSignInByDeviceCode(t *testing.T) {
	for _, tt := range []struct{ method, path, accept, body, want string }{
		{http.MethodGet, "/common/v2.0/.well-known/openid-configuration", "", "", `"token_endpoint":"https://node.a.example/common/v2.0/oauth/token"`},
		{http.MethodGet, "/a-secret/.well-known/openid-configuration", "", "", `"token_endpoint":"https://node.a.example/oauth/token"`},
		{http.MethodPost, "/common/oauth2/v2.0/devicecode", "", "client_id=a-secret", `"user_code":`},
		{http.MethodPost, "/common/oauth2/v2.0/token", "", "grant_type=device_code&client_id=a-secret", `"client_info":`},
	} {
		a := ask(nil, tt.method, tt.path, tt.accept, tt.body)
		if a == nil || !strings.Contains(string(a.Body), tt.want) || strings.Contains(string(a.Body), "a-secret") {
			t.Errorf("%s %s: %+v", tt.method, tt.path, a)
		}
	}
}
