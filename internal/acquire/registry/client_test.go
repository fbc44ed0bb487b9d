package registry

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newUser reads the settings of a user who has this .npmrc, "" for none, and
// these variables. HOME in both is replaced by the user's directory. The
// settings of the machine that runs the test do not count.
func newUser(t testing.TB, npmrc string, env map[string]string) (*Client, error) {
	t.Helper()
	home := t.TempDir()
	if npmrc != "" {
		must(t, os.WriteFile(filepath.Join(home, ".npmrc"), []byte(strings.ReplaceAll(npmrc, "HOME", home)), 0o600))
	}
	c, err := New(&Options{Home: home, UserAgent: "test", Getenv: func(name string) string {
		if value, ok := env[name]; ok {
			return strings.ReplaceAll(value, "HOME", home)
		}
		return map[string]string{"PIP_CONFIG_FILE": os.DevNull, "npm_config_globalconfig": filepath.Join(home, "none")}[name]
	}})
	if err == nil {
		c.pace.backoff, c.pace.longest = time.Millisecond, 2*time.Millisecond
		t.Cleanup(c.Close)
	}
	return c, err
}

func user(t testing.TB, npmrc string, env map[string]string) *Client {
	t.Helper()
	c, err := newUser(t, npmrc, env)
	must(t, err)
	return c
}

// serve starts a server that ends with the test.
func serve(t testing.TB, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// wantLine checks that err is one printable line of ours.
func wantLine(t testing.TB, err error, code mcpsf.Code, texts ...string) {
	t.Helper()
	e, ok := errors.AsType[*mcpsf.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("error is %#v, want one with code %s", err, code)
	}
	line := err.Error()
	if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) || len(line) > 1000 {
		t.Errorf("error is not one short printable line: %q", line)
	}
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("error %q does not say %q", line, text)
		}
	}
	if strings.Contains(line, "secret") {
		t.Errorf("error %q gives a secret away", line)
	}
}
