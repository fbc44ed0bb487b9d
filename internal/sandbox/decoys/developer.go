package decoys

import (
	"encoding/base64"
	"fmt"
	"time"
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
	const signature = 40 // characters that contain nothing else
	text := base64.RawURLEncoding.EncodeToString([]byte(raw))
	m.keep(text[len(text)-signature:])
	return "pypi-" + text
}

func netrc(k *kit, h *Home) error {
	m := k.mint("netrc")
	content := ""
	for _, host := range []string{"git", "deploy"} {
		content += fmt.Sprintf("machine %s.%s\n  login %s\n  password %s\n", host, k.who.domain, k.who.login, m.password())
	}
	heroku := m.secret("HRKU-", 60, urlsafe)
	for _, host := range []string{"api", "git"} {
		content += fmt.Sprintf("machine %s.heroku.com\n  login %s\n  password %s\n", host, k.who.email, heroku)
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

func stripe(k *kit, h *Home) error {
	m := k.mint("stripe")
	h.decoy(m, KindStripe, "stripe", ".config/stripe/config.toml", fmt.Sprintf(`color = ''

[default]
device_name = '%[1]s-laptop'
display_name = '%[2]s'
live_mode_api_key = '%[3]s'
live_mode_key_expires_at = '%[4]s'
live_mode_pub_key = 'pk_live_51%[5]s'
`, k.who.login, k.who.company, m.secret("rk_live_51", 97, alnum), k.now.AddDate(0, 1, 12).Format(time.DateOnly), m.text(97, alnum)))
	return nil
}

// databasePasswords are the password files that database clients read.
func databasePasswords(k *kit, h *Home) error {
	m := k.mint("pgpass")
	h.decoy(m, KindPostgres, "pgpass", ".pgpass", fmt.Sprintf("db.%[1]s:5432:shop:shop:%[2]s\nreports.%[1]s:5432:*:%[3]s:%[4]s\n",
		k.who.services, m.password(), k.who.login, m.password()))
	m = k.mint("mysql")
	h.decoy(m, KindMySQL, "mysql", ".my.cnf", fmt.Sprintf("[client]\nhost = legacy-db.%s\nuser = %s\npassword = %s\n\n[mysql]\nprompt = \"\\d> \"\n",
		k.who.services, k.who.login, m.password()))
	return nil
}

func dotenv(k *kit, h *Home) error {
	m := k.mint("env home")
	h.decoy(m, KindDotenv, "env", ".env", fmt.Sprintf(`# shared by all my projects
OPENAI_API_KEY=%s
SLACK_BOT_TOKEN=%s
GITHUB_TOKEN=%s
`, m.secret("sk-proj-", 156, urlsafe),
		m.slack("xoxb-"), m.checked("ghp_")))

	m = k.mint("env webshop")
	h.decoy(m, KindDotenv, "env", "code/webshop/.env", fmt.Sprintf(`NODE_ENV=development
PORT=3000
DATABASE_URL=postgres://shop:%[1]s@db.%[2]s:5432/shop
REDIS_URL=redis://:%[3]s@cache.%[2]s:6379/0
STRIPE_SECRET_KEY=%[4]s
JWT_SECRET=%[5]s
SMTP_HOST=mail.%[2]s
SMTP_USER=shop@%[7]s
SMTP_PASSWORD=%[6]s
`, m.password(), k.who.services, m.password(), m.secret("sk_live_51", 97, alnum), m.secret("", 64, hexits), m.password(), k.who.domain))

	m = k.mint("env billing")
	h.decoy(m, KindDotenv, "env", "code/billing/.env", fmt.Sprintf(`FLASK_ENV=production
SECRET_KEY=%[1]s
SQLALCHEMY_DATABASE_URI=postgresql://billing:%[2]s@db.%[3]s:5432/billing
AWS_ACCESS_KEY_ID=%[4]s
AWS_SECRET_ACCESS_KEY=%[5]s
SENDGRID_API_KEY=%[6]s
TWILIO_AUTH_TOKEN=%[7]s
`, m.secret("", 64, hexits), m.password(), k.who.services, m.secret("AKIA", 16, base32), m.secret("", 40, base64ab),
		m.keep("SG."+m.text(22, urlsafe)+"."+m.text(43, urlsafe)), m.secret("", 32, hexits)))
	h.plain("code/billing/requirements.txt", 0o644, "flask\nflask-sqlalchemy\npython-dotenv\nsendgrid\n")
	h.plain("code/billing/app.py", 0o644, `from dotenv import load_dotenv
from flask import Flask

load_dotenv()
app = Flask(__name__)


@app.get("/health")
def health():
    return {"status": "ok"}
`)
	return nil
}
