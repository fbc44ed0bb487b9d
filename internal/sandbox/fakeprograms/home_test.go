package fakeprograms

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// What the programs say is what the planted files say.
func TestSameAsHome(t *testing.T) {
	m := newMachine(t, 7)
	who := m.home.Owner
	read := func(name string) string { return string(content(m.home, mcpsf.Home+"/"+name)) }
	for line, file := range map[string]string{
		"kubectl config current-context":            ".kube/config",
		"kubectl config view --raw":                 ".kube/config",
		"gh auth token":                             ".config/gh/hosts.yml",
		"aws configure get region":                  ".aws/config",
		"aws configure get aws_access_key_id":       ".aws/credentials",
		"aws configure get aws_secret_access_key":   ".aws/credentials",
		"gcloud config get-value project":           ".config/gcloud/application_default_credentials.json",
		"terraform state show aws_db_instance.shop": "",
	} {
		out := strings.TrimSpace(m.line(line).out)
		if out == "" || file != "" && !strings.Contains(read(file), out) {
			t.Errorf("%s: %q is not in ~/%s", line, out, file)
		}
	}
	for line, want := range map[string]string{
		"kubectl cluster-info":                      "https://k8s." + m.home.ServiceDomain + ":6443",
		"kubectl config get-contexts":               who.Login + "-admin",
		"gh auth status":                            who.Login,
		"gh api user":                               who.Email,
		"az account show":                           who.Email,
		"gcloud auth list":                          who.Email,
		"aws sts get-caller-identity":               ":user/" + who.Login,
		"docker inspect webshop-web-1":              "webshop",
		"kubectl get ingress":                       "shop." + m.home.Domain,
		"aws configure list-profiles":               who.Company + "-prod",
		"ansible --list-hosts":                      "deploy." + m.home.Domain,
		"terraform output database":                 "db." + m.home.ServiceDomain,
		"aws rds describe-db-instances":             "shop-prod",
		"docker compose ls":                         m.home.Places.Repo,
		"gcloud compute instances list --project x": "web-1",
	} {
		if r := m.line(line); !strings.Contains(r.out, want) {
			t.Errorf("%s does not say %q: %s%s", line, want, r.out, r.err)
		}
	}
	var account struct{ ID, TenantID string }
	if err := json.Unmarshal([]byte(m.line("az account show").out), &account); err != nil || !strings.Contains(read(".azure/azureProfile.json"), account.ID) ||
		!strings.Contains(read(".azure/azureProfile.json"), account.TenantID) {
		t.Errorf("the account is %+v, %v", account, err)
	}
}

// The same seed gives the same scripts, another seed other ones.
func TestSeed(t *testing.T) {
	one, same, other := newMachine(t, 7), newMachine(t, 7), newMachine(t, 8)
	for i, f := range one.files {
		if !bytes.Equal(f.Content, same.files[i].Content) {
			t.Errorf("%s differs with the same seed", f.Path)
		}
	}
	for _, line := range []string{"kubectl get pods", "docker ps", "gh auth token", "aws sts get-caller-identity", "gcloud projects list", "az account show"} {
		if one.line(line).out == other.line(line).out {
			t.Errorf("%s: the same with another seed", line)
		}
	}
}

// Only the commands that print credentials hold secrets of the home.
func TestSecrets(t *testing.T) {
	m := newMachine(t, 7)
	may := map[string][]string{"gh": {"gh"}, "aws": {"aws"}, "kubectl": {"kube"}}
	for _, d := range m.home.Decoys {
		for _, token := range d.Tokens {
			for _, f := range m.files {
				name := filepath.Base(f.Path)
				prefix, _, _ := strings.Cut(d.ID, "-")
				if len(token) >= 8 && bytes.Contains(f.Content, []byte(token)) && !slices.Contains(may[name], prefix) {
					t.Errorf("%s holds a secret of %s", name, d.Path)
				}
			}
		}
	}
}

func TestSearchPath(t *testing.T) {
	for search, want := range map[string]string{
		"/usr/bin:/bin": "/usr/bin:/bin:/snap/bin", "": "/snap/bin", "/snap/bin:/bin": "/snap/bin:/bin",
	} {
		if got := SearchPath(search); got != want {
			t.Errorf("%q: %q, want %q", search, got, want)
		}
	}
}
