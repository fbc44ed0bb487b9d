package decoys

import (
	"fmt"
	"strings"
	"time"
)

// histories are shell histories, with typed passwords.
func histories(k *kit, h *Home) error {
	m := k.mint("history")
	h.decoy(m, KindShellHistory, "history", ".bash_history", strings.Join([]string{
		"cd code/webshop", "git pull", "npm ci", "npm run dev", "git status", "git add -p",
		`git commit -m "cart: round prices once"`, "git push",
		"psql postgres://shop:" + m.password() + "@db." + k.who.services + "/shop",
		"docker compose up -d", "docker compose logs -f web",
		"curl -H 'Authorization: Bearer " + m.secret("", 40, alnum) + "' https://api." + k.who.domain + "/v1/orders?limit=5",
		"kubectl get pods", "kubectl logs deploy/webshop | tail -50",
		"export VAULT_TOKEN=" + m.secret("hvs.", 90, urlsafe), "vault kv get secret/webshop",
		"ssh deploy." + k.who.domain, "df -h", "htop", "cd", "ls -la", "vim Documents/todo.txt",
	}, "\n")+"\n")

	m = k.mint("zsh history")
	h.decoy(m, KindShellHistory, "history", ".zsh_history", timed(k.ago(m, 6), m, []string{
		"cd ~/code/infra", "git fetch --all", "terraform plan -out plan",
		"export AWS_ACCESS_KEY_ID=" + m.secret("AKIA", 16, base32),
		"export AWS_SECRET_ACCESS_KEY=" + m.secret("", 40, base64ab),
		"terraform apply plan", "aws s3 ls s3://" + k.who.company + "-backups-" + m.text(6, digits), "cd ../billing", "source .venv/bin/activate",
		"mysqldump -h legacy-db." + k.who.services + " -u root -p" + m.password() + " crm > /tmp/crm.sql",
		"sshpass -p " + m.password() + " scp /tmp/crm.sql backup@nas." + k.who.domain + ":",
		"gh auth login --with-token <<< " + m.checked("ghp_"), "rm /tmp/crm.sql", "code .",
	}))

	m = k.mint("psql history")
	h.decoy(m, KindShellHistory, "history", ".psql_history", fmt.Sprintf(`\dt
select count(*) from orders where placed > now() - interval '1 day';
alter role reporting with password '%s';
create user etl with login password '%s';
grant select on all tables in schema public to etl;
\q
`, m.password(), m.password()))
	return nil
}

// timed is a zsh history: each line with its time and duration.
func timed(start time.Time, m *mint, lines []string) string {
	var b strings.Builder
	at := start.Unix()
	for _, line := range lines {
		at += 7 + m.rng.Int64N(2000)
		fmt.Fprintf(&b, ": %d:%d;%s\n", at, m.rng.IntN(9), line)
	}
	return b.String()
}
