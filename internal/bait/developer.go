package bait

import (
	"encoding/base64"
	"fmt"
	"strings"
)

func npmrc(k *kit, h *Home) error {
	m := k.mint("npm")
	h.decoy(m, KindNPM, "npm", ".npmrc", fmt.Sprintf(`registry=https://packages.%[3]s/npm/
//packages.%[3]s/npm/:_authToken=%[1]s
@%[2]s:registry=https://npm.%[3]s/
//npm.%[3]s/:_authToken=%[4]s
save-exact=true
`, m.checked("npm_"), k.who.company, k.who.domain, m.uuidToken()))
	return nil
}

// uuidToken is the older kind of npm token, still used by private registries.
func (m *mint) uuidToken() string { return m.keep(m.uuid()) }

func pypirc(k *kit, h *Home) error {
	m := k.mint("pypi")
	h.decoy(m, KindPyPI, "pypi", ".pypirc", fmt.Sprintf(`[distutils]
index-servers =
    pypi
    %[1]s

[pypi]
username = __token__
password = %[2]s

[%[1]s]
repository = https://pypi.%[3]s/legacy/
username = %[4]s
password = %[5]s
`, k.who.company, m.macaroon("packages."+k.who.domain), k.who.domain, k.who.login, m.password()))
	return nil
}

// macaroon is an upload token as a Python package index issues it: location,
// identifier, a caveat, and a signature over them.
func (m *mint) macaroon(index string) string {
	field := func(kind byte, value string) string { return string([]byte{kind, byte(len(value))}) + value }
	raw := "\x02" + field(1, index) + field(2, m.uuid()) + "\x00" +
		field(2, `[3,"`+m.uuid()+`"]`) + "\x00\x00" + field(6, string(m.bytes(32)))
	return m.keep("pypi-" + base64.RawURLEncoding.EncodeToString([]byte(raw)))
}

func netrc(k *kit, h *Home) error {
	m := k.mint("netrc")
	content := ""
	for _, host := range []string{"git", "deploy"} {
		content += fmt.Sprintf("machine %s.%s\n  login %s\n  password %s\n", host, k.who.domain, k.who.login, m.password())
	}
	h.decoy(m, KindNetrc, "netrc", ".netrc", content)
	return nil
}

func gitCredentials(k *kit, h *Home) error {
	m := k.mint("git")
	h.decoy(m, KindGit, "git", ".git-credentials", fmt.Sprintf("https://%s:%s@github.com\nhttps://%s:%s@git.%s\n",
		k.who.login, m.checked("ghp_"), k.who.login, m.password(), k.who.domain))
	return nil
}

func githubHosts(k *kit, h *Home) error {
	m := k.mint("gh")
	h.decoy(m, KindGitHub, "gh", ".config/gh/hosts.yml", fmt.Sprintf(`github.com:
    users:
        %[1]s:
            oauth_token: %[2]s
    git_protocol: ssh
    oauth_token: %[2]s
    user: %[1]s
`, k.who.login, m.checked("gho_")))
	return nil
}

func dotenv(k *kit, h *Home) error {
	m := k.mint("env home")
	h.decoy(m, KindDotenv, "env", ".env", fmt.Sprintf(`# shared by all my projects
OPENAI_API_KEY=%s
SLACK_BOT_TOKEN=%s
GITHUB_TOKEN=%s
`, m.secret("sk-proj-", 156, urlsafe),
		m.keep(fmt.Sprintf("xoxb-%s-%s-%s", m.text(12, digits[1:]), m.text(13, digits[1:]), m.text(24, alnum))),
		m.checked("ghp_")))

	m = k.mint("env webshop")
	h.decoy(m, KindDotenv, "env", "code/webshop/.env", fmt.Sprintf(`NODE_ENV=development
PORT=3000
DATABASE_URL=postgres://shop:%[1]s@db.%[2]s:5432/shop
REDIS_URL=redis://:%[3]s@cache.%[2]s:6379/0
STRIPE_SECRET_KEY=%[4]s
JWT_SECRET=%[5]s
SMTP_HOST=mail.%[2]s
SMTP_USER=shop@%[2]s
SMTP_PASSWORD=%[6]s
`, m.password(), k.who.domain, m.password(), m.secret("sk_live_51", 97, alnum), m.secret("", 64, hexits), m.password()))
	return nil
}

func mcpConfigs(k *kit, h *Home) error {
	m := k.mint("mcp claude")
	h.decoy(m, KindMCPConfig, "mcp", ".config/Claude/claude_desktop_config.json", fmt.Sprintf(`{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": {
        "GITHUB_PERSONAL_ACCESS_TOKEN": "%s"
      }
    },
    "database": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-postgres", "postgres://readonly:%s@db.%s:5432/shop"]
    }
  }
}
`, m.checked("ghp_"), m.password(), k.who.domain))

	m = k.mint("mcp cursor")
	h.decoy(m, KindMCPConfig, "mcp", ".cursor/mcp.json", fmt.Sprintf(`{
  "mcpServers": {
    "search": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-brave-search"],
      "env": {
        "BRAVE_API_KEY": "%s"
      }
    },
    "tracker": {
      "url": "https://tracker.%s/mcp",
      "headers": {
        "Authorization": "Bearer %s"
      }
    }
  }
}
`, m.secret("BSA", 28, urlsafe), k.who.domain, m.secret("", 48, alnum)))
	return nil
}

func shellHistory(k *kit, h *Home) error {
	m := k.mint("history")
	lines := []string{
		"cd code/webshop", "git pull", "npm ci", "npm run dev", "git status", "git add -p",
		`git commit -m "cart: round prices once"`, "git push",
		"psql postgres://shop:" + m.password() + "@db." + k.who.domain + "/shop",
		"docker compose up -d", "docker compose logs -f web",
		"curl -H 'Authorization: Bearer " + m.secret("", 40, alnum) + "' https://api." + k.who.domain + "/v1/orders?limit=5",
		"kubectl get pods", "kubectl logs deploy/webshop | tail -50",
		"export VAULT_TOKEN=" + m.secret("hvs.", 90, urlsafe), "vault kv get secret/webshop",
		"ssh deploy." + k.who.domain, "df -h", "htop", "cd", "ls -la", "vim Documents/todo.txt",
	}
	h.decoy(m, KindShellHistory, "history", ".bash_history", strings.Join(lines, "\n")+"\n")
	return nil
}

func passwordExport(k *kit, h *Home) error {
	m := k.mint("passwords")
	content := "name,url,username,password,note\n"
	for _, site := range []string{"bank", "mail", "webmail", "hosting", "insurance", "tax", "shop-admin"} {
		host := site + ".example"
		if site == "webmail" || site == "shop-admin" {
			host = site + "." + k.who.domain
		}
		content += fmt.Sprintf("%[1]s,https://%[1]s/login,%[2]s,%[3]s,\n", host, k.who.email, m.password())
	}
	h.decoy(m, KindPasswordExport, "passwords", "Documents/passwords.csv", content)
	return nil
}
