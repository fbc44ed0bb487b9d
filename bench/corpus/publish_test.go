package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPublish(t *testing.T) {
	results := []*result{
		{example: &example{Name: "fixed-a", Server: "server.py"}, outcome: quiet},
		{example: &example{Name: "vuln-a", Server: "server.py", Vulnerable: true, Twin: "fixed-a", Expect: expected{Attacks: []attack{{Class: "ssrf"}}}}, outcome: proved},
	}
	file := filepath.Join(t.TempDir(), "doc.md")
	for _, old := range []string{"", "| old |\n"} {
		if err := os.WriteFile(file, []byte("# Doc\n"+tableBegins+old+tableEnds+"The end.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := publish(file, results); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := "| ssrf | 1 of 1 | 1 of 1 | 0 of 0 | 1 of 1 |\n| all | 1 of 1 | 1 of 1 | 0 of 0 | 1 of 1 |\n" + tableEnds + "The end.\n"
		if got := string(raw); !strings.HasPrefix(got, "# Doc\n"+tableBegins) || !strings.HasSuffix(got, want) || strings.Contains(got, "| old |") {
			t.Error(got)
		}
	}
	if err := os.WriteFile(file, []byte("# Doc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if publish(file, results) == nil {
		t.Error("written into a document that has no place for it")
	}
}
