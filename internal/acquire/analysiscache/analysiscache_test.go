package analysiscache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func today() time.Time { return time.Unix(86400*20000, 0) }

func TestCache(t *testing.T) {
	dir := t.TempDir()
	c := Open(dir, "me", today())
	if _, ok := c.Get("k"); ok || c.Changed() {
		t.Error("an empty cache has something")
	}
	c.Put("k", []byte(`{"a":1}`))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	again := Open(dir, "me", today())
	if value, ok := again.Get("k"); !ok || string(value) != `{"a":1}` || again.Changed() {
		t.Errorf("%s, %v, changed %v", value, ok, again.Changed())
	}
	if _, ok := Open(dir, "another", today()).Get("k"); ok {
		t.Error("what another has found out came back")
	}
	tomorrow := Open(dir, "me", today().Add(24*time.Hour))
	if _, ok := tomorrow.Get("k"); !ok || !tomorrow.Changed() {
		t.Error("that it was used is not noted")
	}
}

func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	c := Open(dir, "me", today())
	c.Put("k", []byte(`{"a":1}`))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, fileName)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty": nil, "cut": good[:len(good)-3], "changed": bytes.Replace(good, []byte(`"a":1`), []byte(`"a":2`), 1), "other": []byte("hello\nworld"),
	} {
		if err := os.WriteFile(file, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, ok := Open(dir, "me", today()).Get("k"); ok {
			t.Errorf("%s: was taken", name)
		}
	}
}

// The least recently used value is removed first.
func TestTrim(t *testing.T) {
	c := Open(t.TempDir(), "me", today())
	value := fmt.Appendf(nil, "%q", bytes.Repeat([]byte("x"), 1<<20))
	for i := range 60 {
		c.day = int64(i)
		c.Put(fmt.Sprint(i), value)
	}
	c.trim()
	if _, ok := c.Get("0"); ok {
		t.Error("the oldest is still there")
	}
	if _, ok := c.Get("59"); !ok || len(c.content.Entries) < 40 {
		t.Errorf("%d are left", len(c.content.Entries))
	}
}
