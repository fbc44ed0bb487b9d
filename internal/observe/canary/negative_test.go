package canary

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// quiet expects no hits.
func quiet(t *testing.T, set *Set, name string, data []byte) {
	t.Helper()
	if hits := set.Bytes(data); len(hits) > 0 {
		t.Errorf("%s: %s, for example %q", name, brief(hits), hits[0].Excerpt)
	}
}

func TestOrdinary(t *testing.T) {
	set := compile(t, crowd())
	for name, data := range traffic(1 << 20) {
		quiet(t, set, name, data)
	}
	r := newRand(99)
	for i := range 300 {
		quiet(t, set, "another key", []byte(sshKey(r, "dev@laptop")))
		quiet(t, set, "another file", []byte(awsFile(r)))
		quiet(t, set, "another document", []byte(document(r)))
		quiet(t, set, "another key in base64", []byte(base64.StdEncoding.EncodeToString([]byte(sshKey(r, fmt.Sprint("me", i))))))
		quiet(t, set, "another token", []byte("ghp_"+pick(r, 36, alnum)))
	}
	image := "data:image/png;base64," + base64.StdEncoding.EncodeToString(append([]byte("\x89PNG\r\n\x1a\n"), noise(r, 200000)...))
	quiet(t, set, "image", []byte(image))
	quiet(t, set, "what is known to be ordinary", []byte(ordinary))
}

// TestNumbers: a key that is a list of numbers is recognised by many of them,
// not by three that also occur in other code.
func TestNumbers(t *testing.T) {
	key := "142,112,110,101,17,250,9,112,11,201,64,88,3,97,116,104,230,54,12,1,77,181,19,240,8,105,100,33,99,104,105,108"
	set := compile(t, []Mark{{ID: "wallet", Value: []byte(key), Distinct: []Span{{0, len(key)}}}})
	for _, code := range []string{
		"String.fromCharCode(99,104,105,108,100,95,112,114,111,99,101,115,115)",
		"chr(2),112,11,111,112,101,110,40,39,97,116,104,39,41",
		"[112,110,101,108,112,109,110,101,100,112,11,7]",
	} {
		quiet(t, set, "other numbers", []byte(code))
		quiet(t, set, "other numbers in base64", []byte(base64.StdEncoding.EncodeToString([]byte(code))))
	}
	for _, leaked := range []string{key, key[20:90], base64.StdEncoding.EncodeToString([]byte(key))} {
		if hits := set.Bytes([]byte("body=" + leaked)); len(hits) != 1 {
			t.Errorf("%q: %d hits", leaked, len(hits))
		}
	}
}

// TestOtherNumbersInPieces: long lists of other numbers contain a few characters of
// every list here and there, under one key or another. That adds up to nothing.
func TestOtherNumbersInPieces(t *testing.T) {
	r := newRand(7)
	list := func(n, low, high int, between string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprint(low + r.IntN(high-low))
		}
		return strings.Join(all, between)
	}
	key := list(64, 0, 256, ",")
	set := compile(t, []Mark{
		{ID: "wallet", Value: []byte("[" + key + "]"), Distinct: []Span{{1, 1 + len(key)}}},
		{ID: "half of it", Value: []byte(key[:len(key)/2])},
	})
	g := set.Gather()
	for i := range 60 {
		for _, url := range []string{"/draw/" + list(240, 300, 556, "-") + ".svg", "/plot?y=" + list(1000, 0, 256, ","), "/path?d=" + list(500, 0, 999, ".")} {
			quiet(t, set, "one list", []byte(url))
			if hits := g.Add([]byte(url), int64(i)); len(hits) > 0 {
				t.Fatalf("message %d: %s, for example %q", i, brief(hits), hits[0].Excerpt)
			}
		}
	}
	for at := 0; at < len(key); at += 40 {
		g.Add([]byte("d="+key[at:min(at+40, len(key))]), int64(100+at))
	}
	if len(g.Hits()) != 2 {
		t.Error("the list itself is not recognised in pieces")
	}
}

// TestRandom searches a hundred random megabytes and expects no hits.
func TestRandom(t *testing.T) {
	size := 8 << 20
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		size = 100 << 20
	}
	set, r := compile(t, crowd()), newRand(5)
	st := set.Stream(nil)
	for done := 0; done < size; done += 1 << 16 {
		if hits := st.Write(noise(r, 1<<16)); len(hits) > 0 {
			t.Fatalf("after %d: %s", done, brief(hits))
		}
	}
	if hits := st.Close(); len(hits) > 0 {
		t.Fatal(brief(hits))
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("there is no go command:", err)
	}
	return strings.TrimSpace(string(out))
}

// TestSource searches the Go sources, with real text, tables, scripts, pages,
// archives and pictures.
func TestSource(t *testing.T) {
	set := compile(t, crowd())
	root, total := filepath.Join(goroot(t), "src"), 0
	limit := 4 << 20
	if os.Getenv("MCPSF_NIGHTLY") != "" {
		limit = 30 << 20
	}
	var files []string
	for _, dir := range []string{"compress", "image/testdata", "internal/trace/traceviewer/static", "crypto/x509", "encoding", "net/http", "html", "archive", "runtime"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			t.Skipf("no sources here: %v", err)
		}
	}
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil || total > limit {
			continue
		}
		total += len(b)
		quiet(t, set, path, b)
	}
	if total == 0 {
		t.Skip("no sources here")
	}
}

// TestDistinct checks that parts common to files do not count, unless Distinct
// says so.
func TestDistinct(t *testing.T) {
	r := newRand(21)
	file := awsFile(r)
	key := strings.Index(file, "AKIA")
	set := compile(t, []Mark{{ID: "found", Value: []byte(file)}, {ID: "told", Value: []byte(document(r)), Distinct: []Span{{2, 16}}}})
	for _, tt := range []struct {
		name, text string
		want       int
	}{
		{"the frame of the file", "[default]\naws_access_key_id = \naws_secret_access_key = \nregion = eu-west-1\n", 0},
		{"the key", file[key : key+20], 1},
		{"what was said to be distinctive", "about the Webshop weekly, see", 1},
		{"the rest of it", document(newRand(21))[20:], 0},
	} {
		if hits := set.Bytes([]byte(tt.text)); len(hits) != tt.want {
			t.Errorf("%s: %s", tt.name, brief(hits))
		}
	}
}

func TestCompile(t *testing.T) {
	long := Mark{ID: "a", Value: []byte(pick(newRand(1), 32, alnum))}
	for _, tt := range []struct {
		name  string
		marks []Mark
		want  string
	}{
		{"none", nil, ""},
		{"fine", []Mark{long}, ""},
		{"short", []Mark{long, {ID: "brief", Value: []byte("1234567")}}, `mark "brief" has 7 bytes`},
		{"twice", []Mark{long, long}, `mark "a" is there twice`},
		{"outside", []Mark{{ID: "a", Value: long.Value, Distinct: []Span{{4, 33}}}}, "outside its value: 4 to 33"},
		{"backwards", []Mark{{ID: "a", Value: long.Value, Distinct: []Span{{4, 4}}}}, "outside its value"},
		{"many", make([]Mark, maxMarks+1), "too many"},
	} {
		_, err := Compile(tt.marks)
		if got := fmt.Sprint(err); tt.want == "" && err != nil || !strings.Contains(got, tt.want) && tt.want != "" {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	set := compile(t, []Mark{{ID: "weak", Value: []byte("password")}, {ID: "zeros", Value: make([]byte, 100)}, long})
	if got := strings.Join(set.Weak(), " "); got != "weak zeros" {
		t.Errorf("weak: %q", got)
	}
	quiet(t, set, "a weak mark", []byte("the password is password\x00\x00\x00\x00\x00\x00\x00\x00"))
	// A value larger than the indexed part, and one that is contained in
	// another mark.
	big := string(noise(newRand(2), maxValue*2)) + string(long.Value)
	set = compile(t, []Mark{{ID: "big", Value: []byte(big)}, long})
	if hits := set.Bytes([]byte(big)); len(hits) != 2 || hits[0].Share != 0.5*float64(maxValue*2)/float64(len(big)) {
		t.Errorf("big: %s", brief(hits))
	}
}
