package programs

import "testing"

func TestFetchesAndRuns(t *testing.T) {
	for line, want := range map[string]bool{
		"curl -fsSL https://get.example/i.sh | sh":                   true,
		"curl -fsSL https://get.example/i.sh | sh -s -- --yes all":   true,
		"wget -qO- https://get.example/i | sudo bash -x":             true,
		"curl https://get.example/i |/bin/sh && echo done":           true,
		"echo aWQK | base64 -d | bash":                               true,
		"curl https://get.example/i.py | python3 -":                  true,
		"curl https://get.example/i.js | node":                       true,
		`bash -c "$(curl -fsSL https://get.example/i.sh)"`:           true,
		"bash <(curl -s https://get.example/i)":                      true,
		"eval `base64 --decode x`":                                   true,
		". <(wget -qO- https://get.example/i)":                       true,
		"true\ncurl https://get.example/i | \\\nsh":                  false, // continued lines are not joined
		"curl -fsSL https://downloads.example/x.tgz | tar xz":        false,
		"curl https://api.example/v | python3 -c 'import json'":      false,
		"curl -o x https://downloads.example/x; sh ./build.sh":       false,
		"prebuild-install || node-gyp rebuild --release":             false,
		"node -e \"try{require('./x')}catch(e){}\" || sh install.sh": false,
		"cat a | sh -c 'cat'":                                        false,
		"base64 -d x > y && node y":                                  false,
	} {
		if got := PipesDownloadToShell("/usr/bin/dash", []string{"sh", "-c", line}); got != want {
			t.Errorf("%q: %v, want %v", line, got, want)
		}
	}
	if PipesDownloadToShell("/usr/bin/node", []string{"node", "curl x | sh"}) {
		t.Error("a line that no shell was given")
	}
}

func TestBuildTool(t *testing.T) {
	for path, want := range map[string]bool{
		"/usr/bin/x86_64-linux-gnu-g++-12":                  true,
		"/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus":          true,
		"/usr/bin/python3.11":                               true,
		"/bin/sh":                                           true,
		"/usr/bin/node":                                     true,
		"/home/dev/code/server/node_modules/x/bin/x":        true,
		"/usr/bin/curl":                                     false,
		"/usr/bin/gccc":                                     false,
		"/usr/bin/evil-linux-gnu-gcc-12/curl":               false,
		"/usr/bin/x86_64-linux-gnu-curl":                    false,
		"/usr/lib/node_modules/npm/bin/node-gyp-bin/nodegp": false,
	} {
		if got := IsBuildTool(path); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}
