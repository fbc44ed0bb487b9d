package decoys

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"hash/crc32"
	"image/png"
	"path"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

func content(t *testing.T, home Home, name string) []byte {
	t.Helper()
	full := path.Join(mcpsf.Home, name)
	for _, d := range home.Decoys {
		if d.Path == full {
			return d.Content
		}
	}
	for _, f := range home.Scenery {
		if f.Path == full {
			return f.Content
		}
	}
	t.Fatalf("no %s", name)
	return nil
}

func TestRSAKey(t *testing.T) {
	for seed := range uint64(4) {
		home := mustMint(t, seed)
		block, rest := pem.Decode(content(t, home, ".ssh/id_rsa"))
		if block == nil || block.Type != "RSA PRIVATE KEY" || len(rest) != 0 {
			t.Fatalf("no PEM block: %+v", block)
		}
		key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if err := key.Validate(); err != nil {
			t.Error(err)
		}
		if key.N.BitLen() != 2048 {
			t.Errorf("key has %d bits", key.N.BitLen())
		}
		digest := sha256.Sum256([]byte("x"))
		signature, err := rsa.SignPSS(rand.Reader, key, crypto.SHA256, digest[:], nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := rsa.VerifyPSS(&key.PublicKey, crypto.SHA256, digest[:], signature, nil); err != nil {
			t.Errorf("the key does not verify its own signature: %v", err)
		}
		fields := publicFields(t, content(t, home, ".ssh/id_rsa.pub"))
		if !bytes.Equal(bytes.TrimLeft(fields[2], "\x00"), key.N.Bytes()) {
			t.Error("the public key belongs to another")
		}
	}
}

// TestPrimes checks the primes with a slower, reliable test.
func TestPrimes(t *testing.T) {
	small := smallPrimes(sieved)
	for seed := range uint64(12) {
		p := prime(newKit(seed, now).mint("x"), 512, small)
		if p.BitLen() != 512 || !p.ProbablyPrime(10) {
			t.Errorf("seed %d: %d bits, %x", seed, p.BitLen(), p)
		}
	}
	if got := len(small); got != 12250 { // all below 2^17 except 2
		t.Errorf("%d small primes", got)
	}
}

func TestEd25519Key(t *testing.T) {
	home := mustMint(t, 5)
	block, _ := pem.Decode(content(t, home, ".ssh/id_ed25519"))
	if block == nil || block.Type != "OPENSSH PRIVATE KEY" {
		t.Fatalf("no PEM block: %+v", block)
	}
	r := bytes.NewBuffer(bytes.TrimPrefix(block.Bytes, []byte("openssh-key-v1\x00")))
	cipher, kdf, options := sshField(t, r), sshField(t, r), sshField(t, r)
	if string(cipher) != "none" || string(kdf) != "none" || len(options) != 0 {
		t.Errorf("cipher %q, kdf %q, options %q", cipher, kdf, options)
	}
	if n := binary.BigEndian.Uint32(r.Next(4)); n != 1 {
		t.Errorf("%d keys", n)
	}
	public := bytes.NewBuffer(sshField(t, r))
	secret := bytes.NewBuffer(sshField(t, r))
	if r.Len() != 0 || secret.Len()%8 != 0 {
		t.Errorf("%d bytes follow; secret part has %d", r.Len(), secret.Len())
	}
	if check := secret.Next(8); !bytes.Equal(check[:4], check[4:]) {
		t.Errorf("check numbers differ: %x", check)
	}
	kind, pub, priv := sshField(t, secret), sshField(t, secret), ed25519.PrivateKey(sshField(t, secret))
	if string(kind) != "ssh-ed25519" || !bytes.Equal(pub, priv[32:]) || !bytes.Equal(priv, ed25519.NewKeyFromSeed(priv.Seed())) {
		t.Error("the private key is not one")
	}
	if string(sshField(t, public)) != "ssh-ed25519" || !bytes.Equal(sshField(t, public), pub) {
		t.Error("the public key belongs to another")
	}
	sshField(t, secret) // comment
	for i, pad := range secret.Bytes() {
		if int(pad) != i+1 {
			t.Errorf("padding is %x", secret.Bytes())
		}
	}
	if fields := publicFields(t, content(t, home, ".ssh/id_ed25519.pub")); !bytes.Equal(fields[1], pub) {
		t.Error("the .pub file belongs to another key")
	}
}

func publicFields(t *testing.T, line []byte) [][]byte {
	t.Helper()
	words := strings.Fields(string(line))
	if len(words) != 3 {
		t.Fatalf("public key is %q", line)
	}
	blob, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewBuffer(blob)
	var fields [][]byte
	for r.Len() > 0 {
		fields = append(fields, sshField(t, r))
	}
	if string(fields[0]) != words[0] {
		t.Errorf("algorithm is %q and %q", fields[0], words[0])
	}
	return fields
}

func sshField(t *testing.T, r *bytes.Buffer) []byte {
	t.Helper()
	if r.Len() < 4 {
		t.Fatal("field is cut off")
	}
	n := int(binary.BigEndian.Uint32(r.Next(4)))
	if r.Len() < n {
		t.Fatal("field is cut off")
	}
	return r.Next(n)
}

// TestGPGTokens: the tokens are the secret half, not the public one.
func TestGPGTokens(t *testing.T) {
	for seed := range uint64(3) {
		home := mustMint(t, seed)
		var secrets [][]byte
		for _, d := range home.Decoys {
			if d.Kind != KindGPGKey {
				continue
			}
			decode := hex.DecodeString
			if strings.HasSuffix(d.Path, ".asc") {
				decode = base64.StdEncoding.DecodeString
			}
			secret, err := decode(d.Tokens[0])
			if err != nil || len(d.Tokens) != 1 {
				t.Fatalf("%s: %q, %v", d.Path, d.Tokens, err)
			}
			secrets = append(secrets, secret)
		}
		if len(secrets) != 2 || !bytes.Contains(secrets[1], bytes.TrimLeft(secrets[0], "\x00")) {
			t.Errorf("seed %d: the store has %x, the backup %x", seed, secrets[0], secrets[1])
		}
	}
}

// TestShapes checks the formats that programs and secret scanners look for.
func TestShapes(t *testing.T) {
	for name, shapes := range map[string][]string{
		".aws/credentials": {
			`(?m)^\[default\]\naws_access_key_id = AKIA[A-Z2-7]{16}\naws_secret_access_key = [A-Za-z0-9/+]{40}$`,
			`(?m)^\[[a-z]+-prod\]$`,
		},
		".env":              {`(?m)^GITHUB_TOKEN=ghp_[0-9A-Za-z]{36}$`, `(?m)^SLACK_BOT_TOKEN=xoxb-\d{12}-\d{13}-[0-9A-Za-z]{24}$`, `(?m)^OPENAI_API_KEY=sk-proj-[\w-]{156}$`},
		"code/webshop/.env": {`(?m)^DATABASE_URL=postgres://shop:\w{20}@db\.[a-z]+\.example:5432/shop$`, `(?m)^STRIPE_SECRET_KEY=sk_live_51\w{97}$`},
		".npmrc":            {`(?m)^//packages\.[a-z]+\.internal/npm/:_authToken=npm_[0-9A-Za-z]{36}$`},
		".pypirc":           {`(?m)^password = pypi-AgE[\w-]{100,}$`},
		".netrc":            {`^machine \S+\n  login \S+\n  password \S+\n`},
		".git-credentials":  {`^https://\w+:ghp_\w{36}@github\.com\n`},
		".bash_history":     {`VAULT_TOKEN=hvs\.[\w-]{90}`},
		".ssh/known_hosts":  {`^git\.[a-z]+\.internal ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}`},
	} {
		data := content(t, mustMint(t, 8), name)
		for _, shape := range shapes {
			if !regexp.MustCompile(shape).Match(data) {
				t.Errorf("%s does not match %s:\n%s", name, shape, data)
			}
		}
	}
}

func TestStructuredFilesParse(t *testing.T) {
	home := mustMint(t, 9)
	var docker struct {
		Auths map[string]struct{ Auth string }
	}
	parseJSON(t, content(t, home, ".docker/config.json"), &docker)
	if len(docker.Auths) != 2 {
		t.Errorf("docker: %+v", docker)
	}
	for host, a := range docker.Auths {
		if plain, err := base64.StdEncoding.DecodeString(a.Auth); err != nil || !bytes.Contains(plain, []byte(":")) {
			t.Errorf("docker: auth of %s is %q, %v", host, a.Auth, err)
		}
	}
	for _, name := range []string{".config/Claude/claude_desktop_config.json", ".cursor/mcp.json"} {
		var config struct{ MCPServers map[string]any }
		parseJSON(t, content(t, home, name), &config)
		if len(config.MCPServers) != 2 {
			t.Errorf("%s: %+v", name, config)
		}
	}
	var adc struct {
		Type         string
		RefreshToken string `json:"refresh_token"`
	}
	parseJSON(t, content(t, home, ".config/gcloud/application_default_credentials.json"), &adc)
	if adc.Type != "authorized_user" || !strings.HasPrefix(adc.RefreshToken, "1//0") {
		t.Errorf("gcloud: %+v", adc)
	}
	parseJSON(t, content(t, home, ".azure/msal_token_cache.json"), new(map[string]any))
	parseJSON(t, content(t, home, "code/webshop/package.json"), new(map[string]any))

	var kube struct {
		CurrentContext string `yaml:"current-context"`
		Users          []struct{ User struct{ Token string } }
	}
	if err := yaml.Unmarshal(content(t, home, ".kube/config"), &kube); err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(kube.Users[0].User.Token, ".")
	if len(parts) != 3 || kube.CurrentContext != "prod" {
		t.Fatalf("kube: %+v", kube)
	}
	for _, part := range parts[:2] {
		raw, err := base64.RawURLEncoding.DecodeString(part)
		if err != nil {
			t.Fatal(err)
		}
		parseJSON(t, raw, new(map[string]any))
	}
	var hosts map[string]struct {
		User  string
		Token string `yaml:"oauth_token"`
	}
	if err := yaml.Unmarshal(content(t, home, ".config/gh/hosts.yml"), &hosts); err != nil || hosts["github.com"].Token == "" {
		t.Errorf("gh: %+v, %v", hosts, err)
	}
	for _, name := range []string{"Documents/passwords.csv", "Documents/budget.csv"} {
		rows, err := csv.NewReader(bytes.NewReader(content(t, home, name))).ReadAll()
		if err != nil || len(rows) < 5 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	if _, err := png.Decode(bytes.NewReader(content(t, home, "Pictures/summer.png"))); err != nil {
		t.Error(err)
	}
}

func parseJSON(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Errorf("%v in\n%s", err, data)
	}
}

func TestChecksums(t *testing.T) {
	token := newKit(10, now).mint("x").checked("ghp_")
	body, tail := token[4:34], token[34:]
	var sum uint64
	for _, c := range []byte(tail) {
		sum = sum*62 + uint64(strings.IndexByte(alnum, c))
	}
	if want := uint64(crc32.ChecksumIEEE([]byte(body))); sum != want {
		t.Errorf("checksum of %s is %d, want %d", token, sum, want)
	}
}
