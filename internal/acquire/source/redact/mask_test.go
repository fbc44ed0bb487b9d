package redact

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClassify(t *testing.T) {
	for want, names := range map[SecretFile][]string{
		{form: formLines}: {
			".env", ".env.local", "sub/.env.production", "prod.env", ".ENV", ".envrc", ".dev.vars", ".npmrc", ".pypirc", ".aws/credentials", ".aws/config",
			"credentials", "terraform.tfvars", "x.auto.tfvars", ".git-credentials", ".gitconfig", "bare.git/config", ".kube/config", "pip.conf",
			"my-credentials.yaml", "credentials.csv", ".env.example.local",
		},
		{form: formLines, within: "secrets"}: {"secrets.yaml", "secrets.yml", "k8s/secrets.toml", ".secrets", ".secrets.toml", "secret.yaml"},
		{form: formJSON, within: "secrets"}:  {"secrets.json"},
		{form: formJSON}: {
			"credentials.json", "service-account.json", "my_service_account.json", "serviceAccount.json", "x-firebase-adminsdk-abc.json", "token.json",
			"client_secret_1.json", ".docker/config.json", "terraform.tfvars.json", "terraform.tfstate", "terraform.tfstate.backup", ".env.json",
		},
		{form: formJSON, client: true}: {
			".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", "claude_desktop_config.json", ".vscode/settings.json", ".kiro/settings/mcp.json",
		},
		{form: formLines, client: true}: {".codex/config.toml"},
		{form: formPEM}:                 {"server.pem", "tls.key", "id_rsa", "id_ed25519", "id_rsa.bak", ".ssh/deploy", "x.ppk"},
		{form: formPEM, Framed: true}:   {"id_deploy", "bin/id_server"},
		{form: formNetrc}:               {".netrc", "_netrc"},
		{form: formFields}:              {".pgpass", ".htpasswd"},
		{form: formWhole}:               {".vault-token"},
		{form: formKeyStore}:            {"release.keystore", "a.p12"},
		{}: {
			"server.js", "package.json", "config.json", "README.md", ".env.example", ".env.sample", "env.template", "secrets.example.yaml",
			"credentials.sample.json", "secrets.py", "credentials.ts", ".env.d.ts", "id_map.json", "id_rsa.pub", ".ssh/known_hosts", "keys.txt",
			"node_modules/x/.env", "node_modules/x/test/key.pem", "lib/site-packages/certifi/cacert.pem", "secret-garden.json", "environment.yml",
			"tokens.txt", "src/auth.ts", "config", "client.crt",
		},
	} {
		for _, name := range names {
			if got := Classify(name); got != want {
				t.Errorf("%s is %+v, want %+v", name, got, want)
			}
		}
	}
}

// marked removes the marks around secrets. The pattern has the text around them
// unchanged, and as many characters in their places.
func marked(text string) (data string, pattern *regexp.Regexp, secrets []string) {
	form := regexp.MustCompile(`(?s)«(.*?)»`)
	var p strings.Builder
	last := 0
	for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
		secret := text[at[2]:at[3]]
		secrets = append(secrets, secret)
		p.WriteString(regexp.QuoteMeta(text[last:at[0]]) + fmt.Sprintf("(.{%d})", utf8.RuneCountInString(secret)))
		last = at[1]
	}
	p.WriteString(regexp.QuoteMeta(text[last:]))
	return form.ReplaceAllString(text, "$1"), regexp.MustCompile("(?s)^" + p.String() + "$"), secrets
}

// TestMask has secrets in «»: they must be replaced by as many characters, and
// everything else must stay unchanged.
func TestMask(t *testing.T) {
	for _, test := range []struct{ name, path, text string }{
		{"dotenv", ".env", "# settings\nPORT=8080\nAPI_KEY=«hunter2hunter2»\n\nexport GITHUB_TOKEN=ghp_«abcdefABCDEF123456abcdefABCDEF123456» # «mine»\n" +
			"NODE_ENV=production\nDB_PASSWORD=\"«correct horse»\"\nSINGLE_SECRET='«it is»'\nEMPTY_TOKEN=\nDATABASE_URL=postgres://app:«p4ssw0rd»@db.example/x\n"},
		{"line endings", ".env", "A=b\r\nAPI_KEY=«hunter2»\r\nC=d\rTOKEN=«hunter3»\rE=f"},
		{"byte order mark", ".env", "\ufeffTOKEN=«hunter2»\nA=b\n"},
		{"out of use", ".env", "#OLD_TOKEN=«correct horse battery»\n# see https://docs.example/a?b=c\n# was ghp_«abcdefABCDEF123456abcdefABCDEF123456» before\n# password: «hunter2»\n"},
		{"references", ".env", "TOKEN=${OTHER_TOKEN}\nSECRET=$OTHER_SECRET\nAUTH=\"Bearer ${TOKEN}\"\n"},
		{"several lines", ".env", "KEY=\"«first line\nsecond line»\"\nA=b\n"},
		{"forgotten quote", ".env", "GREETING='tis\nPASSWORD=«hunter2hunter2»\nOTHER='x'\n"},
		{"comment or not", ".env", "PASSWORD=«abc#defgh»\nSECRET=«abc» # «defghi»\n"},
		{"escapes", ".env", `JSON_SECRET="` + `«a»\"«b»"` + "\nA=b\n"},
		{"joined", ".envrc", "export PASSWORD=\"«abcdef»\"«ghijkl»\nexport NAME=\"a\"b\n"},
		{"bare token", ".env", "A=b\nghp_«abcdefABCDEF123456abcdefABCDEF123456»\nC=d\n"},
		{"value that looks like a key", ".env", "A=b\n«c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0Zg»==\n"},
		{"odd names", ".env", "A1B2_C3D4_TOKEN=«hunter2»\nmy.token=«hunter3»\nDB_PASS : «hunter4»\n"},
		{"npmrc", ".npmrc", "registry=https://npm.corp.example/\n//npm.corp.example/:_authToken=npm_«aB3dE5fG7hJ9kL1mN3pQ»\n//npm.corp.example/:always-auth=true\n" +
			"_auth=«YWxpY2U6aHVudGVyMg»==\n_password=«aHVudGVyMg»==\n//x.example/:_authToken=${NPM_TOKEN}\nsave-exact=true\n"},
		{"pypirc", ".pypirc", "[distutils]\nindex-servers =\n    pypi\n    corp\n\n[pypi]\nusername = __token__\npassword = pypi-AgEIcHlwaS5vcmc«CJGYyZDk4NzE2LTk4ZDUtNDYx»\n"},
		{"aws", ".aws/credentials", "[default]\naws_access_key_id = AKIA«Q2W3E4R5T6Y7ABCD»\naws_secret_access_key = «wJalrXUtnFEMI»/«K7MDENG»/«bPxRfiCYEXAMPLEKEY»\nregion = eu-central-1\n"},
		{"git", "bare.git/config", "[remote \"origin\"]\n\turl = https://alice:«ghs4cret»@git.example/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[url \"https://x:«p4sswordx»@git.example/\"]\n\tinsteadOf = https://git.example/\n"},
		{"git credentials", ".git-credentials", "https://alice:«s3cr3tw0rd»@git.example\n"},
		{"json", ".mcp.json", `{"mcpServers": {"auth-server": {"command": "npx", "args": ["-y", "@x/server", "--api-key", "«hunter2»", "--token=«hunter3»", "plain"],` + "\n" +
			` "env": {"GITHUB_TOKEN" : "ghp_«abcdefABCDEF123456abcdefABCDEF123456»", "LEVEL": "debug"}, "headers": {"Authorization": "Bearer «abcdefgh»"}}}}`},
		{"json with comments", ".vscode/mcp.json", "{\n  // \"token\": \"«hunter2»\",\n  /* nothing */ \"servers\": {\"x\": {\"env\": {\"API_KEY\": \"«hunter3»\",},},},\n}\n"},
		{"json pairs", "credentials.json", `{"env": [{"name": "DB_PASSWORD", "value": "«hunter2»"}, {"name": "LEVEL", "value": "debug"}], "pin": «482913», "passwords": {"alice": "«correct»"}}`},
		{"json that is none", "credentials.json", "{\"a\": \"b\",\n \"password\": \"«hunter2»\", \"token\":\"«hunter3»\",\n 'secret': '«hunter 4»'\n \"tokens\": [\"«hunter5»\", \"«hunter6»\"]\n"},
		{"service account", "service-account.json", `{"type": "service_account", "project_id": "my-project", "private_key_id": "«0123456789abcdef0123456789abcdef01234567»",` +
			` "private_key": "-----BEGIN PRIVATE KEY-----\n«MIIEvQIBADANBgkq»\n«hkiG9w0BAQEFAASC»\n-----END PRIVATE KEY-----\n", "token_uri": "https://oauth2.example/token"}`},
		{"yaml", "my-credentials.yaml", "db:\n  host: db.example\n  password: «hunter2» # «or not»\n  port: 5432\ntokens:\n  - «hunter3»\n  - \"«hunter4»\"\n" +
			"api_key: '«hunter5»'\nnote: |\n  some prose here\n  password: «hunter6»\nprivate_key: |\n  «first line\n  second line»\nlast: x\nflow: {user: app, password: «hunter7», list: [a, b]}\n"},
		{"yaml list of pairs", "my-credentials.yaml", "env:\n  - name: DB_PASSWORD\n    value: «hunter2»\n  - name: LEVEL\n    value: debug\nsecrets:\n  db: «hunter3»\n  more:\n    deep: «hunter4»\nother:\n  db: hunter\n"},
		{"everything secret", "secrets.yaml", "# our secrets\ndb: «hunter2»\nhost: plain\nport: 5432\nlist:\n  - «word»\n"},
		{"toml", ".codex/config.toml", "[mcp_servers.x]\ncommand = \"npx\"\nargs = [\"-y\", \"--token\", \"«hunter2»\"]\nenv = { API_KEY = \"«hunter3»\", LEVEL = \"debug\" }\n\n[mcp_servers.x.env]\nSECRET = '''\n«one\ntwo»'''\n"},
		{"toml secrets", "secrets.toml", "[db]\nuser = \"«orders»\"\nkeys = [\n  \"«hunter2»\",\n  \"«hunter3»\",\n]\n"},
		{"tfvars", "terraform.tfvars", "region = \"eu-1\"\ndb_password = \"«hunter2»\"\nprivate_key = <<EOT\n«one\ntwo»\nEOT\nusers = {\n  admin_password = \"«hunter3»\"\n}\n"},
		{"netrc", ".netrc", "# login and password\nmachine git.example login alice password «hunter2»\nmachine x.example\n  login bob\n  password\n   «hunter3»\n  account \"«hunter 4»\"\n"},
		{"pgpass", ".pgpass", "# host:port\ndb.example:5432:orders:app:«hunter2»\r\n*:*:*:app:«hunter3»\n"},
		{"csv", "x-credentials.csv", "Access key ID,Secret access key\nAKIA«Q2W3E4R5T6Y7ABCD»,«wJalrXUtnFEMI»/«K7MDENG»/«bPxRfiCYEXAMPLEKEY»\n"},
		{"commands", ".claude/settings.local.json", `{"allow": ["Bash(npm run test:*)", "Bash(curl -H 'Authorization: Bearer «abcdefgh1234»' https://x.example)"]}`},
		{"other scripts", ".env", "# 数据库设置\nAPP_NAME=我的应用\nDB_PASSWORD=«我的应用»\nCMD=run --password \"«hunter 2»\" --fast\n"},
		{"kubeconfig", ".kube/config", "users:\n- name: admin\n  user:\n    client-key-data: «LS0tLS1CRUdJTiBSU0E»=\n    token: «abcdef».«0123456789abcdef»\ncurrent-context: prod\npreferences: {}\n"},
		{"docker", ".docker/config.json", `{"auths": {"https://index.example/v1/": {"auth": "«YWxpY2U6aHVudGVyMg»=="}}, "credsStore": "desktop"}`},
		{"a secret alone", ".vault-token", "\n«hvs4CAESIJ2q»\n"},
		{"key without a frame", "config/master.key", "«0123456789abcdef0123456789abcdef»"},
		{"certificates", "ca.pem", "# Issuer: x\n# Fingerprint: aa:bb\n-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQ2F0\n-----END CERTIFICATE-----\n"},
		{"env with a key", ".env", "A=b\nKEY=-----BEGIN RSA PRIVATE KEY-----\n«MIIEowIBAAKCAQEA»\n«abcdefghijk»=\n-----END RSA PRIVATE KEY-----\nC=d\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, pattern, secrets := marked(test.text)
			m := NewMask(test.path, Classify(test.path))
			got, why := m.Apply(data)
			if why != "" {
				t.Fatalf("left out: %s", why)
			}
			found := pattern.FindStringSubmatch(got)
			if found == nil {
				t.Fatalf("became\n%s\nwant\n%s", got, test.text)
			}
			for i, secret := range secrets {
				checkGone(t, secret, found[1+i])
			}
			if (m.Count > 0) != (len(secrets) > 0) {
				t.Errorf("%d values are said to be replaced", m.Count)
			}
			again := NewMask(test.path, Classify(test.path))
			if same, _ := again.Apply(data); same != got {
				t.Errorf("a second time it became\n%s", same)
			}
			summary := m.Summary()
			for _, secret := range secrets {
				if len(secret) >= survivor && strings.Contains(summary, secret) {
					t.Errorf("%q tells of %q", summary, secret)
				}
			}
		})
	}
}

func TestMaskTellsNames(t *testing.T) {
	m := NewMask(".env", Classify(".env"))
	m.Apply("API_KEY=hunter2\nDB_PASSWORD=hunter3\nAPI_KEY=hunter4\n# a\nghp_abcdefABCDEF123456abcdefABCDEF123456\n\x1b[31mTOKEN=hunter5\n")
	const want = "5 values were replaced by fakes of the same shape: API_KEY, DB_PASSWORD"
	if got := m.Summary(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	many := NewMask(".env", Classify(".env"))
	var b strings.Builder
	for c := 'A'; c <= 'Z'; c++ {
		fmt.Fprintf(&b, "%c_TOKEN=x9\n", c)
	}
	many.Apply(b.String())
	if got := many.Summary(); !strings.HasSuffix(got, "F_TOKEN and 20 more") {
		t.Errorf("got %q", got)
	}
}
