package decoys

import (
	"fmt"
	"hash/crc32"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

func TestCredentialShapes(t *testing.T) {
	for _, tt := range []struct{ name, example, shape string }{
		{"GITHUB_TOKEN", "", `ghp_[0-9A-Za-z]{36}`},
		{"GITHUB_PERSONAL_ACCESS_TOKEN", "<YOUR_TOKEN>", `ghp_[0-9A-Za-z]{36}`},
		{"GITHUB_TOKEN", "github_pat_xxxx", `github_pat_[0-9A-Za-z]{22}_[0-9A-Za-z]{59}`},
		{"token", "YOUR_GITLAB_TOKEN", `glpat-[\w-]{20}`},
		{"OPENAI_API_KEY", "sk-...", `sk-[0-9A-Za-z]{48}`},
		{"OPENAI_API_KEY", "your-key", `sk-proj-[\w-]{156}`},
		{"ANTHROPIC_API_KEY", "sk-ant-api03-...", `sk-ant-api03-[\w-]{93}AA`},
		{"SLACK_BOT_TOKEN", "xoxb-your-bot-token", `xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}`},
		{"SLACK_APP_TOKEN", "xapp-...", `xapp-1-A0[0-9A-Z]{9}-\d{13}-[0-9a-f]{64}`},
		{"SLACK_TEAM_ID", "", `T0[0-9A-Z]{9}`},
		{"STRIPE_SECRET_KEY", "", `sk_test_51\w{97}`},
		{"api-key", "STRIPE_SECRET_KEY", `sk_test_51\w{97}`},
		{"AWS_ACCESS_KEY_ID", "", `AKIA[A-Z2-7]{16}`},
		{"AWS_SECRET_ACCESS_KEY", "", `[A-Za-z0-9+/]{40}`},
		{"AWS_REGION", "YOUR_AWS_REGION_HERE", `us-east-1`},
		{"GOOGLE_MAPS_API_KEY", "", `AIza[\w-]{35}`},
		{"GOOGLE_OAUTH_CLIENT_SECRET", "...", `GOCSPX-[\w-]{28}`},
		{"NOTION_TOKEN", "ntn_****", `ntn_[0-9A-Za-z]{46}`},
		{"LINEAR_API_KEY", "", `lin_api_\w{40}`},
		{"HF_TOKEN", "", `hf_[A-Za-z]{34}`},
		{"NPM_TOKEN", "", `npm_\w{36}`},
		{"PYPI_TOKEN", "", `pypi-AgE[\w-]{100,}`},
		{"SENDGRID_API_KEY", "", `SG\.[\w-]{22}\.[\w-]{43}`},
		{"TWILIO_ACCOUNT_SID", "", `AC[0-9a-f]{32}`},
		{"ACCOUNT_SID", "YOUR_ACCOUNT_SID/YOUR_API_KEY", `AC[0-9a-f]{32}`},
		{"MAILGUN_API_KEY", "", `key-[0-9a-f]{32}`},
		{"DATADOG_API_KEY", "", `[0-9a-f]{32}`},
		{"DATADOG_APP_KEY", "", `[0-9a-f]{40}`},
		{"SENTRY_DSN", "", `https://[0-9a-f]{32}@o\d{6}\.ingest\.[a-z]+\.example/\d{7}`},
		{"SUPABASE_ACCESS_TOKEN", "", `sbp_[0-9a-f]{40}`},
		{"SUPABASE_SERVICE_ROLE_KEY", "", `eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+`},
		{"SUPABASE_URL", "", `https://supabase\.[a-z]+\.example`},
		{"JIRA_API_TOKEN", "", `ATATT3xFfGF0[\w-]{168}=[0-9A-F]{8}`},
		{"JIRA_URL", "", `https://jira\.[a-z]+\.example`},
		{"JIRA_USERNAME", "your.email@company.com", `[a-z]+@[a-z]+\.example`},
		{"ATLASSIAN_USER_EMAIL", "", `[a-z]+@[a-z]+\.example`},
		{"FIRECRAWL_API_KEY", "", `fc-[0-9a-f]{32}`},
		{"BRAVE_API_KEY", "", `BSA[\w-]{28}`},
		{"TAVILY_API_KEY", "", `tvly-\w{32}`},
		{"EXA_API_KEY", "", `[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`},
		{"AIRTABLE_API_KEY", "pat123.abc123", `pat\w{14}\.[0-9a-f]{64}`},
		{"FIGMA_API_KEY", "", `figd_[\w-]{40}`},
		{"SHOPIFY_ACCESS_TOKEN", "", `shpat_[0-9a-f]{32}`},
		{"DISCORD_TOKEN", "", `[\w-]{24}\.[\w-]{6}\.[\w-]{38}`},
		{"TELEGRAM_BOT_TOKEN", "", `\d{10}:AA[\w-]{33}`},
		{"DATABASE_URL", "", `postgresql://app:\w{20}@db\.\w+\.example:5432/app`},
		{"DATABASE_URI", "mysql://u:p@h/d", `mysql://app:\w{20}@db\.\w+\.example:3306/app`},
		{"MONGODB_URI", "mongodb+srv://...", `mongodb://app:\w{20}@db\.\w+\.example:27017/app`},
		{"REDIS_URL", "", `redis://:\w{20}@db\.\w+\.example:6379/0`},
		{"MYSQL_HOST", "", `db\.\w+\.example`},
		{"MYSQL_PORT", "", `3306`},
		{"MYSQL_PASSWORD", "", `\w{20}`},
		{"X_ENDPOINT", "http://...", `http://api\.[a-z]+\.example`},
		{"ACME_TENANT_ID", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", `[0-9a-f-]{36}`},
		{"ACME_CHAT_ID", "", `\d{9}`},
		{"ACME_KEY", "0123456789abcdef0123456789abcdef", `[0-9a-f]{32}`},
		{"ACME_KEY", "acme_xxxxxx", `acme_\w{40}`},
		{"ACME_KEY", "secret_key", `\w{40}`},
		{"ACME_JWT", "", `eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+`},
		{"apiKey", "", `\w{40}`},
		{"", "", `\w{40}`},
	} {
		value, token := Credential(11, tt.name, tt.example)
		if !regexp.MustCompile(`^(?:` + tt.shape + `)$`).MatchString(value) {
			t.Errorf("%s (%s) is %s, want %s", tt.name, tt.example, value, tt.shape)
		}
		if !strings.Contains(value, token) {
			t.Errorf("%s: %s has no %s", tt.name, value, token)
		}
	}
}

// TestCredentialIsItsOwn: a token identifies its variable and its run.
func TestCredentialIsItsOwn(t *testing.T) {
	seen := map[string]string{}
	for seed := range uint64(5) {
		home := mustMint(t, seed)
		for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN", "A_API_KEY", "B_API_KEY", "DATABASE_URL", "DB_PASSWORD", "EXA_API_KEY", "AWS_ACCESS_KEY_ID", "SUPABASE_KEY", "X_CLIENT_ID"} {
			value, token := Credential(seed, name, "")
			if again, _ := Credential(seed, name, ""); again != value {
				t.Errorf("%s of run %d is %s and %s", name, seed, value, again)
			}
			if len(token) < 15 {
				t.Errorf("%s: token %q is short", name, token)
			}
			who := fmt.Sprint(name, seed)
			if other, ok := seen[token]; ok {
				t.Errorf("%s and %s have the same token", who, other)
			}
			seen[token] = who
			for _, d := range home.Decoys {
				if d.Kind != mcpsf.DecoyDocument && strings.Contains(string(d.Content), token) {
					t.Errorf("%s is also in %s", who, d.Path)
				}
			}
		}
	}
}

func TestCredentialChecksum(t *testing.T) {
	value, _ := Credential(3, "GITHUB_TOKEN", "")
	var sum uint64
	for _, c := range []byte(value[34:]) {
		sum = sum*62 + uint64(strings.IndexByte(alnum, c))
	}
	if want := uint64(crc32.ChecksumIEEE([]byte(value[4:34]))); sum != want {
		t.Errorf("checksum of %s is %d, want %d", value, sum, want)
	}
}

func FuzzCredential(f *testing.F) {
	for _, seed := range []string{"", "X_URL", "DATABASE_URL", "SLACK_TOKEN", "a://b", "sk-", "\xff\x00_KEY"} {
		f.Add(uint64(1), seed, "xoxb-...")
		f.Add(uint64(2), "X_KEY", seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64, name, example string) {
		value, token := Credential(seed, name, example)
		if value == "" || len(value) > 2000 || strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("value %q", value)
		}
		if !strings.Contains(value, token) {
			t.Errorf("%q has no %q", value, token)
		}
		if u, err := url.Parse(value); err == nil && u.Host != "" && u.Hostname() != "localhost" && !strings.HasSuffix(u.Hostname(), ".example") {
			t.Errorf("%s is somebody's host", value)
		}
	})
}
