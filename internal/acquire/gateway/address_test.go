package gateway

import (
	"net/url"
	"strings"
	"testing"
)

func TestResolve(t *testing.T) {
	for _, tt := range []struct {
		name, reg, at, raw, want string // want "" is refused
	}{
		{"absolute", "https://reg.example/", "https://reg.example/x", "https://files.example/x.tgz", "https://files.example/x.tgz"},
		{"relative", "https://reg.example/simple/", "https://reg.example/simple/x/", "../../files/x.whl", "https://reg.example/files/x.whl"},
		{"no scheme", "https://reg.example/", "https://reg.example/x", "//files.example/x.tgz", "https://files.example/x.tgz"},
		{"fragment and user go", "https://reg.example/", "https://reg.example/", "https://u:p@files.example/x?sig=1#sha256=0", "https://files.example/x?sig=1"},
		{"TLS proxy", "https://reg.example/", "https://reg.example/", "http://reg.example/x.tgz", "https://reg.example/x.tgz"},
		{"mirror", "https://mirror.example/npm/", "https://mirror.example/npm/x", "https://registry.npmjs.org/x/-/x-1.tgz", "https://mirror.example/npm/x/-/x-1.tgz"},
		{"the public one", "https://registry.npmjs.org/", "https://registry.npmjs.org/x", "https://registry.npmjs.org/x/-/x-1.tgz", "https://registry.npmjs.org/x/-/x-1.tgz"},
		{"package called -", "https://reg.example/", "https://reg.example/-", "https://reg.example/-/-/--0.0.1.tgz", "https://reg.example/-/-/--0.0.1.tgz"},
		{"registry on this machine", "http://127.0.0.1:4873/", "http://127.0.0.1:4873/x", "http://127.0.0.1:4873/x.tgz", "http://127.0.0.1:4873/x.tgz"},
		{"registry by name", "http://localhost:4873/", "http://localhost:4873/x", "http://LOCALHOST:4873/x.tgz", "http://LOCALHOST:4873/x.tgz"},
		{"public address", "https://reg.example/", "https://reg.example/", "http://8.8.8.8/x", "http://8.8.8.8/x"},

		{"another port of this machine", "http://127.0.0.1:4873/", "http://127.0.0.1:4873/x", "http://127.0.0.1:6379/x", ""},
		{"loopback", "https://reg.example/", "https://reg.example/", "http://127.0.0.1/x", ""},
		{"loopback 6", "https://reg.example/", "https://reg.example/", "http://[::1]/x", ""},
		{"mapped", "https://reg.example/", "https://reg.example/", "http://[::ffff:127.0.0.1]/x", ""},
		{"zone", "https://reg.example/", "https://reg.example/", "http://[fe80::1%25eth0]/x", ""},
		{"short", "https://reg.example/", "https://reg.example/", "http://127.1/x", ""},
		{"number", "https://reg.example/", "https://reg.example/", "http://2130706433/x", ""},
		{"hexadecimal", "https://reg.example/", "https://reg.example/", "http://0x7f.0.0.0x1/x", ""},
		{"octal", "https://reg.example/", "https://reg.example/", "http://0177.0.0.01/x", ""},
		{"dot at the end", "https://reg.example/", "https://reg.example/", "http://127.0.0.1./x", ""},
		{"localhost", "https://reg.example/", "https://reg.example/", "http://LocalHost./x", ""},
		{"below localhost", "https://reg.example/", "https://reg.example/", "http://x.localhost/x", ""},
		{"intranet", "https://reg.example/", "https://reg.example/", "http://metadata/x", ""},
		{"private", "https://reg.example/", "https://reg.example/", "http://10.1.2.3/x", ""},
		{"private 6", "https://reg.example/", "https://reg.example/", "http://[fd00::1]/x", ""},
		{"metadata service", "https://reg.example/", "https://reg.example/", "http://169.254.169.254/latest/meta-data/", ""},
		{"multicast", "https://reg.example/", "https://reg.example/", "http://224.0.0.1/x", ""},
		{"unspecified", "https://reg.example/", "https://reg.example/", "http://0.0.0.0/x", ""},
		{"broadcast", "https://reg.example/", "https://reg.example/", "http://255.255.255.255/x", ""},
		{"file", "https://reg.example/", "https://reg.example/", "file:///etc/passwd", ""},
		{"ftp", "https://reg.example/", "https://reg.example/", "ftp://files.example/x", ""},
		{"opaque", "https://reg.example/", "https://reg.example/", "http:x", ""},
		{"no host", "https://reg.example/", "https://reg.example/", "http:///x", ""},
		{"control character", "https://reg.example/", "https://reg.example/", "http://files.example/\r\nx", ""},
		{"long", "https://reg.example/", "https://reg.example/", "http://files.example/" + strings.Repeat("x", maxAddress), ""},
		{"interface of the registry", "https://reg.example/npm/", "https://reg.example/npm/x", "https://reg.example/npm/-/npm/v1/tokens", ""},
		{"interface, escaped", "https://reg.example/npm/", "https://reg.example/npm/x", "https://reg.example/npm/-%2fwhoami", ""},
		{"interface, doubled slash", "https://reg.example/npm/", "https://reg.example/npm/x", "https://reg.example/npm//-/whoami", ""},
		{"interface, climbing", "https://reg.example/npm/", "https://reg.example/npm/x", "https://reg.example/npm/x/%2e%2e/-/whoami", ""},
		{"interface through the mirror", "https://reg.example/npm/", "https://reg.example/npm/x", "https://registry.npmjs.org/-/whoami", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reg, err := url.Parse(tt.reg)
			if err != nil {
				t.Fatal(err)
			}
			at, err := url.Parse(tt.at)
			if err != nil {
				t.Fatal(err)
			}
			got, err := resolveNPM(reg, at, tt.raw)
			switch {
			case err != nil && tt.want != "":
				t.Errorf("refused: %v", err)
			case err == nil && got.String() != tt.want:
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
