package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"
)

// deviceGrant is the name of the device flow.
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// authority is a small but real authorization server, with the MCP server that
// trusts it. Its fields change its behaviour.
type authority struct {
	*httptest.Server

	silent     bool   // no resource_metadata in the challenge
	noResource bool   // no resource metadata
	noServer   bool   // no metadata of the authorization server
	openID     bool   // metadata at the OpenID Connect address
	resource   string // a resource other than the server
	issuer     string // another issuer
	noPKCE     bool
	methods    []string
	scope      string // scope in the challenge
	more       string // scope required for the second request
	grants     []string
	clear      bool // token endpoint without TLS
	pending    int  // how often the device flow answers "pending"
	shortLived bool // the first token is valid for one request
	never      bool // no token is ever accepted

	mu        sync.Mutex
	codes     map[string]url.Values
	tokens    map[string]string // scope by token
	asked     []url.Values      // requests to the token endpoint
	visited   []url.Values
	paths     []string
	registers int
	served    int
}

func newAuthority(t *testing.T, a *authority) *authority {
	t.Helper()
	a.codes, a.tokens = map[string]url.Values{}, map[string]string{}
	a.Server = httptest.NewTLSServer(a)
	t.Cleanup(a.Close)
	return a
}

func (a *authority) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paths = append(a.paths, r.URL.Path)
	switch r.URL.Path {
	case "/mcp":
		a.mcp(w, r)
	case "/.well-known/oauth-protected-resource/mcp":
		a.aboutResource(w)
	case "/.well-known/oauth-authorization-server/as", "/.well-known/oauth-authorization-server":
		a.aboutServer(w, a.noServer || a.openID)
	case "/as/.well-known/openid-configuration":
		a.aboutServer(w, a.noServer || !a.openID)
	case "/authorize":
		a.authorize(w, r)
	case "/token":
		a.token(w, r)
	case "/register":
		a.registers++
		method := ""
		if len(a.methods) > 0 {
			method = a.methods[0]
		}
		reply(w, map[string]any{"client_id": "registered", "client_secret": secretFor(method), "token_endpoint_auth_method": method})
	case "/device":
		reply(w, map[string]any{"device_code": "device-secret", "user_code": "ABCD-EFGH", "verification_uri": a.URL + "/enter", "interval": 1, "expires_in": 30})
	default:
		http.NotFound(w, r)
	}
}

func secretFor(method string) string {
	if method == "" || method == "none" {
		return ""
	}
	return "registered-secret"
}

func (a *authority) mcp(w http.ResponseWriter, r *http.Request) {
	bearer := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	scope, ok := a.tokens[bearer]
	switch {
	case !ok || a.never:
		challenge := `Bearer error="invalid_token"`
		if !a.silent {
			challenge += fmt.Sprintf(`, resource_metadata="%s/.well-known/oauth-protected-resource/mcp"`, a.URL)
		}
		if a.scope != "" {
			challenge += fmt.Sprintf(`, scope="%s"`, a.scope)
		}
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusUnauthorized)
	case a.more != "" && !strings.Contains(scope, a.more):
		w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer error="insufficient_scope", scope="%s"`, a.more))
		w.WriteHeader(http.StatusForbidden)
	default:
		a.served++
		if a.shortLived && a.served == 1 {
			delete(a.tokens, bearer)
		}
		fmt.Fprint(w, "welcome")
	}
}

func (a *authority) aboutResource(w http.ResponseWriter) {
	if a.noResource {
		http.NotFound(w, nil)
		return
	}
	resource := a.URL + "/mcp"
	if a.resource != "" {
		resource = a.resource
	}
	reply(w, map[string]any{"resource": resource, "authorization_servers": []string{a.URL + "/as"}})
}

func (a *authority) aboutServer(w http.ResponseWriter, absent bool) {
	if absent {
		http.NotFound(w, nil)
		return
	}
	issuer := a.URL + "/as"
	if a.noResource {
		issuer = a.URL
	}
	if a.issuer != "" {
		issuer = a.issuer
	}
	m := map[string]any{
		"issuer": issuer, "authorization_endpoint": a.URL + "/authorize", "token_endpoint": a.URL + "/token",
		"registration_endpoint": a.URL + "/register", "device_authorization_endpoint": a.URL + "/device",
		"code_challenge_methods_supported": []string{"S256"}, "grant_types_supported": a.grants,
		"token_endpoint_auth_methods_supported": a.methods,
	}
	if a.noPKCE {
		delete(m, "code_challenge_methods_supported")
	}
	if a.clear {
		m["token_endpoint"] = "http://login.example/token"
	}
	reply(w, m)
}

func (a *authority) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	a.visited = append(a.visited, q)
	code := fmt.Sprint("code-", len(a.visited))
	a.codes[code] = q
	back, _ := url.Parse(q.Get("redirect_uri"))
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (a *authority) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	form := r.PostForm
	if id, secret, ok := r.BasicAuth(); ok {
		form.Set("basic", id+":"+secret)
	}
	a.asked = append(a.asked, form)
	scope := form.Get("scope")
	fail := ""
	switch form.Get("grant_type") {
	case "authorization_code":
		q := a.codes[form.Get("code")]
		sum := sha256.Sum256([]byte(form.Get("code_verifier")))
		if q == nil || q.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || q.Get("redirect_uri") != form.Get("redirect_uri") {
			fail = "invalid_grant"
		}
		scope = q.Get("scope")
	case "client_credentials":
		if form.Get("basic") != "me:my-secret" && form.Get("client_secret") != "my-secret" {
			fail = "invalid_client"
		}
	case deviceGrant:
		if a.pending--; a.pending >= 0 {
			fail = "authorization_pending"
		}
	case "refresh_token":
		if form.Get("refresh_token") != "refresh-me" {
			fail = "invalid_grant"
		}
	}
	if fail != "" {
		w.WriteHeader(http.StatusBadRequest)
		reply(w, map[string]any{"error": fail})
		return
	}
	token := fmt.Sprintf("token-%d", len(a.asked))
	a.tokens[token] = scope
	reply(w, map[string]any{"access_token": token, "token_type": "Bearer", "refresh_token": "refresh-me"})
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
