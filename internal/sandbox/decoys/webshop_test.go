package decoys

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// gitIn runs the real git as the owner of a home would.
func gitIn(t *testing.T, home string) func(args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	return func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = filepath.Join(home, repoDir)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C", "TZ=UTC"}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
}

func TestRepository(t *testing.T) {
	for seed := range uint64(3) {
		home := mustMint(t, seed)
		git := gitIn(t, settle(t, home))
		for _, tt := range []struct{ command, want string }{
			{"status --porcelain --branch", `^## main\.\.\.origin/main\n M README.md\n$`},
			{"fsck --full --strict --no-progress", `^$`},
			{"diff HEAD -U0", `(?m)^-    npm start\n\+    npm run dev$`},
			{"log --format=%s", `^cart: round prices once\nreadme: .*\ncart: add up the lines\nfirst version of the shop\n$`},
			{"log -1 --format=%an.%ae", `^\w+ \w+\.\w+@\w+\.internal\n$`},
			{"branch --format=%(refname:short)", `^discounts\nmain\n$`},
			{"merge-base --is-ancestor main~1 discounts", `^$`},
			{"show --stat --format= HEAD", `^ src/cart\.js \| .*\n 1 file changed`},
			{"diff --name-status main~1 discounts", `^A\tsrc/discount\.js\n$`},
			{"ls-files", `^\.gitignore\nREADME\.md\npackage\.json\nsrc/cart\.js\nsrc/index\.js\n$`},
			{"reflog --format=%gs", `^(commit: .*\n){3}commit \(initial\): first version of the shop\n$`},
			{"blame --porcelain README.md", `\nsummary first version of the shop\n(?s:.*)\nsummary readme: `},
			{"remote get-url origin", `^git@git\.\w+\.internal:shop/webshop\.git\n$`},
			{"check-ignore .env", `^\.env\n$`},
			{"count-objects -v", `(?m)^packs: 1$`},
		} {
			if got := git(strings.Fields(tt.command)...); !regexp.MustCompile(tt.want).MatchString(got) {
				t.Errorf("seed %d: git %s says\n%s\nwant %s", seed, tt.command, got, tt.want)
			}
		}
	}
}

// TestRepositoryAtWork does what tools do to a repository, and checks the
// result.
func TestRepositoryAtWork(t *testing.T) {
	dir := settle(t, mustMint(t, 21))
	git := gitIn(t, dir)
	git("switch", "--quiet", "discounts")
	git("switch", "--quiet", "main")
	if err := os.WriteFile(filepath.Join(dir, repoDir, "README.md"), []byte("# new\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := git("status", "--porcelain"); got != " M README.md\n" {
		t.Errorf("a change shows as %q", got)
	}
	git("commit", "--quiet", "-a", "-m", "readme: new")
	git("merge", "--quiet", "--no-edit", "discounts")
	git("gc", "--quiet")
	git("fsck", "--full", "--strict", "--no-progress")
	if got := git("status", "--porcelain"); got != "" {
		t.Errorf("not clean: %q", got)
	}
	if got := git("rev-list", "--count", "HEAD"); got != "7\n" {
		t.Errorf("%s commits", got)
	}
}

func TestPackHead(t *testing.T) {
	for size, want := range map[int]string{0: "\x30", 15: "\x3f", 16: "\xb0\x01", 2047: "\xbf\x7f", 2048: "\xb0\x80\x01"} {
		if got := (&gitObject{kind: gitBlob, content: make([]byte, size)}).packHead(); string(got) != want {
			t.Errorf("size %d: %x, want %x", size, got, want)
		}
	}
}
