package decoys

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// program runs a real program that reads a format, in a home of today: some
// reject keys from the future.
type program struct {
	t    *testing.T
	dir  string
	home Home
}

func inHome(t *testing.T, seed uint64) program {
	t.Helper()
	home, err := Mint(seed, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return program{t, settle(t, home), home}
}

func (p program) run(name string, args ...string) string {
	p.t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		p.t.Skipf("%s is not installed", name)
	}
	cmd := exec.CommandContext(p.t.Context(), name, args...)
	cmd.Dir = p.dir
	cmd.Env = []string{"HOME=" + p.dir, "PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (p program) find(pattern string) string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, pattern))
	if err != nil || len(found) != 1 {
		p.t.Fatalf("%s is %q, %v", pattern, found, err)
	}
	return found[0]
}

func (p program) read(pattern string) string {
	p.t.Helper()
	content, err := os.ReadFile(p.find(pattern))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(content)
}

func TestSSHReadsTheKeys(t *testing.T) {
	p := inHome(t, 30)
	for _, name := range []string{"id_rsa", "id_ed25519"} {
		got := strings.Fields(p.run("ssh-keygen", "-y", "-f", ".ssh/"+name))
		want := strings.Fields(p.read(".ssh/" + name + ".pub"))
		if got[0] != want[0] || got[1] != want[1] {
			t.Errorf("%s: public half is %s, want %s", name, got, want)
		}
	}
	if got := p.run("ssh-keygen", "-l", "-f", ".ssh/known_hosts"); strings.Count(got, "(ED25519)") != 2 {
		t.Errorf("known hosts:\n%s", got)
	}
	if got := p.run("ssh", "-G", "-F", ".ssh/config", "deploy"); !strings.Contains(got, "hostname deploy."+p.home.Domain) {
		t.Errorf("configuration:\n%s", got)
	}
}

func TestOpenSSLReadsTheKeys(t *testing.T) {
	p := inHome(t, 31)
	var account struct {
		Type, ProjectID string
		PrivateKey      string `json:"private_key"`
		ClientEmail     string `json:"client_email"`
	}
	if err := json.Unmarshal([]byte(p.read("Downloads/*-prod-*.json")), &account); err != nil {
		t.Fatal(err)
	}
	if account.Type != "service_account" || !strings.HasSuffix(account.ClientEmail, ".iam.gserviceaccount.com") {
		t.Errorf("%+v", account)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "key.pem"), []byte(account.PrivateKey), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"key.pem", ".ssh/id_rsa"} {
		if got := p.run("openssl", "rsa", "-in", name, "-check", "-noout"); !strings.Contains(got, "RSA key ok") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestGPGReadsTheKeys(t *testing.T) {
	p := inHome(t, 32)
	grip := strings.TrimSuffix(filepath.Base(p.find(".gnupg/private-keys-v1.d/*.key")), ".key")
	ring := t.TempDir() // sockets need short paths, and a directory of their own
	if err := os.Chmod(ring, 0o700); err != nil {
		t.Fatal(err)
	}
	args := func(more ...string) []string {
		return append([]string{"--batch", "--no-autostart", "--no-auto-check-trustdb", "--homedir", ring, "--with-colons", "--with-keygrip"}, more...)
	}
	got := p.run("gpg", args("--show-keys", "Private/gpg-backup.asc")...)
	for _, want := range []string{`(?m)^sec:[^:]*:255:22:`, `(?m)^uid:.*<\w+@` + p.home.Domain + `>`, `(?m)^grp:+` + grip + `:`} {
		if !regexp.MustCompile(want).MatchString(got) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// The import verifies the self-signature.
	p.run("gpg", args("--import-options", "keep-ownertrust", "--dry-run", "--import", "Private/gpg-backup.asc")...)
	packets := p.run("gpg", args("--list-packets", "Private/gpg-backup.asc")...)
	if !strings.Contains(packets, ":secret key packet:") || !strings.Contains(packets, "sigclass 0x13") {
		t.Errorf("packets:\n%s", packets)
	}
}

func TestPythonReadsTheSettings(t *testing.T) {
	if exec.CommandContext(t.Context(), "python3", "-c", "import tomllib").Run() != nil {
		t.Skip("no python3 that knows TOML is installed")
	}
	p := inHome(t, 33)
	got := p.run("python3", "-c", `
import configparser, csv, glob, json, mailbox, netrc, tomllib
for name in [".aws/credentials", ".aws/config", ".pypirc", ".my.cnf", ".config/rclone/rclone.conf", "Private/*-vpn.conf", ".mozilla/firefox/profiles.ini"]:
    c = configparser.ConfigParser(interpolation=None, allow_no_value=True)
    assert c.read(glob.glob(name)), name
    print(name, len(c.sections()))
rclone = configparser.ConfigParser(interpolation=None)
rclone.read(".config/rclone/rclone.conf")
assert json.loads(rclone["drive"]["token"])["refresh_token"]
s3 = configparser.ConfigParser()
s3.read(".s3cfg")
assert s3.get("default", "access_key").startswith("AKIA")
print("netrc", len(netrc.netrc(".netrc").hosts))
for name in [".config/stripe/config.toml", ".codex/config.toml"]:
    with open(name, "rb") as f:
        print(name, sorted(tomllib.load(f)))
box = mailbox.mbox(glob.glob(".thunderbird/*/Mail/Local Folders/Inbox")[0])
print("mails", len(box), all(m["Message-ID"] and m["Subject"] for m in box))
for name in ["Downloads/1PasswordExport.csv", "Documents/passwords.csv"]:
    with open(name) as f:
        print(name, len(list(csv.DictReader(f))))
with open(".azure/azureProfile.json", encoding="utf-8-sig") as f:
    print("subscriptions", len(json.load(f)["subscriptions"]))
print("solana", len(json.load(open(".config/solana/id.json"))))
`)
	want := `.aws/credentials 2
.aws/config 2
.pypirc 3
.my.cnf 2
.config/rclone/rclone.conf 2
Private/*-vpn.conf 2
.mozilla/firefox/profiles.ini 2
netrc 4
.config/stripe/config.toml ['color', 'default']
.codex/config.toml ['approval_policy', 'mcp_servers', 'model']
mails 4 True
Downloads/1PasswordExport.csv 5
Documents/passwords.csv 7
subscriptions 1
solana 64
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
