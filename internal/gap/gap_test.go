package gap

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestNew(t *testing.T) {
	want := mcpsf.Gap{Code: ListEntries, Text: "3 entries of a list beyond the first 10000", Limit: 10_000, Count: 3, Hides: true}
	if diff := cmp.Diff(want, New(ListEntries, 10_000, 3)); diff != "" {
		t.Error(diff)
	}
	if g := New(ListEntries, 10_000, 0); !strings.HasPrefix(g.Text, "some entries") {
		t.Errorf("without a count: %q", g.Text)
	}
	if g := New("forgotten", 0, 0); !g.Hides {
		t.Error("a code that is not in the table hides nothing")
	}
}

// The same bound is reached again and again; other sentences stay apart.
func TestFold(t *testing.T) {
	got := Fold([]mcpsf.Gap{
		New(ResourcesNotRead, 2000, 10), Detailed(NotStartedAgain, "a"), New(ResourcesNotRead, 2000, 30), Detailed(NotStartedAgain, "b"),
		New(ResourcesNotRead, 2000, 20), Detailed(NotStartedAgain, "a"), New(ResourcesNotRead, 50, 20),
	})
	want := []mcpsf.Gap{New(ResourcesNotRead, 2000, 30), Detailed(NotStartedAgain, "a"), Detailed(NotStartedAgain, "b")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSorted(t *testing.T) {
	got := Sorted([]mcpsf.Gap{New(FakeHosts, 0, 0), New(ListPages, 1000, 0), New(LateWork, 0, 0), New(ListCursor, 0, 0)})
	want := []mcpsf.Gap{New(ListPages, 1000, 0), New(ListCursor, 0, 0), New(FakeHosts, 0, 0), New(LateWork, 0, 0)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	seen := map[mcpsf.GapCode]bool{}
	for _, k := range Table() {
		if k.Code == "" || k.Text == "" || k.Why == "" || seen[k.Code] {
			t.Errorf("%+v: incomplete, or there twice", k)
		}
		seen[k.Code] = true
	}
}

// docs/coverage.md has the table, line for line.
func TestPageIsUpToDate(t *testing.T) {
	page, err := os.ReadFile("../../docs/coverage.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "| code | not seen | hides a theft | because |\n| --- | --- | --- | --- |\n")
	got, _, _ := strings.Cut(rest, "\n\n")
	var want []string
	for _, k := range Table() {
		hides := "no"
		if k.Hides {
			hides = "yes"
		}
		want = append(want, fmt.Sprintf("| `%s` | %s | %s | %s |", k.Code, strings.NewReplacer("{limit}", "*limit*", "{count}", "*count*").Replace(k.Text), hides, k.Why))
	}
	if diff := cmp.Diff(want, strings.Split(got, "\n")); diff != "" {
		t.Errorf("docs/coverage.md differs from the table (-want +got):\n%s", diff)
	}
}
