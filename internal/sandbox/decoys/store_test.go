package decoys

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// levelRead reads a log of one record, as a starting database does.
func levelRead(t *testing.T, log []byte) []byte {
	t.Helper()
	if len(log) < 7 || int(binary.LittleEndian.Uint16(log[4:]))+7 != len(log) || log[6] != 1 {
		t.Fatalf("not one record: %x", log[:min(len(log), 16)])
	}
	masked := binary.LittleEndian.Uint32(log) - 0xa282ead8
	if got, want := masked>>17|masked<<15, crc32.Checksum(log[6:], crc32.MakeTable(crc32.Castagnoli)); got != want {
		t.Errorf("checksum %x, want %x", got, want)
	}
	return log[7:]
}

func levelEntries(t *testing.T, log []byte) map[string]string {
	t.Helper()
	batch := levelRead(t, log)
	count, r := int(binary.LittleEndian.Uint32(batch[8:])), bytes.NewBuffer(batch[12:])
	text := func() string {
		n, err := binary.ReadUvarint(r)
		if err != nil || uint64(r.Len()) < n {
			t.Fatalf("%d of %d bytes, %v", r.Len(), n, err)
		}
		return string(r.Next(int(n)))
	}
	entries := map[string]string{}
	for range count {
		if kind, err := r.ReadByte(); err != nil || kind != 1 {
			t.Fatalf("kind %d, %v", kind, err)
		}
		key := text()
		entries[key] = text()
	}
	if r.Len() != 0 {
		t.Errorf("%d bytes follow", r.Len())
	}
	return entries
}

func TestLevelDB(t *testing.T) {
	home := mustMint(t, 50)
	slack := levelEntries(t, decoyAt(t, home, "Slack/Local Storage/leveldb/000003.log").Content)
	var teams struct {
		Teams map[string]struct{ Token string }
	}
	value := strings.TrimPrefix(slack["_https://app.slack.com\x00\x01localConfig_v2"], "\x01")
	parseJSON(t, []byte(value), &teams)
	for _, team := range teams.Teams {
		if !regexp.MustCompile(`^xoxc-\d{12}-\d{13}-\d{13}-[0-9a-f]{64}$`).MatchString(team.Token) {
			t.Errorf("token %q", team.Token)
		}
	}
	if len(teams.Teams) != 1 {
		t.Errorf("%d teams", len(teams.Teams))
	}
	discord := levelEntries(t, decoyAt(t, home, "discord/Local Storage/leveldb/000003.log").Content)
	if got := discord["_https://discord.com\x00\x01token"]; !regexp.MustCompile("^\x01\"" + `[\w-]{24}\.[\w-]{6}\.[\w-]{38}"$`).MatchString(got) {
		t.Errorf("token %q", got)
	}
	edit := levelRead(t, content(t, home, ".config/Slack/Local Storage/leveldb/MANIFEST-000001"))
	if !bytes.HasPrefix(edit, []byte("\x01\x1aleveldb.BytewiseComparator\x02\x03")) {
		t.Errorf("manifest %q", edit)
	}
	if _, _, err := levelDB(entry{"k", strings.Repeat("v", 1<<15)}); err == nil {
		t.Error("a record that needs two blocks was taken")
	}
}

func TestMetaMask(t *testing.T) {
	d := decoyAt(t, mustMint(t, 51), "nkbihfbeogaeaoehlefnkodbefgpgknn/000003.log")
	var state struct {
		KeyringController struct{ Vault string }
	}
	parseJSON(t, []byte(levelEntries(t, d.Content)["data"]), &state)
	var vault struct{ Data, IV, Salt string }
	parseJSON(t, []byte(state.KeyringController.Vault), &vault)
	for field, want := range map[string]int{vault.Data: 420, vault.IV: 16, vault.Salt: 32} {
		if raw, err := base64.StdEncoding.DecodeString(field); err != nil || len(raw) != want {
			t.Errorf("%q has %d bytes, want %d, %v", field, len(raw), want, err)
		}
	}
	if !slices.Contains(d.Tokens, vault.Data) {
		t.Error("the vault is no token")
	}
}

func TestWallets(t *testing.T) {
	home := mustMint(t, 52)
	sol := decoyAt(t, home, "solana/id.json")
	var numbers []int
	parseJSON(t, sol.Content, &numbers)
	key := make([]byte, len(numbers))
	for i, n := range numbers {
		key[i] = byte(n)
	}
	if !bytes.Equal(ed25519.NewKeyFromSeed(key[:32]), key) || !slices.Contains(sol.Tokens, string(key[:32])) {
		t.Error("not a key, or not one of its tokens")
	}

	for _, d := range home.Decoys {
		if !strings.Contains(d.Path, "/keystore/") {
			continue
		}
		var eth struct {
			Address string
			Version int
			Crypto  struct {
				Ciphertext, Mac string
				Kdfparams       struct{ N int }
			}
		}
		parseJSON(t, d.Content, &eth)
		if !strings.HasSuffix(d.Path, "--"+eth.Address) || eth.Version != 3 || len(eth.Crypto.Ciphertext) != 64 || len(eth.Crypto.Mac) != 64 || eth.Crypto.Kdfparams.N != 262144 {
			t.Errorf("%s: %+v", d.Path, eth)
		}
	}

	btc := decoyAt(t, home, "wallet.dat")
	got := query(t, btc.Content, "PRAGMA integrity_check", "PRAGMA application_id",
		"SELECT count(*), min(length(key)), max(length(value)) FROM main",
		"SELECT length(value) FROM main WHERE key = X'046d6b657901000000'")
	if want := "ok\n-104942375\n12|6|67\n67\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestGCloudStore(t *testing.T) {
	home := mustMint(t, 53)
	d := decoyAt(t, home, "gcloud/credentials.db")
	email := strings.Fields(string(content(t, home, ".ssh/id_rsa.pub")))[2]
	var grant struct {
		Type         string
		RefreshToken string `json:"refresh_token"`
	}
	parseJSON(t, []byte(query(t, d.Content, "SELECT value FROM credentials WHERE account_id = '"+email+"'")), &grant)
	if grant.Type != "authorized_user" || !hasToken(d.Tokens, grant.RefreshToken) {
		t.Errorf("%+v", grant)
	}
}

func TestKeePass(t *testing.T) {
	file := decoyAt(t, mustMint(t, 54), "Passwords.kdbx").Content
	r := bytes.NewBuffer(file)
	if magic := r.Next(12); binary.LittleEndian.Uint32(magic) != 0x9aa2d903 || binary.LittleEndian.Uint32(magic[4:]) != 0xb54bfb67 || magic[10] != 4 {
		t.Fatalf("begins with %x", magic)
	}
	fields := map[byte][]byte{}
	for id := byte(1); id != 0; {
		id, _ = r.ReadByte()
		fields[id] = r.Next(int(binary.LittleEndian.Uint32(r.Next(4))))
	}
	if len(fields[2]) != 16 || len(fields[4]) != 32 || len(fields[7]) != 16 || !bytes.Contains(fields[11], []byte("$UUID")) {
		t.Errorf("header %x", fields)
	}
	if sum := sha256.Sum256(file[:len(file)-r.Len()]); !bytes.Equal(r.Next(32), sum[:]) {
		t.Error("the header's hash is not its own")
	}
	r.Next(32 + 32)
	if n := int(binary.LittleEndian.Uint32(r.Next(4))); n%16 != 0 || r.Len() != n+36 {
		t.Errorf("a block of %d bytes, %d left", n, r.Len())
	}
	if end := file[len(file)-4:]; !bytes.Equal(end, make([]byte, 4)) {
		t.Errorf("ends with %x", end)
	}
}

func TestKeyring(t *testing.T) {
	file := decoyAt(t, mustMint(t, 55), "login.keyring").Content
	r := bytes.NewBuffer(bytes.TrimPrefix(file, []byte("GnomeKeyring\n\r\x00\n\x00\x00\x00\x00")))
	number := func() int { return int(binary.BigEndian.Uint32(r.Next(4))) }
	if name := r.Next(number()); string(name) != "Login" {
		t.Fatalf("name %q", name)
	}
	changed, made := binary.BigEndian.Uint64(r.Next(8)), binary.BigEndian.Uint64(r.Next(8))
	if made >= changed {
		t.Error("changed before it was made")
	}
	r.Next(8 + 4 + 8 + 16)
	r.Next(12 * number())
	if n := number(); n%16 != 0 || n != r.Len() {
		t.Errorf("%d bytes encrypted, %d there", n, r.Len())
	}
}

func TestAgeKey(t *testing.T) {
	lines := strings.Split(string(content(t, mustMint(t, 56), ".config/sops/age/keys.txt")), "\n")
	private, err := ecdh.X25519().NewPrivateKey(unbech32(t, "age-secret-key-", strings.ToLower(lines[2])))
	if err != nil {
		t.Fatal(err)
	}
	public := unbech32(t, "age", strings.TrimPrefix(lines[1], "# public key: "))
	if !bytes.Equal(private.PublicKey().Bytes(), public) {
		t.Error("the halves do not match")
	}
	// From the standard's own list of valid ones.
	if got := bech32("a", nil); got != "a12uel5l" {
		t.Errorf("got %s", got)
	}
}

// expanded is the input of the checksum.
func expanded(t *testing.T, prefix, text string) []byte {
	t.Helper()
	rest, ok := strings.CutPrefix(text, prefix+"1")
	if !ok {
		t.Fatalf("%s does not begin with %s", text, prefix)
	}
	var out []byte
	for _, c := range []byte(prefix) {
		out = append(out, c>>5)
	}
	out = append(out, 0)
	for _, c := range []byte(prefix) {
		out = append(out, c&31)
	}
	for _, c := range []byte(rest) {
		out = append(out, byte(strings.IndexByte("qpzry9x8gf2tvdw0s3jn54khce6mua7l", c)))
	}
	return out
}

func unbech32(t *testing.T, prefix, text string) []byte {
	t.Helper()
	values := expanded(t, prefix, text)
	if bech32Sum(values) != 1 {
		t.Errorf("the checksum of %s is wrong", text)
	}
	n := new(big.Int)
	groups := values[2*len(prefix)+1 : len(values)-6]
	for _, g := range groups {
		n.Add(n.Lsh(n, 5), big.NewInt(int64(g)))
	}
	return n.Rsh(n, uint(5*len(groups)-256)).FillBytes(make([]byte, 32))
}

// TestJSONParses parses every file with a JSON name.
func TestJSONParses(t *testing.T) {
	n := 0
	for _, d := range mustMint(t, 57).Decoys {
		if strings.HasSuffix(d.Path, ".json") || strings.HasSuffix(d.Path, ".tfstate") {
			n++
			if !json.Valid(d.Content) {
				t.Errorf("%s is not JSON:\n%s", d.Path, d.Content)
			}
		}
	}
	if n < 17 {
		t.Errorf("%d files", n)
	}
}

func TestIBAN(t *testing.T) {
	for seed := range uint64(50) {
		iban := newKit(seed, now).mint("x").iban()
		n, ok := new(big.Int).SetString(iban[4:]+"1314"+iban[2:4], 10)
		if !ok || len(iban) != 22 || n.Mod(n, big.NewInt(97)).Int64() != 1 {
			t.Errorf("%s is mistyped", iban)
		}
	}
}
