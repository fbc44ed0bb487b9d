package declared

import "testing"

// Whoever reads a variable can have a host that is called like it.
func TestServes(t *testing.T) {
	for _, tt := range []struct {
		variable, host string
		want           bool
	}{
		{"GITHUB_TOKEN", "api.github.com", true},
		{"AWS_ACCESS_KEY_ID", "s3.eu-west-1.amazonaws.com", true},
		{"AWS_ACCESS_KEY_ID", "sts.amazonaws.com", true},
		{"OPENAI_API_KEY", "api.openai.com", true},
		{"GITHUB_TOKEN", "somebody.github.io", false},
		{"CLOUDFLARE_API_TOKEN", "collect.somebody.workers.dev", false},
		{"AWS_ACCESS_KEY_ID", "somebody.s3.amazonaws.com", false},
		{"WEBSHOP_DATABASE_URL", "webshop.test", false},
		{"ACME_DEPLOY_TOKEN", "deploy.example", false},
		{"OPENAI_API_KEY", "192.0.2.7", false},
	} {
		if got := Serves(tt.variable, tt.host); got != tt.want {
			t.Errorf("%s at %s: %v", tt.variable, tt.host, got)
		}
	}
}

// A description that mentions a well-known service names only what is the
// service's own.
func TestHostsOfCustomers(t *testing.T) {
	d := New(Scope{Name: "notes", Description: "Notes at Cloudflare and Hugging Face"})
	for host, want := range map[string]By{
		"api.cloudflare.com": ByName, "collect.somebody.workers.dev": ByDocument, "somebody.hf.space": ByDocument, "huggingface.co": ByName,
	} {
		if got := d.Hosts.Explain(host).By; got != want {
			t.Errorf("%s: %d, want %d", host, got, want)
		}
	}
}
