package host

import (
	"strings"
	"testing"
)

func TestMetadata(t *testing.T) {
	h := New(testOptions(t))
	const at = "http://169.254.169.254"
	named, _ := asked(t, h, "GET "+at+"/latest/meta-data/iam/security-credentials/")
	role := string(named.Body)
	token, _ := asked(t, h, "PUT "+at+"/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 60")
	if token.Status != 200 || len(token.Body) < 40 {
		t.Fatalf("%d %q", token.Status, token.Body)
	}
	right := "X-aws-ec2-metadata-token: " + string(token.Body)
	for _, tt := range []struct {
		ask, header string
		code        int
		has         string
	}{
		{"PUT " + at + "/latest/api/token", "", 400, ""},
		{"PUT " + at + "/latest/api/token", "X-aws-ec2-metadata-token-ttl-seconds: 999999", 400, ""},
		{"GET " + at + "/latest/api/token", "", 405, ""},
		{"GET " + at + "/latest/meta-data/", right, 200, "iam/"},
		{"GET " + at + "/latest/meta-data/iam/security-credentials/", right, 200, role},
		{"GET " + at + "/latest/meta-data/iam/security-credentials/" + role, right, 200, `"SecretAccessKey":"aws-secret"`},
		{"GET " + at + "/latest/meta-data/iam/security-credentials/" + role, "", 200, `"AccessKeyId":"ASIAEXAMPLE"`},
		{"GET " + at + "/2021-03-23/meta-data/instance-id", "", 200, "i-0"},
		{"GET " + at + "/latest/meta-data/instance-id", "X-aws-ec2-metadata-token: wrong", 401, ""},
		{"GET " + at + "/latest/dynamic/instance-identity/document", "", 200, `"region":`},
		{"GET " + at + "/latest/meta-data/nothing", "", 404, ""},
		{"GET http://[fd00:ec2::254]/latest/meta-data/", "", 200, "ami-id"},
		{"GET http://169.254.170.2/v2/credentials/abc", "", 200, `"Token":"aws-token"`},
		{"GET http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token", "Metadata-Flavor: Google", 200, `"access_token":"gcp-token"`},
		{"GET http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token", "", 403, ""},
		{"GET " + at + "/computeMetadata/v1/project/project-id", "Metadata-Flavor: Google", 200, "-prod-"},
		{"GET " + at + "/", "Metadata-Flavor: Google", 200, "computeMetadata/"},
		{"GET " + at + "/computeMetadata/v1/instance/nothing", "Metadata-Flavor: Google", 404, ""},
		{"GET " + at + "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=x", "Metadata: true", 200, `"access_token":"azure-token"`},
		{"GET " + at + "/metadata/identity/oauth2/token", "", 400, "metadata header"},
		{"GET " + at + "/metadata/instance?api-version=2021-02-01", "Metadata: true", 200, `"subscriptionId":`},
	} {
		a, _ := asked(t, h, tt.ask, tt.header, "", "")
		if a.Status != tt.code || !strings.Contains(string(a.Body), tt.has) {
			t.Errorf("%s with %q: %d %q", tt.ask, tt.header, a.Status, a.Body)
		}
	}
	bare := New(nil)
	if a, _ := asked(t, bare, "GET "+at+"/latest/meta-data/"); a.Status != 404 {
		t.Errorf("without credentials: %d", a.Status)
	}
	if a, _ := asked(t, h, "GET https://a.example/latest/meta-data/iam/security-credentials/"+role); strings.Contains(string(a.Body), "aws-secret") {
		t.Error("any host hands out credentials")
	}
}
