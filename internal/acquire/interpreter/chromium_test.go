package interpreter

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
)

// compressed is a text as the package of Chromium has it.
func compressed(t *testing.T, content []byte) string {
	t.Helper()
	var out bytes.Buffer
	w := brotli.NewWriter(&out)
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// plainTar is an archive with one file.
func plainTar(t *testing.T, name string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: 1, Typeflag: tar.TypeReg}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestUnpackChromium(t *testing.T) {
	unpack := func(program, library string) (dir string, err error) {
		dir = t.TempDir()
		file := filepath.Join(t.TempDir(), "package")
		content := tarball(t, nil, "package/LICENSE=text", "package/build/index.js=x",
			"package/bin/chromium.br="+compressed(t, []byte(program)),
			"package/bin/al2023.tar.br="+compressed(t, plainTar(t, library)),
			"package/bin/fonts.tar.br="+compressed(t, plainTar(t, "fonts/plain.ttf")))
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		return dir, unpackChromium(t.Context(), f, int64(len(content)), root)
	}
	dir, err := unpack("\x7fELF and more", "lib/libnss3.so")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"chromium", "fonts/plain.ttf", "lib/libnss3.so"}, within(t, dir)); diff != "" {
		t.Errorf("it has (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(filepath.Join(dir, "chromium")); err != nil || info.Mode() != 0o755 {
		t.Errorf("the program: %v %v", info, err)
	}
	_, err = unpack("#!/bin/sh", "lib/libnss3.so")
	wantUnavailable(t, err, "Chromium", "no program in it")
	_, err = unpack("\x7fELF", "../lib/libnss3.so")
	wantUnavailable(t, err, "leads out of it")
}

func TestChromium(t *testing.T) {
	_, _, err := Chromium(t.Context(), nil, newTrees(t), "riscv64", nil)
	wantUnavailable(t, err, "riscv64", "install Chromium")

	// A registry that has another file of that name.
	s := newShop(t)
	s.sells(t, chromiumPackage, map[string][]byte{chromiumRelease().Version: tarball(t, nil, "package/bin/chromium.br=x")}, nil)
	if _, _, err = Chromium(t.Context(), s.client(t), newTrees(t), "amd64", nil); err == nil {
		t.Error("another browser was taken")
	}

	if os.Getenv("MCPSF_NIGHTLY") == "" {
		t.Skip("downloads seventy megabytes: make nightly")
	}
	home, _ := os.UserHomeDir()
	client, err := registry.New(&registry.Options{Getenv: os.Getenv, Home: home})
	if err != nil {
		t.Skipf("the registry settings cannot be used: %v", err)
	}
	t.Cleanup(client.Close)
	dir, release, err := Chromium(t.Context(), client, newTrees(t), "amd64", nil)
	skipUnreached(t, err)
	defer release()
	for _, name := range []string{"chromium", "lib/libnss3.so", "fonts/Open_Sans/OpenSans-Regular.ttf"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
