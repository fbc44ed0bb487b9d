package fakeprograms

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The options of the attacks do with a fake program what they do with the real
// program, and nothing behind "--".
func TestInjectedOptionsAreObeyed(t *testing.T) {
	m := newMachine(t, 7)
	for _, shell := range shells() {
		m.shell = shell
		search := t.TempDir() + ":/usr/bin:/bin"
		dir, _, _ := strings.Cut(search, ":")
		m.put("notes.txt", "hello\n")
		for _, tt := range []struct{ line, option string }{
			{"rg X hello", "--pre=§"},
			{"rg hello X", "--pre=§"},
			{"fd X txt", "--exec=§"},
			{"ssh X deploy", "-oProxyCommand=§"},
			{"ssh X ls", "-oProxyCommand=§"},
		} {
			ran := filepath.Join(m.dir, "ran")
			program := "mcq" + strings.ReplaceAll(t.Name(), "/", "")
			if err := os.WriteFile(filepath.Join(dir, program), []byte("#!/bin/sh\n: >"+ran+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			option := strings.ReplaceAll(tt.option, "§", program)
			m.runIn(search, fill(tt.line, option)...)
			if os.Remove(ran) != nil {
				t.Errorf("%s: %s with %s ran nothing", shell, tt.line, tt.option)
			}
			name, _, _ := strings.Cut(tt.line, " ")
			m.runIn(search, name, "--", option, "hello")
			if os.Remove(ran) == nil {
				t.Errorf("%s: %s ran %s behind --", shell, name, tt.option)
			}
		}
	}
}

// A file that an option names is opened: a missing one is noticed, as the real
// program would.
func TestInjectedFilesAreOpened(t *testing.T) {
	m := newMachine(t, 7)
	m.put("notes.txt", "hello\n")
	here := m.put("settings", "apiVersion: v1\n")
	for _, tt := range []struct{ line, option string }{
		{"kubectl get pods X", "--kubeconfig=§"},
		{"helm list X", "--kubeconfig=§"},
		{"kubectl apply X", "-f§"},
		{"helm template a b X", "-f§"},
		{"rg X hello", "--file=§"},
		{"rg X hello", "-f§"},
		{"psql X", "--file=§"},
		{"psql X", "-f§"},
		{"make X", "--file=§"},
		{"make X", "-f§"},
		{"mvn X test", "--file=§"},
		{"docker compose X ps", "--file=§"},
		{"docker compose X ps", "-f§"},
		{"cargo X build", "--config=§"},
		{"az group list X", "@§"},
		{"magick X out.png", "@§"},
	} {
		there := m.runIn("/usr/bin:/bin", fill(tt.line, strings.ReplaceAll(tt.option, "§", here))...)
		missing := m.runIn("/usr/bin:/bin", fill(tt.line, strings.ReplaceAll(tt.option, "§", here+"x"))...)
		if missing.code == 0 || !strings.Contains(missing.out+missing.err, here+"x") {
			t.Errorf("%s with %s: %d %s%s", tt.line, tt.option, missing.code, missing.out, missing.err)
		}
		if strings.Contains(there.err, here) {
			t.Errorf("%s with %s: %s", tt.line, tt.option, there.err)
		}
	}
	for _, tt := range []struct{ line, option string }{
		{"pandoc notes.txt X", "-o§"},
		{"pandoc notes.txt X", "--output=§"},
		{"psql -c select X", "--output=§"},
		{"psql -c select X", "-o§"},
		{"docker save webshop X", "--output=§"},
		{"docker save webshop X", "-o§"},
		{"tree X", "-o§"},
	} {
		file := filepath.Join(m.dir, "written")
		r := m.run(fill(tt.line, strings.ReplaceAll(tt.option, "§", file))...)
		if os.Remove(file) != nil {
			t.Errorf("%s with %s: nothing was written: %s", tt.line, tt.option, r.err)
		}
	}
}

// fill puts an option in the place of X.
func fill(line, option string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		if w == "X" {
			words[i] = option
		}
	}
	return words
}
