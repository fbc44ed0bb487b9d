package decoys

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2031, 3, 14, 15, 9, 26, 0, time.UTC)

func mustMint(t testing.TB, seed uint64) Home {
	t.Helper()
	home, err := Mint(seed, now)
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func TestDeterministic(t *testing.T) {
	a, b := mustMint(t, 7), mustMint(t, 7)
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(Home{})); diff != "" {
		t.Errorf("the same seed gave another home:\n%s", diff)
	}
}

func TestPathsDependOnTheSeedAlone(t *testing.T) {
	a := mustMint(t, 7)
	b, err := Mint(7, now.AddDate(3, 1, 5).Add(7*time.Hour).In(time.FixedZone("x", 9*3600)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Decoys {
		if a.Decoys[i].Path != b.Decoys[i].Path || a.Decoys[i].ID != b.Decoys[i].ID {
			t.Errorf("at another time %s %s became %s %s", a.Decoys[i].ID, a.Decoys[i].Path, b.Decoys[i].ID, b.Decoys[i].Path)
		}
	}
	for i := range a.Scenery {
		if a.Scenery[i].Path != b.Scenery[i].Path {
			t.Errorf("at another time %s became %s", a.Scenery[i].Path, b.Scenery[i].Path)
		}
	}
}

func TestSeedsShareNoToken(t *testing.T) {
	seen := map[string]uint64{}
	for seed := range uint64(6) {
		home := mustMint(t, seed)
		tokens := map[string][]string{}
		for _, d := range home.Decoys {
			tokens[d.Path] = d.Tokens
		}
		for _, v := range home.Environment() {
			tokens[v.Name] = v.Tokens
		}
		for source, list := range tokens {
			for _, token := range list {
				if other, ok := seen[token]; ok {
					t.Errorf("seeds %d and %d share the token of %s", seed, other, source)
				}
				seen[token] = seed
			}
		}
	}
}

func TestTokens(t *testing.T) {
	home := mustMint(t, 1)
	decoys := slices.Clone(home.Decoys)
	for _, v := range home.Environment() {
		decoys = append(decoys, mcpsf.Decoy{Path: v.Name, Kind: v.Kind, Content: []byte(v.Value), Tokens: v.Tokens})
	}
	var all []string
	for _, d := range decoys {
		literal := false
		for _, token := range d.Tokens {
			found := strings.Contains(string(d.Content), token)
			literal = literal || found
			if !found && !encodes(d) {
				t.Errorf("%s does not contain its token %q", d.Path, token)
			}
			// A short token could occur somewhere by chance.
			if len(token) < 16 {
				t.Errorf("%s: token %q is short", d.Path, token)
			}
			for _, other := range decoys {
				if other.Path != d.Path && !strings.HasSuffix(other.Path, ".pack") && strings.Contains(string(other.Content), token) {
					t.Errorf("%s has the token of %s", other.Path, d.Path)
				}
			}
			for _, f := range home.Scenery {
				if strings.Contains(string(f.Content), token) {
					t.Errorf("scenery %s has the token of %s", f.Path, d.Path)
				}
			}
		}
		if !literal {
			t.Errorf("%s has no token", d.Path)
		}
		all = append(all, d.Tokens...)
	}
	for i, a := range all {
		for j, b := range all {
			if i != j && strings.Contains(a, b) {
				t.Errorf("token %q contains %q", a, b)
			}
		}
	}
}

// encodes reports files whose format hides some of their tokens; the tests of
// these formats find them.
func encodes(d mcpsf.Decoy) bool {
	return d.Kind == KindDocker || d.Kind == KindCookies || d.Kind == KindLogins || strings.HasSuffix(d.Path, "solana/id.json")
}

func TestPlaces(t *testing.T) {
	home := mustMint(t, 2)
	files := slices.Clone(home.Scenery)
	ids := map[string]bool{}
	for _, d := range home.Decoys {
		files = append(files, File{Path: d.Path, Mode: d.Mode, Content: d.Content})
		want := uint32(0o600)
		if !d.Secret() {
			want = 0o644
		}
		if d.Mode != want {
			t.Errorf("%s has mode %o, want %o", d.Path, d.Mode, want)
		}
		if ids[d.ID] || !regexp.MustCompile(`^[a-z]+-[0-9a-f]{2,}$`).MatchString(d.ID) {
			t.Errorf("%s has the id %q, which is taken or malformed", d.Path, d.ID)
		}
		ids[d.ID] = true
	}
	seen := map[string]bool{}
	for _, f := range files {
		if seen[f.Path] {
			t.Errorf("%s is planted twice", f.Path)
		}
		seen[f.Path] = true
		if !strings.HasPrefix(f.Path, mcpsf.Home+"/") || f.Path != path.Clean(f.Path) {
			t.Errorf("%s is not in the home", f.Path)
		}
		if f.Path == mcpsf.WorkDir || strings.HasPrefix(f.Path, mcpsf.WorkDir+"/") {
			t.Errorf("%s is in the server's own directory", f.Path)
		}
		if len(f.Content) == 0 {
			t.Errorf("%s is empty", f.Path)
		}
	}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "/"; dir = path.Dir(dir) {
			if seen[dir] {
				t.Errorf("%s is both a file and the directory of %s", dir, f.Path)
			}
		}
	}
}

func TestIDsStayUniqueByForce(t *testing.T) {
	decoys := make([]mcpsf.Decoy, 300)
	for i := range decoys {
		decoys[i].ID = "doc-3f"
	}
	uniqueIDs(decoys)
	seen := map[string]bool{}
	for _, d := range decoys {
		if seen[d.ID] {
			t.Fatalf("%s twice", d.ID)
		}
		seen[d.ID] = true
	}
}

func TestKinds(t *testing.T) {
	got := map[string]int{}
	for _, d := range mustMint(t, 3).Decoys {
		got[d.Kind]++
	}
	want := map[string]int{
		KindSSHKey: 2, KindGPGKey: 2, KindAgeKey: 1,
		KindAWS: 1, KindAWSSession: 1, KindGCloud: 2, KindServiceAccount: 1, KindAzure: 1, KindKube: 1, KindDocker: 1,
		KindTerraform: 1, KindTerraformState: 1, KindVault: 1, KindAnsible: 1, KindRclone: 1, KindS3: 1, KindVPN: 1,
		KindDotenv: 3, KindNPM: 1, KindPyPI: 1, KindNetrc: 1, KindGit: 1, KindGitHub: 1, KindStripe: 1, KindPostgres: 1, KindMySQL: 1,
		KindShellHistory: 3, KindMCPConfig: 6, KindAssistant: 4, KindModelToken: 2,
		KindCookies: 2, KindLogins: 3, KindChat: 2, KindWallet: 4,
		KindPasswordExport: 3, KindPasswordStore: 2, KindPasswordNotes: 1, KindMail: 1, mcpsf.DecoyDocument: 20,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds differ (-want +got):\n%s", diff)
	}
}

// TestNothingGivesItAway searches for words that would reveal the sandbox to a
// target.
func TestNothingGivesItAway(t *testing.T) {
	tell := regexp.MustCompile(`(?i)\b(canary|decoy|fake|mcpsf|test|bait|honey|sandbox|dummy|sample|trap|gvisor|detonat)`)
	for seed := range uint64(3) {
		home := mustMint(t, seed)
		texts := map[string]string{}
		for _, f := range home.Scenery {
			texts[f.Path] = string(f.Content)
		}
		for _, d := range home.Decoys {
			text := string(d.Content)
			for _, token := range d.Tokens {
				text = strings.ReplaceAll(text, token, "")
			}
			if !noise(d.Path) {
				texts[d.Path] = text
			}
		}
		for _, v := range home.Environment() {
			texts[v.Name] = strings.ReplaceAll(v.Value, v.Tokens[0], "")
		}
		for name, text := range texts {
			if regexp.MustCompile(`%!\w?\(`).MatchString(text) {
				t.Errorf("%s was put together wrongly:\n%s", name, text)
			}
			if found := tell.FindString(name + "\n" + text); found != "" {
				t.Errorf("%s says %q", name, found)
			}
		}
	}
}

// noise reports files that are compressed or encrypted.
func noise(name string) bool {
	switch path.Ext(name) {
	case ".png", ".jpg", ".pack", ".kdbx", ".keyring", ".dat":
		return true
	}
	return false
}

func BenchmarkMint(b *testing.B) {
	seed := uint64(0)
	for b.Loop() {
		seed++
		mustMint(b, seed)
	}
}
