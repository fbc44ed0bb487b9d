package decoys

import (
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"strings"
	"time"
)

func awsCredentials(k *kit, h *Home) error {
	m := k.mint("aws")
	content := ""
	for _, profile := range []string{"default", k.who.company + "-prod"} {
		content += fmt.Sprintf("[%s]\naws_access_key_id = %s\naws_secret_access_key = %s\n\n",
			profile, m.secret("AKIA", 16, base32), m.secret("", 40, base64ab))
	}
	h.decoy(m, KindAWS, "aws", ".aws/credentials", content[:len(content)-1])
	h.plain(".aws/config", 0o600, fmt.Sprintf("[default]\nregion = eu-central-1\noutput = json\n\n[profile %s-prod]\nregion = eu-west-1\n", k.who.company))

	m = k.mint("aws session")
	h.decoy(m, KindAWSSession, "sso", ".aws/sso/cache/"+m.text(40, hexits)+".json", fmt.Sprintf(
		`{"startUrl": "https://d-%s.awsapps.com/start", "region": "eu-central-1", "accessToken": "%s", "expiresAt": "%s", "clientId": "%s", "clientSecret": "%s", "registrationExpiresAt": "%s", "refreshToken": "%s"}`+"\n",
		m.text(10, hexits), m.secret("aoaAAAAAG", 330, base64ab), k.now.Add(5*time.Hour).Format(time.RFC3339), m.text(34, urlsafe),
		m.jwt(`{"kid":"key-1564028099","alg":"HS384"}`, fmt.Sprintf(`{"serialized":"{\"clientName\":\"botocore-client-%s\"}"}`, m.uuid())),
		k.now.AddDate(0, 2, 0).Format(time.RFC3339), m.secret("aorAAAAAG", 330, base64ab)))
	return nil
}

func gcloudCredentials(k *kit, h *Home) error {
	m := k.mint("gcloud")
	content := fmt.Sprintf(`{
  "account": "",
  "client_id": "%s-%s.apps.googleusercontent.com",
  "client_secret": "%s",
  "quota_project_id": "%s-prod-%s",
  "refresh_token": "%s",
  "type": "authorized_user",
  "universe_domain": "googleapis.com"
}
`, m.text(12, digits), m.text(32, lower+digits), m.secret("GOCSPX-", 28, urlsafe), k.who.company, m.text(6, digits),
		m.secret("1//0", 98, urlsafe))
	h.decoy(m, KindGCloud, "gcloud", ".config/gcloud/application_default_credentials.json", content)

	m = k.mint("gcloud store")
	grant := fmt.Sprintf(`{
  "client_id": "%s.apps.googleusercontent.com",
  "refresh_token": "%s",
  "token_uri": "https://oauth2.googleapis.com/token",
  "type": "authorized_user",
  "universe_domain": "googleapis.com"
}`, m.text(11, digits), m.secret("1//0", 98, urlsafe))
	file, err := database(table{
		name: "credentials", create: "CREATE TABLE credentials (account_id TEXT PRIMARY KEY, value BLOB)",
		rows: [][]any{{k.who.email, grant}}, indexes: []index{{columns: []int{0}}},
	})
	if err != nil {
		return fmt.Errorf("writing gcloud's credentials: %w", err)
	}
	h.decoy(m, KindGCloud, "gcloud", ".config/gcloud/credentials.db", string(file))
	return nil
}

// serviceAccount is a key as the console issues it, in the download directory.
// It has half the usual size, which is still issued and quick to generate.
func serviceAccount(k *kit, h *Home) error {
	m := k.mint("service account")
	inner, err := asn1.Marshal(k.accountKey())
	if err != nil {
		return fmt.Errorf("encoding an RSA key: %w", err)
	}
	der, err := asn1.Marshal(struct {
		Version   int
		Algorithm pkix.AlgorithmIdentifier
		Key       []byte
	}{0, pkix.AlgorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}, Parameters: asn1.NullRawValue}, inner})
	if err != nil {
		return fmt.Errorf("encoding an RSA key: %w", err)
	}
	private := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	m.keepLines(private, 64)
	quoted, err := json.Marshal(private)
	if err != nil {
		return fmt.Errorf("quoting a key: %w", err)
	}
	project, id := k.who.company+"-prod-"+m.text(6, digits), m.text(40, hexits)
	account := "deployer@" + project + ".iam.gserviceaccount.com"
	h.decoy(m, KindServiceAccount, "account", "Downloads/"+project+"-"+id[:12]+".json", fmt.Sprintf(`{
  "type": "service_account",
  "project_id": "%[1]s",
  "private_key_id": "%[2]s",
  "private_key": %[3]s,
  "client_email": "%[4]s",
  "client_id": "%[5]s",
  "auth_uri": "https://accounts.google.com/o/oauth2/auth",
  "token_uri": "https://oauth2.googleapis.com/token",
  "auth_provider_x509_cert_url": "https://www.googleapis.com/oauth2/v1/certs",
  "client_x509_cert_url": "https://www.googleapis.com/robot/v1/metadata/x509/deployer%%40%[1]s.iam.gserviceaccount.com",
  "universe_domain": "googleapis.com"
}
`, project, id, quoted, account, m.text(21, digits[1:])))
	return nil
}

func azureCredentials(k *kit, h *Home) error {
	m := k.mint("azure")
	tenant := m.uuid()
	account := m.uuid() + "." + tenant
	client := m.uuid()
	content := fmt.Sprintf(`{
    "RefreshToken": {
        "%[1]s-login.microsoftonline.com-refreshtoken-%[2]s--": {
            "credential_type": "RefreshToken",
            "secret": "%[3]s",
            "home_account_id": "%[1]s",
            "environment": "login.microsoftonline.com",
            "client_id": "%[2]s",
            "target": "https://management.core.windows.net//.default offline_access openid profile",
            "last_modification_time": "%[4]d"
        }
    }
}
`, account, client, m.secret("0.AX", 680, urlsafe), k.ago(m, 3).Unix())
	h.decoy(m, KindAzure, "azure", ".azure/msal_token_cache.json", content)
	h.plain(".azure/azureProfile.json", 0o600, fmt.Sprintf("\ufeff"+`{"installationId": "%s", "subscriptions": [{"id": "%s", "name": "%s production", "state": "Enabled", "user": {"name": "%s", "type": "user"}, "isDefault": true, "tenantId": "%s", "environmentName": "AzureCloud", "homeTenantId": "%[5]s", "managedByTenants": []}]}`,
		m.uuid(), m.uuid(), k.who.company, k.who.email, tenant))
	return nil
}

func kubeconfig(k *kit, h *Home) error {
	m := k.mint("kube")
	token := m.jwt(
		fmt.Sprintf(`{"alg":"RS256","kid":"%s"}`, m.text(43, urlsafe)),
		fmt.Sprintf(`{"iss":"kubernetes/serviceaccount","sub":"system:serviceaccount:kube-system:%s-admin","iat":%d}`,
			k.who.login, k.ago(m, 60).Unix()))
	content := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters:
- name: prod
  cluster:
    server: https://k8s.%[1]s:6443
contexts:
- name: prod
  context:
    cluster: prod
    namespace: webshop
    user: %[2]s-admin
current-context: prod
preferences: {}
users:
- name: %[2]s-admin
  user:
    token: %[3]s
`, k.who.services, k.who.login, token)
	h.decoy(m, KindKube, "kube", ".kube/config", content)
	return nil
}

func dockerConfig(k *kit, h *Home) error {
	m := k.mint("docker")
	auth := func(token string) string { // kept both encoded and plain
		const tail = 20 // trailing characters that contain only the token
		text := base64.StdEncoding.EncodeToString([]byte(k.who.login + ":" + m.keep(token)))
		bare := strings.TrimRight(text, "=")
		m.keep(bare[len(bare)-tail:])
		return text
	}
	content := fmt.Sprintf(`{
	"auths": {
		"https://index.docker.io/v1/": {
			"auth": "%s"
		},
		"registry.%s": {
			"auth": "%s"
		}
	}
}
`, auth("dckr_pat_"+m.text(27, urlsafe)), k.who.domain, auth(m.text(24, alnum)))
	h.decoy(m, KindDocker, "docker", ".docker/config.json", content)
	return nil
}
