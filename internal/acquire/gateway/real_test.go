package gateway

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// installer is a gateway to the registries that this machine uses, with real
// installers in front of it. Nothing that is downloaded is run.
type installer struct {
	t        *testing.T
	gateway  *Gateway
	base     string
	dir      string
	attempts []Attempt
}

func newReal(t *testing.T, program string) *installer {
	t.Helper()
	if testing.Short() {
		t.Skip("asks a real registry")
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not on this machine: %v", program, err)
	}
	client, err := registry.New(&registry.Options{Getenv: os.Getenv})
	if err != nil {
		t.Skipf("the registry settings of this machine cannot be used: %v", err)
	}
	t.Cleanup(client.Close)
	r := &installer{t: t, dir: t.TempDir()}
	r.gateway = New(&Options{Client: client, Base: &url.URL{Scheme: "http"}, Attempt: func(a Attempt) { r.attempts = append(r.attempts, a) }})
	addr := serve(t, r.gateway)
	r.gateway.host, r.gateway.base = addr, "http://"+addr+"/"
	r.base = r.gateway.base
	return r
}

// skipUnlessServed skips the test unless the registry has what it needs.
func (r *installer) skipUnlessServed(reg registry.Registry, path string) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 30*time.Second)
	defer cancel()
	resp, err := r.gateway.opts.Client.Do(ctx, &registry.Request{Registry: reg, Method: http.MethodHead, URL: path})
	if err != nil {
		r.t.Skipf("the registry cannot be reached: %v", err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		r.t.Skipf("the registry does not give out %s: %s", path, resp.Status)
	}
}

// run starts an installer that only knows the gateway.
func (r *installer) run(program string, args ...string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = r.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(strings.ToLower(kv), "=")
		return strings.HasPrefix(name, "npm_") || strings.HasPrefix(name, "pip_") || strings.HasSuffix(name, "_proxy") || name == "home"
	})
	cmd.Env = append(cmd.Env, "HOME="+r.dir, "npm_config_registry="+r.base+"npm/", "npm_config_globalconfig="+filepath.Join(r.dir, "none"),
		"npm_config_ignore_scripts=true", "npm_config_update_notifier=false", "npm_config_fetch_retries=0", "npm_config_fund=false",
		"PIP_CONFIG_FILE="+os.DevNull, "PIP_INDEX_URL="+r.base+"pypi/simple/", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_RETRIES=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// any reports whether an attempt was recorded.
func (r *installer) any(is func(Attempt) bool) bool {
	r.gateway.hooks.Lock()
	defer r.gateway.hooks.Unlock()
	return slices.ContainsFunc(r.attempts, is)
}

func TestRealRegistryNPM(t *testing.T) {
	r := newReal(t, "npm")
	reg := r.gateway.opts.Client.NPM("")
	r.skipUnlessServed(reg, "is-number/-/is-number-7.0.0.tgz")
	if out := r.run("npm", "view", "is-number@7.0.0", "version"); !strings.Contains(out, "7.0.0") {
		t.Errorf("npm view: %s", out)
	}
	r.run("npm", "pack", "is-number@7.0.0")
	if _, err := os.Stat(filepath.Join(r.dir, "is-number-7.0.0.tgz")); err != nil {
		t.Error(err)
	}
	// With the audit, which is refused, and verified against dist.integrity.
	r.run("npm", "install", "--prefix", "one", "--audit", "is-number@7.0.0")
	if _, err := os.Stat(filepath.Join(r.dir, "one/node_modules/is-number/index.js")); err != nil {
		t.Error(err)
	}
	if !r.any(func(a Attempt) bool { return a.Method == http.MethodPost && a.Refused != "" }) {
		t.Error("no audit was refused")
	}
	r.lockFile(reg)
	got := r.gateway.Totals().Packages
	if len(got) != 1 || !strings.HasPrefix(got[0], "npm is-number@7.0.0 sha512-") {
		t.Errorf("lock: %q", got)
	}
}

// lockFile installs from a lock file that was made with the public registry.
func (r *installer) lockFile(reg registry.Registry) {
	r.t.Helper()
	if reg.URL.Host != publicNPM {
		return
	}
	dir := filepath.Join(r.dir, "two")
	if err := os.Mkdir(dir, 0o700); err != nil {
		r.t.Fatal(err)
	}
	for name, text := range map[string]string{
		"package.json": `{"name":"two","version":"1.0.0","dependencies":{"is-number":"7.0.0"}}`,
		"package-lock.json": `{"name":"two","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{
			"":{"name":"two","version":"1.0.0","dependencies":{"is-number":"7.0.0"}},
			"node_modules/is-number":{"version":"7.0.0","resolved":"https://registry.npmjs.org/is-number/-/is-number-7.0.0.tgz"}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			r.t.Fatal(err)
		}
	}
	r.run("npm", "ci", "--prefix", "two", "--cache", filepath.Join(r.dir, "empty"))
	if _, err := os.Stat(filepath.Join(dir, "node_modules/is-number/index.js")); err != nil {
		r.t.Error(err)
	}
	if !r.any(func(a Attempt) bool {
		return a.URL == "/npm/is-number/-/is-number-7.0.0.tgz" && a.Status == http.StatusOK
	}) {
		r.t.Error("the lock file's address was not asked for")
	}
}

func TestRealRegistryPip(t *testing.T) {
	r := newReal(t, "pip")
	r.skipUnlessServed(r.gateway.opts.Client.PyPI()[0], "six/")
	r.run("pip", "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--dest", "files", "six")
	found, err := filepath.Glob(filepath.Join(r.dir, "files/six-*.whl"))
	if err != nil || len(found) != 1 {
		t.Errorf("%q %v", found, err)
	}
	got := r.gateway.Totals().Packages
	if len(got) != 1 || !strings.HasPrefix(got[0], "pypi six-") {
		t.Errorf("lock: %q", got)
	}
}

// TestRealRegistryBefore expects what pip would have installed in 2023.
func TestRealRegistryBefore(t *testing.T) {
	r := newReal(t, "pip")
	r.gateway.opts.Before = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	r.skipUnlessServed(r.gateway.opts.Client.PyPI()[0], "six/")
	r.run("pip", "download", "--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--dest", "files", "six")
	if n := r.gateway.Totals().Undated; n > 0 {
		t.Skipf("the index does not say when %d files were uploaded", n)
	}
	got := r.gateway.Totals().Packages
	if len(got) != 1 || !strings.HasPrefix(got[0], "pypi six-1.16.0-") {
		t.Errorf("lock: %q", got)
	}
}
