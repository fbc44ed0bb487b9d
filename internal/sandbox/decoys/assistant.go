package decoys

import (
	"fmt"
	"time"
)

// assistants are the logins of command-line coding assistants.
func assistants(k *kit, h *Home) error {
	m := k.mint("claude login")
	h.decoy(m, KindAssistant, "claude", ".claude/.credentials.json", fmt.Sprintf(
		`{"claudeAiOauth":{"accessToken":"%s","refreshToken":"%s","expiresAt":%d,"scopes":["user:inference","user:profile"],"subscriptionType":"max"}}`,
		m.secret("sk-ant-oat01-", 95, urlsafe), m.secret("sk-ant-ort01-", 95, urlsafe), k.now.Add(5*time.Hour).UnixMilli()))

	m = k.mint("codex login")
	account := m.uuid()
	token := func(claims string) string {
		return m.jwt(fmt.Sprintf(`{"alg":"RS256","kid":"%s","typ":"JWT"}`, m.uuid()), claims)
	}
	h.decoy(m, KindAssistant, "codex", ".codex/auth.json", fmt.Sprintf(`{
  "OPENAI_API_KEY": null,
  "tokens": {
    "id_token": "%s",
    "access_token": "%s",
    "refresh_token": "%s",
    "account_id": "%s"
  },
  "last_refresh": "%s"
}
`, token(fmt.Sprintf(`{"iss":"https://auth.openai.com","email":"%s","exp":%d}`, k.who.email, k.now.Add(time.Hour).Unix())),
		token(fmt.Sprintf(`{"iss":"https://auth.openai.com","aud":["https://api.openai.com/v1"],"jti":"%s"}`, m.uuid())),
		m.secret("rt_", 90, urlsafe), account, k.ago(m, 2).Format(time.RFC3339Nano)))

	m = k.mint("gemini login")
	h.decoy(m, KindAssistant, "gemini", ".gemini/oauth_creds.json", fmt.Sprintf(`{
  "access_token": "%s",
  "refresh_token": "%s",
  "scope": "https://www.googleapis.com/auth/cloud-platform openid",
  "token_type": "Bearer",
  "expiry_date": %d
}`, m.secret("ya29.a0", 210, urlsafe), m.secret("1//0", 98, urlsafe), k.now.Add(time.Hour).UnixMilli()))

	m = k.mint("copilot login")
	h.decoy(m, KindAssistant, "copilot", ".config/github-copilot/apps.json", fmt.Sprintf(
		`{"github.com:Iv1.%s":{"user":"%s","oauth_token":"%s","githubAppId":"Iv1.%[1]s"}}`,
		m.text(16, hexits), k.who.login, m.checked("ghu_")))
	return nil
}

// modelTokens are API keys of other programs for language models.
func modelTokens(k *kit, h *Home) error {
	m := k.mint("hugging face")
	h.decoy(m, KindModelToken, "hf", ".cache/huggingface/token", m.secret("hf_", 34, upper+lower))

	m = k.mint("llm keys")
	h.decoy(m, KindModelToken, "llm", ".config/io.datasette.llm/keys.json", fmt.Sprintf(`{
  "// Note": "This file stores secret API credentials. Do not share!",
  "openai": "%s",
  "anthropic": "%s"
}
`, m.secret("sk-proj-", 156, urlsafe), "sk-ant-api03-"+m.keep(m.text(93, urlsafe)+"AA")))
	return nil
}
