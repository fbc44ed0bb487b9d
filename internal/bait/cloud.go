package bait

import (
	"encoding/base64"
	"fmt"
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
	return nil
}

func azureCredentials(k *kit, h *Home) error {
	m := k.mint("azure")
	account := m.uuid() + "." + m.uuid()
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
`, k.who.domain, k.who.login, token)
	h.decoy(m, KindKube, "kube", ".kube/config", content)
	return nil
}

func dockerConfig(k *kit, h *Home) error {
	m := k.mint("docker")
	auth := func(token string) string {
		return m.keep(base64.StdEncoding.EncodeToString([]byte(k.who.login + ":" + token)))
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
