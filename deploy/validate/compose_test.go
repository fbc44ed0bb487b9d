package validate

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

func load(t *testing.T, file string, env ...string) (*types.Project, error) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	return options.LoadProject(t.Context())
}

// Compose's own code reads the file, by the specification's schema.
func TestCompose(t *testing.T) {
	p, err := load(t, "../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(p.Services)); !slices.Equal(got, []string{"postgres", "server", "worker"}) {
		t.Fatalf("services: %v", got)
	}
	for name, s := range p.Services {
		limits := s.Deploy.Resources.Limits
		if limits == nil || limits.MemoryBytes <= 0 || limits.NanoCPUs <= 0 || limits.Pids <= 0 {
			t.Errorf("%s: limits %+v", name, limits)
		}
		if s.Privileged || s.User == "" || strings.HasPrefix(s.User, "0") || !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || len(s.CapAdd) > 0 {
			t.Errorf("%s: user %q, read only %v, drops %v", name, s.User, s.ReadOnly, s.CapDrop)
		}
		if slices.Contains(s.SecurityOpt, "seccomp:unconfined") != (name == "worker") {
			t.Errorf("%s: %v", name, s.SecurityOpt)
		}
		if s.HealthCheck == nil || len(s.HealthCheck.Test) < 2 {
			t.Errorf("%s: health check %+v", name, s.HealthCheck)
		}
	}
	for name, s := range p.Secrets {
		dir, file := filepath.Split(s.File)
		if file != name || filepath.Base(dir) != "secrets" || filepath.Base(filepath.Dir(filepath.Clean(dir))) != "deploy" {
			t.Errorf("the secret %s is in %s", name, s.File)
		}
	}
	if worker := p.Services["worker"]; worker.ContainerName != "" || len(worker.Ports) > 0 {
		t.Error("there can be only one worker")
	}
	// Nobody but the two reaches the database, and it reaches nobody.
	for name, n := range p.Networks {
		if bool(n.Internal) != (name == "database") {
			t.Errorf("network %s: internal %v", name, n.Internal)
		}
	}
	if got := slices.Sorted(maps.Keys(p.Services["postgres"].Networks)); !slices.Equal(got, []string{"database"}) {
		t.Errorf("the database is in %v", got)
	}
	if _, shared := p.Services["worker"].Networks["front"]; shared {
		t.Error("workers are in the server's network")
	}
}

// Settings of the example are taken, and wrong ones are not.
func TestComposeSettings(t *testing.T) {
	text, err := os.ReadFile("../.env.example")
	if err != nil {
		t.Fatal(err)
	}
	var env []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			env = append(env, line)
		}
	}
	if _, err := load(t, "../compose.yaml", env...); err != nil {
		t.Error(err)
	}
	p, err := load(t, "../compose.yaml", "MCPSF_WORKERS=7", "MCPSF_WORKER_MEMORY=3g")
	if err != nil {
		t.Fatal(err)
	}
	if w := p.Services["worker"]; !slices.Contains(w.Command, "--workers=7") || w.Deploy.Resources.Limits.MemoryBytes != 3<<30 {
		t.Errorf("%v, %v", w.Command, w.Deploy.Resources.Limits)
	}
	if _, err := load(t, "../compose.yaml", "MCPSF_WORKER_MEMORY=much"); err == nil {
		t.Error("a size that is none was taken")
	}
	bad := filepath.Join(t.TempDir(), "compose.yaml")
	if err := os.WriteFile(bad, []byte("name: x\nservices: {a: {image: x, cap_drops: [ALL]}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := load(t, bad); err == nil {
		t.Error("a field that there is not was taken")
	}
}
