package services

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Metadata has the credentials that clouds give to virtual machines. A cloud
// without a credential here does not exist.
type Metadata struct {
	AWSKeyID, AWSSecret, AWSToken string
	// GCPToken and AzureToken are access tokens of the machine's account.
	GCPToken, AzureToken string
}

// metadata is the metadata service of clouds. All clouds have it at the same
// address; the path says which cloud is meant.
func metadata(s *Services, r *Request) *Answer {
	if !s.isMetadata(r) {
		return nil
	}
	m := s.opts.Metadata
	switch {
	case strings.HasPrefix(r.Path, "/computeMetadata") && m.GCPToken != "":
		return s.gcp(r)
	case strings.HasPrefix(r.Path, "/metadata/") && m.AzureToken != "":
		return s.azure(r)
	case r.Path == "/" && r.Header("Metadata-Flavor") != "" && m.GCPToken != "":
		return google("computeMetadata/\n")
	case m.AWSKeyID != "":
		return s.aws(r)
	}
	return Page(http.StatusNotFound)
}

func (s *Services) isMetadata(r *Request) bool {
	if r.TLS {
		return false
	}
	if slices.Contains(lists().Metadata.Hosts, r.Domain()) {
		return true
	}
	for _, a := range lists().Metadata.Addresses {
		if r.Domain() == a || r.Address == netip.MustParseAddr(a) {
			return true
		}
	}
	return false
}

// machine is the fake virtual machine. It is the same for all requests.
type machine struct {
	instance, account, mac, local, public, region, zone, role, project string
}

func (s *Services) machine() machine {
	d := s.dice("machine")
	m := machine{
		instance: "i-0" + letters(d, 16, hexDigits), account: letters(d, 12, "123456789"),
		mac:   "06:" + letters(d, 2, hexDigits) + ":" + letters(d, 2, hexDigits) + ":4b:9c:1e",
		local: "172.31." + pick(d, "18.204", "40.77", "5.163"), public: "203.0.113." + letters(d, 2, "123456789"),
		region: pick(d, "us-east-1", "eu-central-1", "us-west-2"),
		role:   pick(d, "app-server", "build-agent", "web-prod") + "-role", project: pick(d, "atlas", "harbor", "cobalt") + "-prod-" + letters(d, 6, "123456789"),
	}
	m.zone = m.region + "a"
	return m
}

// number is the number of the machine's project, and mail its account, in GCP.
func (m machine) number() string { return "814" + m.account[:9] }

func (m machine) mail() string { return m.number() + "-compute@developer.gserviceaccount.com" }

// fill replaces placeholders in a value with the machine's data.
func (m machine) fill(value string) string {
	return strings.NewReplacer(
		"{instance}", m.instance, "{account}", m.account, "{mac}", m.mac, "{local}", m.local, "{public}", m.public, "{region}", m.region,
		"{zone}", m.zone, "{role}", m.role, "{project}", m.project, "{number}", m.number(), "{mail}", m.mail(),
		"{image}", m.instance[4:], "{dashed}", strings.ReplaceAll(m.local, ".", "-"),
	).Replace(value)
}

func plainText(body string) *Answer { return of(http.StatusOK, "text/plain", []byte(body)) }

func google(body string) *Answer {
	return of(http.StatusOK, "application/text", []byte(body)).with("Metadata-Flavor", "Google").with("Server", "Metadata Server for VM")
}

func (s *Services) gcp(r *Request) *Answer {
	if r.Header("Metadata-Flavor") != "Google" && r.Header("X-Google-Metadata-Request") == "" {
		return Page(http.StatusForbidden).with("Metadata-Flavor", "Google")
	}
	m := s.machine()
	mail := m.mail()
	p := strings.Trim(strings.TrimPrefix(strings.TrimPrefix(r.Path, "/computeMetadata/v1beta1"), "/computeMetadata/v1"), "/")
	p = strings.Replace(p, "service-accounts/"+mail, "service-accounts/default", 1)
	switch p {
	case "instance/service-accounts/default/token":
		a := asJSON(http.StatusOK, object{"access_token": s.opts.Metadata.GCPToken, "expires_in": 3487, "token_type": "Bearer"})
		return a.with("Metadata-Flavor", "Google").with("Server", "Metadata Server for VM")
	case "instance/service-accounts/default":
		a := asJSON(http.StatusOK, object{"aliases": []string{"default"}, "email": mail, "scopes": []string{cloudScope}})
		return a.with("Metadata-Flavor", "Google").with("Server", "Metadata Server for VM")
	}
	if v, ok := lists().GCPMetadata[p]; ok {
		return google(m.fill(v))
	}
	return Page(http.StatusNotFound).with("Metadata-Flavor", "Google")
}

const cloudScope = "https://www.googleapis.com/auth/cloud-platform"

func (s *Services) azure(r *Request) *Answer {
	if !strings.EqualFold(r.Header("Metadata"), "true") {
		return asJSON(http.StatusBadRequest, object{"error": "Bad request. Required metadata header not specified"})
	}
	m, d := s.machine(), s.dice("azure")
	switch {
	case strings.HasPrefix(r.Path, "/metadata/identity/oauth2/token"):
		expires := s.opts.Now().Add(23 * time.Hour).Unix()
		return asJSON(http.StatusOK, object{
			"access_token": s.opts.Metadata.AzureToken, "client_id": uuid(d), "expires_in": "82800",
			"expires_on": itoa(expires), "ext_expires_in": "86399", "not_before": itoa(expires - 86400),
			"resource": "https://management.azure.com/", "token_type": "Bearer",
		})
	case strings.HasPrefix(r.Path, "/metadata/instance"):
		return asJSON(http.StatusOK, object{"compute": object{
			"azEnvironment": "AzurePublicCloud", "location": "westeurope", "name": "web-1", "osType": "Linux",
			"resourceGroupName": m.project, "subscriptionId": uuid(d), "vmId": uuid(d), "vmSize": "Standard_D2s_v5",
		}, "network": object{"interface": []object{{"ipv4": object{"ipAddress": []object{{"privateIpAddress": "10.0.0.4", "publicIpAddress": ""}}}, "macAddress": strings.ToUpper(strings.ReplaceAll(m.mac, ":", ""))}}}})
	}
	return asJSON(http.StatusNotFound, object{"error": "Not found"})
}
