package secretbox

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func key(t *testing.T) *Key {
	t.Helper()
	k, err := Load(filepath.Join(t.TempDir(), "new", "secret"))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestEncrypt(t *testing.T) {
	k := key(t)
	encrypted, err := k.Encrypt([]byte("TOKEN=hunter2"), []byte("job 1"))
	if err != nil || bytes.Contains(encrypted, []byte("hunter2")) {
		t.Fatalf("%q, %v", encrypted, err)
	}
	if got, err := k.Decrypt(encrypted, []byte("job 1")); err != nil || string(got) != "TOKEN=hunter2" {
		t.Errorf("opened %q, %v", got, err)
	}
	if got, err := k.Decrypt(encrypted, []byte("job 2")); err == nil {
		t.Errorf("another job's value was opened: %q", got)
	}
	if got, err := key(t).Decrypt(encrypted, []byte("job 1")); err == nil {
		t.Errorf("another secret opens it: %q", got)
	}
	for i := range encrypted {
		changed := bytes.Clone(encrypted)
		changed[i] ^= 1
		if _, err := k.Decrypt(changed, []byte("job 1")); err == nil {
			t.Errorf("it opens although byte %d was changed", i)
		}
		if _, err := k.Decrypt(encrypted[:i], []byte("job 1")); err == nil {
			t.Errorf("%d bytes of it open", i)
		}
	}
	if bytes.Equal(k.For("a"), k.For("b")) || bytes.Equal(k.Sign("a", nil), k.Sign("b", nil)) {
		t.Error("two purposes have one key")
	}
}

func TestLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	keys := make(chan string, 8)
	var wg sync.WaitGroup
	for range cap(keys) {
		wg.Go(func() {
			k, err := Load(path)
			if err != nil {
				t.Error(err)
				return
			}
			keys <- string(k.secret)
		})
	}
	wg.Wait()
	close(keys)
	first := <-keys
	for k := range keys {
		if k != first {
			t.Error("those who start at once have different secrets")
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	for _, bad := range []string{"", "short", base64.StdEncoding.EncodeToString(make([]byte, 31)), "!" + base64.StdEncoding.EncodeToString(make([]byte, 32))} {
		if _, err := New(bad); err == nil {
			t.Errorf("%q is a secret", bad)
		}
	}
}
