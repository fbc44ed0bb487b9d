package registry

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func TestNPMSettings(t *testing.T) {
	for _, tt := range []struct {
		name, npmrc, scope string
		env                map[string]string
		url, auth          string
	}{
		{name: "default", url: "https://registry.npmjs.org/"},
		{name: "unknown scope", scope: "@x", npmrc: "@y:registry=https://y.test", url: "https://registry.npmjs.org/"},
		{name: "user", npmrc: "registry = https://one.test/n\n", url: "https://one.test/n/"},
		{name: "comments", npmrc: "; a\n# b\n\nregistry=https://one.test ; end\n", url: "https://one.test/"},
		{name: "the last line counts", npmrc: "registry=https://one.test\nregistry=https://two.test", url: "https://two.test/"},
		{name: "quotes", npmrc: `registry="https://one.test/"`, url: "https://one.test/"},
		{name: "single quotes", npmrc: "'registry' = 'https://one.test/'", url: "https://one.test/"},
		{name: "section", npmrc: "[x]\nregistry=https://one.test/", url: "https://registry.npmjs.org/"},
		{name: "byte order mark", npmrc: "\ufeffregistry=https://one.test", url: "https://one.test/"},
		{name: "carriage returns", npmrc: "registry=https://one.test\r\n", url: "https://one.test/"},
		{name: "environment first", npmrc: "registry=https://one.test", env: map[string]string{"npm_config_registry": "https://env.test"}, url: "https://env.test/"},
		{name: "upper case", env: map[string]string{"NPM_CONFIG_REGISTRY": "https://env.test"}, url: "https://env.test/"},
		{name: "scope", scope: "@x", npmrc: "registry=https://one.test\n@x:registry=https://x.test", url: "https://x.test/"},
		{name: "scope of the environment", scope: "@x", npmrc: "@x:registry=https://x.test", env: map[string]string{"npm_config_@x:registry": "https://env.test"}, url: "https://env.test/"},
		{name: "variable", npmrc: "registry=https://${WHERE}.test/${NONE?}", env: map[string]string{"WHERE": "there"}, url: "https://there.test/"},
		{
			name: "token", npmrc: "registry=https://one.test/n\n//one.test/n/:_authToken=${T}", env: map[string]string{"T": "tok"},
			url: "https://one.test/n/", auth: "Bearer tok",
		},
		{name: "token that is not set", npmrc: "//registry.npmjs.org/:_authToken=${T}", url: "https://registry.npmjs.org/"},
		{name: "token of a path above", npmrc: "registry=https://one.test/a/b\n//one.test/:_authToken=t", url: "https://one.test/a/b/", auth: "Bearer t"},
		{name: "nearest token", npmrc: "registry=https://one.test/a/b\n//one.test/:_authToken=t\n//one.test/a/:_authToken=u", url: "https://one.test/a/b/", auth: "Bearer u"},
		{name: "token of another path", npmrc: "registry=https://one.test/a\n//one.test/b/:_authToken=t", url: "https://one.test/a/"},
		{name: "token of another host", npmrc: "registry=https://one.test\n//one.test.evil.test/:_authToken=t\n//ne.test/:_authToken=t", url: "https://one.test/"},
		{name: "token of another port", npmrc: "registry=https://one.test:8443\n//one.test/:_authToken=t", url: "https://one.test:8443/"},
		{name: "token of no host", npmrc: "registry=https://one.test\n_authToken=t", url: "https://one.test/"},
		{
			name: "token of the environment", env: map[string]string{"npm_config_//registry.npmjs.org/:_authToken": "e"},
			url: "https://registry.npmjs.org/", auth: "Bearer e",
		},
		{name: "auth", npmrc: "//registry.npmjs.org/:_auth=" + b64("u:p"), url: "https://registry.npmjs.org/", auth: "Basic " + b64("u:p")},
		{
			name: "password", npmrc: "//registry.npmjs.org/:username=u\n//registry.npmjs.org/:_password=" + b64("p:q"),
			url: "https://registry.npmjs.org/", auth: "Basic " + b64("u:p:q"),
		},
		{name: "in the address", npmrc: "registry=https://u:p@one.test/", url: "https://one.test/", auth: "Basic " + b64("u:p")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := user(t, tt.npmrc, tt.env).NPM(tt.scope)
			if diff := cmp.Diff([]string{tt.url, tt.auth}, []string{r.URL.String(), string(r.auth)}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestNPMFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	global := write("p/etc/npmrc", "registry=https://global.test\n@g:registry=https://g.test")
	own := write("own", "registry=https://own.test")
	for _, tt := range []struct {
		name, npmrc string
		env         map[string]string
		want        []string
	}{
		{"global", "", map[string]string{"npm_config_globalconfig": global}, []string{"global.test", "g.test"}},
		{"user before global", "registry=https://u.test", map[string]string{"NPM_CONFIG_GLOBALCONFIG": global, "npm_config_globalconfig": ""}, []string{"u.test", "g.test"}},
		{"prefix of the user", "prefix=" + dir + "/p", map[string]string{"npm_config_globalconfig": ""}, []string{"global.test", "g.test"}},
		{"userconfig", "registry=https://u.test", map[string]string{"npm_config_userconfig": own}, []string{"own.test", "own.test"}},
	} {
		c := user(t, tt.npmrc, tt.env)
		if diff := cmp.Diff(tt.want, []string{c.NPM("").URL.Host, c.NPM("@g").URL.Host}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestScopes(t *testing.T) {
	c := user(t, "@b:registry=https://b.test\nregistry=https://x.test\n@a:registry=https://a.test\n//a.test/:_authToken=t\n", nil)
	if diff := cmp.Diff([]string{"@a", "@b"}, c.Scopes()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNPMProject: the settings file in the assessed project is the attacker's.
func TestNPMProject(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, os.WriteFile(".npmrc", []byte("registry=https://evil.test\nproxy=http://evil.test"), 0o600))
	c := user(t, "", nil)
	if r := c.NPM(""); r.URL.Host != "registry.npmjs.org" || r.proxy.to(r.URL) != nil {
		t.Errorf("the project's settings count: %v", r.URL)
	}
}

func TestNPMBroken(t *testing.T) {
	for _, tt := range []struct {
		name, npmrc string
		env         map[string]string
		want        []string
	}{
		{"no address", "\n\nregistry=somewhere", nil, []string{".npmrc, line 3", "https://"}},
		{"file", "registry=file:///x", nil, []string{".npmrc, line 1"}},
		{"no host", "registry=https:///x", nil, []string{"no host"}},
		{"password in it", "registry=https://u:secret@one.test:port/", nil, []string{"no address"}},
		{"query", "registry=https://one.test/?secret=1", nil, []string{"query"}},
		{"scope", "x=1\n@s:registry=nowhere", nil, []string{"line 2"}},
		{"environment", "", map[string]string{"npm_config_registry": "nowhere"}, []string{"npm_config_registry"}},
		{"strict-ssl", "strict-ssl=false", nil, []string{"line 1", "cafile"}},
		{"strict-ssl of the environment", "", map[string]string{"NPM_CONFIG_STRICT_SSL": "false"}, []string{"NPM_CONFIG_STRICT_SSL"}},
		{"auth", "//registry.npmjs.org/:_auth=se!cret", nil, []string{"base64"}},
		{"password", "//registry.npmjs.org/:username=u\n//registry.npmjs.org/:_password=se!cret", nil, []string{"line 2", "base64"}},
		{"token", `//registry.npmjs.org/:_authToken="a\r\nX: secret"`, nil, []string{"line 1", "token"}},
		{"cafile", "cafile=HOME/none", nil, []string{"no certificate"}},
		{"ca", "ca=secret", nil, []string{"no certificate"}},
		{"certificate", "//registry.npmjs.org/:certfile=HOME/a\n//registry.npmjs.org/:keyfile=HOME/b", nil, []string{"line 1", "cannot be read"}},
		{"proxy", "https-proxy=ftp://u:secret@proxy.test", nil, []string{"line 1", "proxy"}},
		{"proxy of the environment", "", map[string]string{"HTTPS_PROXY": "ftp://u:secret@x"}, []string{"HTTPS_PROXY"}},
		{"too large", "#" + strings.Repeat("x", maxSettings), nil, []string{"larger"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newUser(t, tt.npmrc, tt.env)
			wantLine(t, err, mcpsf.CodeUsage, tt.want...)
		})
	}
}

// TestBrokenScope: asking the public registry for a private package could fetch
// somebody else's.
func TestBrokenScope(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("another registry is asked") })
	c := user(t, "registry="+s.URL, map[string]string{"npm_config_@x:registry": "nowhere"})
	_, err := c.Do(t.Context(), &Request{Registry: c.NPM("@x"), URL: "y"})
	wantLine(t, err, mcpsf.CodeUsage, "npm_config_@x:registry")
}

func TestExpand(t *testing.T) {
	getenv := func(name string) string { return map[string]string{"A": "1", "B": "${A}"}[name] }
	for in, want := range map[string]string{
		"${A}": "1", "x${A}y${A}": "x1y1", "${B}": "${A}", "${C}": "${C}", "${C?}": "", "${A?}": "1",
		`\${A}`: "${A}", `\\${A}`: `\1`, "$A": "$A", "${}": "${}", "${${A}}": "${1}",
	} {
		if got := expand(in, getenv); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func FuzzNpmrc(f *testing.F) {
	f.Add("registry=https://one.test\n//one.test/:_authToken=${T}\nca[]=x\n[s]\n;c")
	f.Add("\"a\\\"=b\n'=\n=\n\\=\\\n${${T}}\\${T}")
	f.Add("\xff\xfe=\x00\nkey")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Client{opts: Options{Getenv: func(string) string { return "" }}, proxy: &proxySettings{}}
		c.npm.files = []npmrc{parseNpmrc("file", []byte(text), func(string) string { return "v" })}
		for key, s := range c.npm.files[0].values {
			if !strings.HasPrefix(s.from, "file, line ") {
				t.Errorf("%q is from %q", key, s.from)
			}
			c.npmRegistry(strings.TrimSuffix(key, ":registry"))
		}
		r := c.npmRegistry("")
		if r.URL == nil || r.URL.User != nil || !strings.HasSuffix(r.URL.Path, "/") || r.URL.Hostname() == "" {
			t.Errorf("registry is %v", r.URL)
		}
		if strings.ContainsAny(string(r.auth), "\r\n\x00") {
			t.Errorf("authorization is %q", r.auth)
		}
		_ = c.readNPMProxy()
	})
}
