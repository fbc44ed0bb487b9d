package registry

import (
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// pipHome is a user with these files and variables. The settings of the
// machine that runs the test do not count.
func pipHome(t testing.TB, planted, env map[string]string) (*Client, error) {
	t.Helper()
	home := t.TempDir()
	for name, text := range planted {
		name = filepath.Join(home, name)
		pipMust(t, os.MkdirAll(filepath.Dir(name), 0o700))
		pipMust(t, os.WriteFile(name, []byte(strings.ReplaceAll(text, "HOME", home)), 0o600))
	}
	c := &Client{pace: defaultPace(), transports: map[route]*http.Transport{}, proxy: &proxySettings{}}
	c.opts.Home = home
	c.opts.Getenv = func(name string) string {
		return strings.ReplaceAll(env[name], "HOME", home)
	}
	files := slices.DeleteFunc(pipFiles(c.opts.Getenv, home), func(name string) bool { return strings.HasPrefix(name, "/etc/") })
	return c, c.readPipFiles(files)
}

func pipMust(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// pipShown writes an index with its decoded credentials.
func pipShown(r Registry) string {
	s := r.URL.String()
	if code, ok := strings.CutPrefix(string(r.auth), "Basic "); ok {
		plain, _ := base64.StdEncoding.DecodeString(code)
		s += " " + string(plain)
	}
	return s
}

func TestPipIndexes(t *testing.T) {
	const one = "[global]\nindex-url = https://one.test/simple\n"
	for _, test := range []struct {
		name       string
		files, env map[string]string
		want       []string
	}{
		{name: "user", files: map[string]string{".config/pip/pip.conf": one}, want: []string{"https://one.test/simple/"}},
		{name: "older place", files: map[string]string{".pip/pip.conf": one}, want: []string{"https://one.test/simple/"}},
		{name: "newer place wins", files: map[string]string{".pip/pip.conf": one, ".config/pip/pip.conf": "[global]\nindex-url=https://two.test/\n"}, want: []string{"https://two.test/"}},
		{name: "moved", files: map[string]string{".config/pip/pip.conf": one, "x/pip/pip.conf": "[global]\nindex-url: https://two.test/\n"},
			env: map[string]string{"XDG_CONFIG_HOME": "HOME/x"}, want: []string{"https://two.test/"}},
		{name: "machine", files: map[string]string{"etc/pip/pip.conf": one}, env: map[string]string{"XDG_CONFIG_DIRS": "HOME/etc:relative"}, want: []string{"https://one.test/simple/"}},
		{name: "own file", files: map[string]string{".config/pip/pip.conf": one, "own": "[global]\nindex_url = https://own.test\n"}, env: map[string]string{"PIP_CONFIG_FILE": "HOME/own"}, want: []string{"https://own.test/"}},
		{name: "no file", files: map[string]string{".config/pip/pip.conf": one}, env: map[string]string{"PIP_CONFIG_FILE": os.DevNull}, want: []string{"https://pypi.org/simple/"}},
		{name: "environment wins", files: map[string]string{".config/pip/pip.conf": one}, env: map[string]string{"PIP_INDEX_URL": "https://env.test/x"}, want: []string{"https://env.test/x/"}},
		{name: "section of the command wins", files: map[string]string{".pip/pip.conf": "[install]\nindex-url=https://install.test/\n", ".config/pip/pip.conf": one}, want: []string{"https://install.test/"}},
		{name: "other sections", files: map[string]string{".config/pip/pip.conf": one + "[download]\nindex-url=https://other.test\n"}, want: []string{"https://one.test/simple/"}},
		{name: "extra", files: map[string]string{".config/pip/pip.conf": one + "extra-index-url =\n    https://a.test/simple\n\n  # no\n\thttps://b.test/simple/\n"},
			want: []string{"https://one.test/simple/", "https://a.test/simple/", "https://b.test/simple/"}},
		{name: "extra of the environment", env: map[string]string{"PIP_CONFIG_FILE": os.DevNull, "PIP_EXTRA_INDEX_URL": "https://a.test https://b.test  https://a.test/"},
			want: []string{"https://pypi.org/simple/", "https://a.test/", "https://b.test/"}},
		{name: "credentials", env: map[string]string{"PIP_INDEX_URL": "https://us%40er:p%3Aw@one.test:8443/simple/"}, want: []string{"https://one.test:8443/simple/ us@er:p:w"}},
		{name: "token", env: map[string]string{"PIP_INDEX_URL": "https://token@one.test/"}, want: []string{"https://one.test/ token:"}},
		{name: "netrc", files: map[string]string{".netrc": "machine one.test login me password x"}, env: map[string]string{"PIP_INDEX_URL": "https://one.test:8443/", "PIP_EXTRA_INDEX_URL": "https://two.test"},
			want: []string{"https://one.test:8443/ me:x", "https://two.test/"}},
		{name: "address before netrc", files: map[string]string{".netrc": "machine one.test login me password x"}, env: map[string]string{"PIP_INDEX_URL": "https://u:p@one.test/"}, want: []string{"https://one.test/ u:p"}},
		{name: "other netrc", files: map[string]string{".netrc": "machine one.test login me password x", "n": "default login any password y"}, env: map[string]string{"NETRC": "HOME/n", "PIP_INDEX_URL": "https://one.test/"}, want: []string{"https://one.test/ any:y"}},
		{name: "uv", env: map[string]string{"PIP_CONFIG_FILE": os.DevNull, "UV_INDEX_URL": "https://uv.test/simple"}, want: []string{"https://uv.test/simple/"}},
		{name: "uv by name", env: map[string]string{"PIP_CONFIG_FILE": os.DevNull, "UV_INDEX_URL": "https://uv.test/", "UV_DEFAULT_INDEX": "corp=https://u:p@corp.test/a=b/"}, want: []string{"https://corp.test/a=b/ u:p"}},
		{name: "pip before uv", env: map[string]string{"PIP_INDEX_URL": "https://one.test", "UV_INDEX_URL": "https://uv.test/"}, want: []string{"https://one.test/"}},
		{name: "mark and line ends", files: map[string]string{".config/pip/pip.conf": "\ufeff; x\r\n[Global]\r\n--Index_URL = https://one.test/ \r\n"}, want: []string{"https://one.test/"}},
		{name: "index is on", env: map[string]string{"PIP_NO_INDEX": "0", "PIP_INDEX_URL": "https://one.test/"}, want: []string{"https://one.test/"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := pipHome(t, test.files, test.env)
			pipMust(t, err)
			var got []string
			for _, r := range c.PyPI() {
				got = append(got, pipShown(r))
				if r.URL.User != nil || strings.Contains(fmt.Sprint(r.URL), "@") {
					t.Errorf("the address has credentials: %s", r.URL)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("indexes differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPipProject: files in the current directory belong to their author, who
// may be the attacker.
func TestPipProject(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"pip.conf", "pip/pip.conf", ".pip/pip.conf", ".config/pip/pip.conf", ".venv/pip.conf", ".netrc"} {
		pipMust(t, os.MkdirAll(filepath.Dir(name), 0o700))
		pipMust(t, os.WriteFile(name, []byte("[global]\nindex-url = https://evil.test\n"), 0o600))
	}
	for _, env := range []map[string]string{
		nil, {"VIRTUAL_ENV": filepath.Join(dir, ".venv")}, {"XDG_CONFIG_DIRS": "."}, {"XDG_CONFIG_HOME": "."}, {"NETRC": ".netrc"},
	} {
		c, err := pipHome(t, nil, env)
		pipMust(t, err)
		if got := pipShown(c.PyPI()[0]); strings.Contains(got, "evil") {
			t.Errorf("%v: the index is %s", env, got)
		}
	}
	for _, name := range pipFiles(func(string) string { return "" }, "") {
		if !strings.HasPrefix(name, "/etc/") {
			t.Errorf("without a home %s is read", name)
		}
	}
}

func TestPipBroken(t *testing.T) {
	for _, test := range []struct {
		name       string
		files, env map[string]string
		texts      []string
	}{
		{name: "no section", files: map[string]string{".pip/pip.conf": "# x\nindex-url = https://u:secret@x.test\n"}, texts: []string{"pip.conf, line 2", "first section"}},
		{name: "no value", files: map[string]string{".pip/pip.conf": "[global]\nsecret\n"}, texts: []string{"line 2", "name = value"}},
		{name: "no name", files: map[string]string{".pip/pip.conf": "[global]\n= secret\n"}, texts: []string{"line 2"}},
		{name: "open section", files: map[string]string{".pip/pip.conf": "[global\n"}, texts: []string{"line 1", "bracket"}},
		{name: "no address", files: map[string]string{".pip/pip.conf": "[global]\n\nindex-url = /var/secret\n"}, texts: []string{"line 3", "https://"}},
		{name: "file address", env: map[string]string{"PIP_INDEX_URL": "file:///secret"}, texts: []string{"PIP_INDEX_URL"}},
		{name: "bad extra", env: map[string]string{"PIP_EXTRA_INDEX_URL": "https://u:secret@:x/"}, texts: []string{"PIP_EXTRA_INDEX_URL"}},
		{name: "too many", env: map[string]string{"PIP_EXTRA_INDEX_URL": strings.Repeat("https://x.test ", 100)}, texts: []string{"more than 15"}},
		{name: "no certificate", env: map[string]string{"PIP_CERT": "HOME/none.pem"}, texts: []string{"PIP_CERT", "none.pem"}},
		{name: "no client certificate", env: map[string]string{"PIP_CLIENT_CERT": "HOME/none.pem"}, texts: []string{"PIP_CLIENT_CERT"}},
		{name: "no proxy", env: map[string]string{"PIP_PROXY": "ftp://u:secret@x.test"}, texts: []string{"PIP_PROXY"}},
		{name: "neither yes nor no", env: map[string]string{"PIP_NO_INDEX": "secret"}, texts: []string{"PIP_NO_INDEX"}},
		{name: "large", files: map[string]string{".pip/pip.conf": strings.Repeat("#", maxSettings+1)}, texts: []string{"larger"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := pipHome(t, test.files, test.env)
			if ours, ok := errors.AsType[*mcpsf.Error](err); !ok || ours.Code != mcpsf.CodeUsage {
				t.Fatalf("error is %v", err)
			}
			for _, text := range test.texts {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not say %q", err, text)
				}
			}
			if strings.Contains(err.Error(), "secret") {
				t.Errorf("%q shows what it should not", err)
			}
		})
	}
}

func TestPipNoIndex(t *testing.T) {
	c, err := pipHome(t, map[string]string{".pip/pip.conf": "[install]\nno-index = yes\n"}, nil)
	pipMust(t, err)
	_, err = c.Do(t.Context(), &Request{Registry: c.PyPI()[0], URL: "x/"})
	if mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "pip.conf, line 2") {
		t.Errorf("error is %v", err)
	}
}

func TestPipProxy(t *testing.T) {
	c, err := pipHome(t, nil, map[string]string{"PIP_INDEX_URL": "https://one.test", "PIP_PROXY": "proxy.test:3128"})
	pipMust(t, err)
	if r := c.PyPI()[0]; r.proxy == nil || r.proxy.to(r.URL).String() != "http://proxy.test:3128" {
		t.Errorf("proxy is %+v", r.proxy)
	}
}

// TestPipCertificate has an index whose certificate only pip's own setting
// trusts.
func TestPipCertificate(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		fmt.Fprintf(w, "%s %s %s", r.URL.Path, user, password)
	}))
	t.Cleanup(s.Close)
	s.Config.ErrorLog = nil
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	c, err := pipHome(t, map[string]string{"ca.pem": ca}, map[string]string{"PIP_CERT": "~/ca.pem", "PIP_INDEX_URL": strings.Replace(s.URL, "://", "://u:p@", 1) + "/simple"})
	pipMust(t, err)
	t.Cleanup(c.Close)
	var got strings.Builder
	pipMust(t, c.Download(t.Context(), &Request{Registry: c.PyPI()[0], URL: "x/"}, &got, 1000, nil))
	if got.String() != "/simple/x/ u p" {
		t.Errorf("the index was asked %q", got.String())
	}
	c, err = pipHome(t, nil, map[string]string{"PIP_CONFIG_FILE": os.DevNull, "PIP_INDEX_URL": s.URL})
	pipMust(t, err)
	t.Cleanup(c.Close)
	if err := c.Download(t.Context(), &Request{Registry: c.PyPI()[0], URL: "x/"}, &got, 1000, nil); err == nil || !strings.Contains(err.Error(), "PIP_CERT") {
		t.Errorf("error is %v", err)
	}
}

func TestNetrc(t *testing.T) {
	const file = `# comment machine no.test
machine a.test
  login me   # who
  password #1x
  account z
macdef init
  machine b.test login evil password evil

machine b.test user "you" password "q"
default login any password last
machine`
	want := []netrcLogin{{"a.test", "me", "#1x"}, {"b.test", "you", "q"}, {anyMachine, "any", "last"}, {}}
	if diff := cmp.Diff(want, parseNetrc(file), cmp.AllowUnexported(netrcLogin{})); diff != "" {
		t.Errorf("logins differ (-want +got):\n%s", diff)
	}
}

func FuzzPipConf(f *testing.F) {
	f.Add([]byte("[global]\nindex-url = https://u:p@x.test/\nextra-index-url =\n  https://a.test\n  https://b.test\n"))
	f.Add([]byte("[install]\n--no_index: yes\ncert=~/x\n;c\n#c\n"))
	f.Add([]byte("index-url=1"))
	f.Add([]byte("\xef\xbb\xbf[a]\n=\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := pipSettings{}
		if err := s.add("pip.conf", data); err != nil {
			if mcpsf.ErrorCode(err) != mcpsf.CodeUsage || !strings.Contains(err.Error(), "pip.conf, line ") {
				t.Errorf("error is %v", err)
			}
			return
		}
		for key, v := range s {
			if v.from == "" || strings.TrimSpace(v.value) != v.value || !strings.Contains(key, ".") {
				t.Errorf("%q is %+v", key, v)
			}
		}
		c := &Client{opts: Options{Getenv: func(string) string { return "" }}}
		delete(s, "global.cert")
		delete(s, "install.cert")
		delete(s, "global.client-cert")
		delete(s, "install.client-cert")
		if c.addIndexes(s) != nil {
			return
		}
		for _, r := range c.pypi {
			if r.URL.User != nil || r.URL.Hostname() == "" || !strings.HasSuffix(r.URL.Path, "/") || strings.ContainsAny(string(r.auth), "\r\n") {
				t.Errorf("index is %+v", r)
			}
		}
	})
}

func FuzzNetrc(f *testing.F) {
	f.Add("machine a login b password c")
	f.Add("default\nmacdef x\n\nmachine")
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range parseNetrc(text) {
			if strings.ContainsAny(l.machine+l.user+l.password, " \r\n") {
				t.Errorf("login is %+v", l)
			}
		}
	})
}
