package host

import "testing"

// TestInstall sends the same requests to a host for an installation and to an
// ordinary host.
func TestInstall(t *testing.T) {
	o := testOptions(t)
	usual := New(o)
	o.Install = true
	install := New(o)
	for _, tt := range []struct {
		ask  string
		rest []string
		code int
	}{
		{"GET https://github.com/a/b/releases/download/v1.2.3/b-v1.2.3-napi-v6-linux-x64.tar.gz", nil, 404},
		{"HEAD https://github.com/a/b/releases/download/v1.2.3/b-linux-x64.node", nil, 404},
		{"GET https://github.com/a/b/releases/download/v1.2.3/esbuild", nil, 404},
		{"GET https://nodejs.org/download/release/v20.1.0/node-v20.1.0-headers.tar.gz", nil, 404},
		{"GET https://nodejs.org/download/release/v20.1.0/SHASUMS256.txt", nil, 404},
		{"GET https://nodejs.org/dist/index.json", nil, 404},
		{"GET https://cdn.playwright.dev/dbazure/download/playwright/builds/chromium/1148/chromium-linux.zip", nil, 404},
		{"GET https://storage.googleapis.com/chrome-for-testing-public/131.0.6778.85/linux64/chrome-linux64.zip", nil, 404},
		{"GET https://googlechromelabs.github.io/chrome-for-testing/known-good-versions.json", nil, 404},
		{"GET https://registry.npmjs.org/left-pad", nil, 404},
		{"GET https://registry.npmjs.org/chart.js", nil, 404},
		{"GET https://pypi.org/simple/requests/", nil, 404},
		{"GET https://files.pythonhosted.org/packages/a/b/c-1.0-py3-none-any.whl", nil, 404},
		{"GET https://github.com/a/b.git/info/refs?service=git-upload-pack", nil, 404},
		{"GET https://api.github.com/repos/a/b/releases/latest", nil, 404},
		{"GET https://a.example/model.onnx", nil, 404},
		{"GET https://a.example/tool-linux-amd64", nil, 404},
		{"GET https://a.example/logo.png", nil, 404},

		{"GET https://a.example/install.sh", nil, 200},
		{"GET https://get.a.example/", []string{"User-Agent: curl/8"}, 200},
		{"GET https://a.example/stage2.js", nil, 200},
		{"GET https://api.example/v1.2/users", nil, 200},
		{"GET https://a.example/config.json", nil, 200},
		{"GET https://api.example/check/192.0.2.7", nil, 200},
		{"GET https://a.example/collect?k=v", nil, 200},
		{"GET http://169.254.169.254/latest/meta-data/", nil, 200},
		{"GET https://dns.example/resolve?name=a.example", nil, 200},
		{"GET https://github.com/a/b.git/info/refs?service=git-receive-pack", nil, 200},
		{"POST https://a.example/upload.zip", []string{"", "x"}, 200},
		{"PUT https://a.example/releases/x.tar.gz", []string{"", "x"}, 200},
		{"POST https://registry.npmjs.org/-/npm/v1/security/audits", []string{"", "{}"}, 200},
		{"POST https://a.example/collect", []string{"", "x"}, 200},
	} {
		if a, _ := asked(t, install, tt.ask, tt.rest...); a.Status != tt.code {
			t.Errorf("%s: %d %.60q", tt.ask, a.Status, a.Shown)
		}
		if a, _ := asked(t, usual, tt.ask, tt.rest...); a.Status != 200 && tt.code == 200 {
			t.Errorf("%s, without installation: %d", tt.ask, a.Status)
		}
	}
}
