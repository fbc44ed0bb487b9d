package fakeprograms

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"text/template"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// values are what the tables are filled with: the developer, what the planted
// files say, and what is made from the seed.
type values struct {
	decoys.Owner

	Domain string
	// Services is the domain of its databases and its cluster.
	Services string
	// Home is the developer's folder, Repo that of the project.
	Home, Repo string
	// What the planted configuration of the programs says.
	GCPProject, AzureSubscription, AzureTenant           string
	AWSKeyID, AWSSecret, Bucket, GitHubToken, Kubeconfig string

	seed uint64
	now  time.Time
}

// planted says where in the home a value is.
type planted struct {
	to      *string
	file    string
	pattern string
}

func newValues(seed uint64, now time.Time, home *decoys.Home) (*values, error) {
	v := &values{Owner: home.Owner, Domain: home.Domain, Services: home.ServiceDomain, Home: mcpsf.Home, Repo: home.Places.Repo, seed: seed, now: now.UTC()}
	for _, p := range []planted{
		{&v.GCPProject, ".config/gcloud/application_default_credentials.json", `"quota_project_id": "([^"]+)"`},
		{&v.AzureSubscription, ".azure/azureProfile.json", `"subscriptions": \[\{"id": "([^"]+)"`},
		{&v.AzureTenant, ".azure/azureProfile.json", `"tenantId": "([^"]+)"`},
		{&v.AWSKeyID, ".aws/credentials", `aws_access_key_id = (\S+)`},
		{&v.AWSSecret, ".aws/credentials", `aws_secret_access_key = (\S+)`},
		{&v.Bucket, ".zsh_history", `aws s3 ls s3://(\S+)`},
		{&v.GitHubToken, ".config/gh/hosts.yml", `oauth_token: (\S+)`},
		{&v.Kubeconfig, ".kube/config", `(?s)^(.*)$`},
	} {
		found := regexp.MustCompile(p.pattern).FindSubmatch(content(home, path.Join(mcpsf.Home, p.file)))
		if found == nil {
			return nil, fmt.Errorf("the planted %s does not say what is looked for", p.file)
		}
		*p.to = string(found[1])
	}
	return v, nil
}

func content(home *decoys.Home, name string) []byte {
	for i := range home.Decoys {
		if home.Decoys[i].Path == name {
			return home.Decoys[i].Content
		}
	}
	for _, f := range home.Scenery {
		if f.Path == name {
			return f.Content
		}
	}
	return nil
}

// random returns a source for a label: the same label has the same value in all
// programs, so that docker and kubectl speak of the same image.
func (v *values) random(label string) *rand.Rand {
	key := sha256.Sum256(append(binary.LittleEndian.AppendUint64(nil, v.seed), "fake program "+label...))
	return rand.New(rand.NewChaCha8(key))
}

func (v *values) text(label string, n int, alphabet string) string {
	r := v.random(label)
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

// functions are what the tables can call beside the fields of values.
func (v *values) functions() template.FuncMap {
	const lower, digits = "bcdfghjklmnpqrstvwxz2456789", "0123456789"
	ago := func(days int) time.Time {
		return v.now.AddDate(0, 0, -days).Truncate(time.Hour).Add(-time.Duration(v.random("minute").IntN(3600)) * time.Second)
	}
	return template.FuncMap{
		"list": func(names ...string) []string { return names },
		"hex":  func(label string, n int) string { return v.text(label, n, "0123456789abcdef") },
		"digits": func(label string, n int) string {
			return v.text(label+" first", 1, digits[1:]) + v.text(label, n-1, digits)
		},
		"letters": func(label string, n int) string { return v.text(label, n, lower) },
		"alnum": func(label string, n int) string {
			return v.text(label, n, digits+"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
		},
		"base32":  func(label string, n int) string { return v.text(label, n, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") },
		"between": func(label string, low, high int) int { return low + v.random(label).IntN(high-low+1) },
		"uuid": func(label string) string {
			h := v.text(label, 30, "0123456789abcdef")
			return h[:8] + "-" + h[8:12] + "-4" + h[12:15] + "-a" + h[15:18] + "-" + h[18:30]
		},
		// The name of a pod of a deployment.
		"pod": func(name string) string {
			return name + "-" + v.text("set "+name, 9, lower) + "-" + v.text("pod "+name, 5, lower)
		},
		"ago":   func(days int) string { return ago(days).Format(time.RFC3339) },
		"date":  func(layout string, days int) string { return ago(days).Format(layout) },
		"quote": func(s string) string { return fmt.Sprintf("%q", s) },
	}
}
