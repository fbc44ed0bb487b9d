package oauth

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// visitor opens the page and accepts.
type visitor struct {
	client  *http.Client
	entered []string
	change  func(url.Values)
}

func (*visitor) Redirect() string { return "http://127.0.0.1:1/callback" }

func (v *visitor) Visit(ctx context.Context, address string) (url.Values, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	response, err := v.client.Do(r)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	back, err := response.Location()
	if err != nil {
		return nil, err
	}
	q := back.Query()
	if v.change != nil {
		v.change(q)
	}
	return q, nil
}

func (v *visitor) Enter(address, code string) { v.entered = append(v.entered, address+" "+code) }

// ask sends n requests to the server.
func ask(t *testing.T, a *authority, opts *Options, n int) (*Transport, []string, error) {
	t.Helper()
	client := a.Client()
	t.Cleanup(client.CloseIdleConnections)
	tr, err := New(client.Transport, a.URL+"/mcp", opts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for range n {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/mcp", strings.NewReader("hello"))
		response, err := tr.RoundTrip(r)
		if err != nil {
			return tr, got, err
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		got = append(got, response.Status[:3]+" "+string(body))
	}
	return tr, got, nil
}

func visiting(a *authority) *visitor {
	c := *a.Client()
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &visitor{client: &c}
}

func TestLogin(t *testing.T) {
	tests := []struct {
		name string
		a    *authority
		opts Options
		// want lists the grant requests that the authority should see.
		want  []string
		basic string
		times int
	}{
		{name: "all there", want: []string{"authorization_code"}},
		{name: "metadata where they usually are", a: &authority{silent: true}, want: []string{"authorization_code"}},
		{name: "OpenID Connect", a: &authority{openID: true}, want: []string{"authorization_code"}},
		{name: "the first revision", a: &authority{silent: true, noResource: true}, want: []string{"authorization_code"}},
		{name: "the first revision, without metadata", a: &authority{silent: true, noResource: true, noServer: true}, want: []string{"authorization_code"}},
		{name: "secret in the head", a: &authority{methods: []string{"client_secret_basic"}}, want: []string{"authorization_code"}, basic: "registered:registered-secret"},
		{name: "client", opts: Options{ID: "me", Secret: "my-secret"}, want: []string{"client_credentials"}, basic: "me:my-secret"},
		{name: "client, secret in the form", a: &authority{methods: []string{"client_secret_post"}}, opts: Options{ID: "me", Secret: "my-secret"}, want: []string{"client_credentials"}},
		{name: "a known client for a user", a: &authority{grants: []string{"authorization_code"}}, opts: Options{ID: "me", Secret: "my-secret"}, want: []string{"authorization_code"}, basic: "me:my-secret"},
		{name: "device", a: &authority{pending: 1}, opts: Options{Flow: FlowDevice}, want: []string{deviceGrant, deviceGrant}},
		{name: "refreshed", a: &authority{shortLived: true}, want: []string{"authorization_code", "refresh_token"}, times: 2},
		{name: "more wanted", a: &authority{scope: "read", more: "write"}, want: []string{"authorization_code", "authorization_code"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.a == nil {
				tt.a = &authority{}
			}
			a := newAuthority(t, tt.a)
			v := visiting(a)
			tt.opts.User = v
			var secrets []string
			tt.opts.Learned = func(s string) { secrets = append(secrets, s) }
			tr, got, err := ask(t, a, &tt.opts, max(1, tt.times))
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range got {
				if g != "200 welcome" {
					t.Errorf("answered %q", g)
				}
			}
			var grants []string
			for _, form := range a.asked {
				grants = append(grants, form.Get("grant_type"))
				if form.Get("resource") != a.URL+"/mcp" {
					t.Errorf("the token is for %q", form.Get("resource"))
				}
				if form.Get("basic") != tt.basic {
					t.Errorf("the client showed %q", form.Get("basic"))
				}
			}
			if diff := cmp.Diff(tt.want, grants); diff != "" {
				t.Errorf("grants (-want +got):\n%s", diff)
			}
			if !strings.Contains(strings.Join(secrets, " "), tr.Token()) || tr.Token() == "" {
				t.Errorf("the token %q was not told", tr.Token())
			}
			if tt.opts.Flow == FlowDevice && len(v.entered) != 1 {
				t.Errorf("the user was told %q", v.entered)
			}
		})
	}
}

// Inconsistent metadata is not used, and is reported.
func TestRefused(t *testing.T) {
	tests := []struct {
		name    string
		a       *authority
		opts    Options
		change  func(url.Values)
		nobody  bool
		want    string
		defects []string
	}{
		{name: "another resource", a: &authority{resource: "https://other.example/mcp"}, want: "those of another one",
			defects: []string{"the metadata of the server are those of another resource"}},
		{name: "another issuer", a: &authority{issuer: "https://other.example"}, want: "those of another one",
			defects: []string{"the authorization server's metadata name another issuer"}},
		{name: "no PKCE", a: &authority{noPKCE: true}, want: "does not offer PKCE",
			defects: []string{"the authorization server does not offer PKCE with S256"}},
		{name: "clear text", a: &authority{clear: true}, want: "not https", defects: []string{"where tokens are fetched is in clear text"}},
		{name: "another state", change: func(q url.Values) { q.Set("state", "x") }, want: "came back from somewhere else"},
		{name: "another server", change: func(q url.Values) { q.Set("iss", "https://other.example") }, want: "another authorization server"},
		{name: "refused", change: func(q url.Values) { q.Set("error", "access_denied"); q.Set("error_description", "no\x1b[2J way") }, want: "said: no [2J way"},
		{name: "wrong secret", opts: Options{ID: "me", Secret: "wrong", Flow: FlowClient}, want: "invalid_client"},
		{name: "nobody there", nobody: true, want: "nobody to log in"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.a == nil {
				tt.a = &authority{}
			}
			a := newAuthority(t, tt.a)
			v := visiting(a)
			v.change = tt.change
			if !tt.nobody {
				tt.opts.User = v
			}
			tr, _, err := ask(t, a, &tt.opts, 1)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			if _, usage := errors.AsType[*mcpsf.Error](err); !usage && !errors.Is(err, ErrLogin) {
				t.Errorf("error %v says nothing of a login", err)
			}
			found := tr.Discovery()
			var defects []string
			for _, d := range found.Check(a.URL + "/mcp") {
				if d.Weak {
					defects = append(defects, d.Got)
				}
			}
			if diff := cmp.Diff(tt.defects, defects); diff != "" {
				t.Errorf("defects (-want +got):\n%s", diff)
			}
		})
	}
}

// A server that accepts no token does not cause endless logins.
func TestNeverEnough(t *testing.T) {
	a := newAuthority(t, &authority{never: true})
	_, got, err := ask(t, a, &Options{User: visiting(a)}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"401 ", "401 "}, got); diff != "" {
		t.Error(diff)
	}
	if len(a.asked) > maxLogins {
		t.Errorf("%d tokens were fetched", len(a.asked))
	}
}

// The token is sent to the server only.
func TestTokenStaysHome(t *testing.T) {
	a := newAuthority(t, &authority{})
	tr, _, err := ask(t, a, &Options{User: visiting(a)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	other := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if h := r.Header.Get("Authorization"); h != "" {
			t.Errorf("somebody else got %q", h)
		}
	}))
	defer other.Close()
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, other.URL, nil)
	if response, err := tr.RoundTrip(r); err == nil {
		_ = response.Body.Close()
	}
	r, _ = http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(a.URL, "https", "http", 1)+"/mcp", nil)
	if response, err := tr.RoundTrip(r); err == nil {
		_ = response.Body.Close()
	}
}

func TestBrowser(t *testing.T) {
	var told []string
	b, err := NewBrowser(t.Context(), func(s string) { told = append(told, s) })
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, q := range []string{"?state=wrong&code=1", "?state=right&code=2"} {
			r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, b.Redirect()+q, nil)
			if response, err := client.Do(r); err == nil {
				_ = response.Body.Close()
			}
		}
	}()
	q, err := b.Visit(t.Context(), "https://login.example/authorize?state=right")
	<-done
	if err != nil || q.Get("code") != "2" {
		t.Errorf("%v, %v", q, err)
	}
	if len(told) != 2 || !strings.Contains(told[0], "login.example") {
		t.Errorf("told %q", told)
	}
}

func FuzzChallenge(f *testing.F) {
	for _, s := range []string{
		`Bearer resource_metadata="https://a.example/x", scope="a b"`, `Basic realm="x", Bearer error=invalid_token`, `Bearer "`, `bearer a="\`, `Bearer =,=,`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) { parseChallenge([]string{s}) })
}

func TestChallenge(t *testing.T) {
	for header, want := range map[string]challenge{
		`Bearer resource_metadata="https://a.example/x", scope="a b"`:         {Metadata: "https://a.example/x", Scope: "a b"},
		`Basic realm="bearer", Bearer error="insufficient_scope", scope=read`: {Error: "insufficient_scope", Scope: "read"},
		`Bearer`:                 {},
		`Negotiate`:              {},
		`Bearer scope="a\"b,c"`:  {Scope: `a"b,c`},
		`Bearer scope="unclosed`: {Scope: "unclosed"},
	} {
		if diff := cmp.Diff(want, parseChallenge([]string{header})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", header, diff)
		}
	}
}
