package registry

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClientCertificate: like a token, it is sent only to its own registry.
func TestClientCertificate(t *testing.T) {
	shown := map[string]int{}
	start := func(name string) *httptest.Server {
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			shown[name] += 10 + len(r.TLS.PeerCertificates)
			if to := r.URL.Query().Get("to"); to != "" {
				http.Redirect(w, r, to, http.StatusFound)
			}
		}))
		s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
		s.StartTLS()
		t.Cleanup(s.Close)
		return s
	}
	own, other := start("own"), start("other")
	dir := t.TempDir()
	key, err := x509.MarshalPKCS8PrivateKey(own.TLS.Certificates[0].PrivateKey)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "key"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
	prefix := strings.TrimPrefix(own.URL, "https:") + "/"
	c := user(t, "registry="+own.URL+"\n"+prefix+":certfile="+certificateOf(t, own)+"\n"+prefix+":keyfile="+dir+"/key",
		map[string]string{"npm_config_cafile": certificateOf(t, own)})
	resp, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x?to=" + other.URL})
	must(t, err)
	discard(resp)
	if shown["own"] != 11 || shown["other"] != 10 {
		t.Errorf("shown: %v", shown)
	}
}
