package decoys

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	home := mustMint(t, 60)
	ids := map[string]bool{}
	for _, d := range home.Decoys {
		ids[d.ID] = true
	}
	names := map[string]string{}
	for _, v := range home.Environment() {
		if ids[v.ID] || !regexp.MustCompile(`^var-[0-9a-f]{2}$`).MatchString(v.ID) {
			t.Errorf("%s has the id %q, which is taken or malformed", v.Name, v.ID)
		}
		ids[v.ID] = true
		if !regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`).MatchString(v.Name) || names[v.Name] != "" {
			t.Errorf("name %q is taken or malformed", v.Name)
		}
		if v.Kind != KindVariable || len(v.Tokens) != 1 || !strings.Contains(v.Value, v.Tokens[0]) {
			t.Errorf("%+v", v)
		}
		if strings.ContainsAny(v.Value, " \t\n\"'$`\\") {
			t.Errorf("%s needs quoting: %s", v.Name, v.Value)
		}
		names[v.Name] = v.Value
	}
	for name, shape := range map[string]string{
		"GITHUB_TOKEN":          `^ghp_[0-9A-Za-z]{36}$`,
		"NPM_TOKEN":             `^npm_[0-9A-Za-z]{36}$`,
		"AWS_ACCESS_KEY_ID":     `^AKIA[A-Z2-7]{16}$`,
		"AWS_SECRET_ACCESS_KEY": `^[A-Za-z0-9/+]{40}$`,
		"WEBSHOP_DATABASE_URL":  `^postgres://shop:\w{20}@db\.[a-z]+\.example:5432/shop$`,
	} {
		if !regexp.MustCompile(shape).MatchString(names[name]) {
			t.Errorf("%s is %q", name, names[name])
		}
	}
}

// TestEnvironmentChangesNothing lists what client libraries and run times
// take up by themselves: with one of these, a program does other things than
// without.
func TestEnvironmentChangesNothing(t *testing.T) {
	taken := []string{
		"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL", "KUBECONFIG", "DOCKER_HOST",
		"GOOGLE_APPLICATION_CREDENTIALS", "DATABASE_URL", "PGPASSWORD", "PGHOST", "MYSQL_PWD", "SENTRY_DSN", "HF_TOKEN", "VAULT_ADDR",
		"OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "NODE_OPTIONS", "NODE_ENV", "PYTHONPATH", "CI", "GITHUB_ACTIONS", "DEBUG",
	}
	for _, v := range slices.Concat(mustEnvironment(t, 1), mustEnvironment(t, 2)) {
		if slices.Contains(taken, v.Name) {
			t.Errorf("%s changes what innocent programs do", v.Name)
		}
	}
}

func mustEnvironment(t *testing.T, seed uint64) []Variable {
	t.Helper()
	home := mustMint(t, seed)
	return home.Environment()
}
