package code_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/code"
)

// sample is a package of corpus/static with the facts that must and must not be
// reported.
type sample struct {
	Title     string   `yaml:"title"`
	Malicious bool     `yaml:"malicious"`
	Class     string   `yaml:"class"`
	Expect    []string `yaml:"expect"`
	Not       []string `yaml:"not"`
}

const corpus = "../../../corpus/static"

// TestCorpus reads every sample and counts misses and false alarms.
func TestCorpus(t *testing.T) {
	folders, err := os.ReadDir(corpus)
	if err != nil {
		t.Fatal(err)
	}
	wanted, found, wrong := map[string]int{}, map[string]int{}, map[string]int{}
	malicious, benign := 0, 0
	for _, folder := range folders {
		s := load(t, folder.Name())
		if s.Malicious {
			malicious++
		} else {
			benign++
		}
		t.Run(folder.Name(), func(t *testing.T) {
			r := read(t, os.DirFS(filepath.Join(corpus, folder.Name())))
			kinds := kindsOf(r.Facts)
			for _, k := range s.Expect {
				wanted[k]++
				if slices.Contains(kinds, k) {
					found[k]++
				} else {
					t.Errorf("%s is not told; told are %v", k, kinds)
				}
			}
			for _, k := range kinds {
				if slices.Contains(s.Not, k) || slices.Contains(s.Not, "all") && k != "code.capability" && !slices.Contains(s.Expect, k) {
					wrong[k]++
					t.Errorf("%s is told without reason:\n%s", k, show(r.Facts, k))
				}
			}
		})
	}
	if malicious < 30 || benign < 30 {
		t.Errorf("%d malicious and %d benign samples, want at least 30 of each", malicious, benign)
	}
	report(t, wanted, found, wrong)
}

func load(t *testing.T, name string) *sample {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(corpus, name, "case.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var s sample
	d := yaml.NewDecoder(strings.NewReader(string(raw)))
	d.KnownFields(true)
	if err := d.Decode(&s); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &s
}

func kindsOf(facts []mcpsf.Fact) []string {
	var out []string
	for _, f := range facts {
		if !slices.Contains(out, f.Kind) {
			out = append(out, f.Kind)
		}
	}
	return out
}

func show(facts []mcpsf.Fact, kind string) string {
	var b strings.Builder
	for _, f := range facts {
		if f.Kind == kind {
			fmt.Fprintf(&b, "%s:%d %s: %s\n", f.Path, f.Line, f.Name, f.Text)
		}
	}
	return b.String()
}

// report prints recall and false alarms for each kind.
func report(t *testing.T, wanted, found, wrong map[string]int) {
	t.Helper()
	var kinds []string
	for k := range wanted {
		kinds = append(kinds, k)
	}
	for k := range wrong {
		if wanted[k] == 0 {
			kinds = append(kinds, k)
		}
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		t.Logf("%-22s found %d of %d, without reason %d", k, found[k], wanted[k], wrong[k])
	}
}

// TestCorpusIsSmall bounds the size of the samples.
func TestCorpusIsSmall(t *testing.T) {
	var total int64
	err := filepath.WalkDir(corpus, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		total += info.Size()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total > 3<<20 {
		t.Errorf("corpus/static has %d bytes, want at most 3 MB", total)
	}
}

var _ = code.Options{}
