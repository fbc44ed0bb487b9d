package image

import (
	"archive/tar"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func simplePicture(t testing.TB) v1.Image {
	t.Helper()
	return picture(t, runtime.GOARCH, start("node", "server.js"),
		sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("server.js", "1"), sourcetest.TarFile("gone", "1"))), sourcetest.Tar(t, sourcetest.TarFile(".wh.gone", ""), sourcetest.TarFile("../up", "")))
}

// layoutItems are the files of an OCI layout.
func layoutItems(t testing.TB, images ...v1.Image) (dir string, items []sourcetest.TarItem) {
	t.Helper()
	dir = t.TempDir()
	p, err := layout.Write(dir, empty.Index)
	sourcetest.Must(t, err)
	for _, img := range images {
		sourcetest.Must(t, p.AppendImage(img))
	}
	return dir, dirItems(t, dir)
}

func dirItems(t testing.TB, dir string) (items []sourcetest.TarItem) {
	t.Helper()
	for rel, shown := range sourcetest.Listing(t, dir) {
		if _, text, ok := strings.Cut(shown, " "); ok {
			items = append(items, sourcetest.TarFile(rel, text))
		}
	}
	slices.SortFunc(items, func(a, b sourcetest.TarItem) int { return strings.Compare(a.Name, b.Name) })
	return items
}

func saved(t testing.TB, items []sourcetest.TarItem) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), "image.tar")
	sourcetest.Must(t, os.WriteFile(p, sourcetest.Tar(t, items...), 0o644))
	return p
}

// without and edited change the files of an archive.
func without(items []sourcetest.TarItem, name string) []sourcetest.TarItem {
	return slices.DeleteFunc(slices.Clone(items), func(i sourcetest.TarItem) bool { return strings.Contains(i.Name, name) })
}

func edited(items []sourcetest.TarItem, name, from, to string) []sourcetest.TarItem {
	items = slices.Clone(items)
	for n := range items {
		if strings.Contains(items[n].Name, name) {
			items[n].Text = strings.ReplaceAll(items[n].Text, from, to)
		}
	}
	return items
}

func TestImageFiles(t *testing.T) {
	opts, trees, _ := imageOptions(t)
	img := simplePicture(t)
	manifest, err := img.Digest()
	sourcetest.Must(t, err)
	config, err := img.ConfigName()
	sourcetest.Must(t, err)

	dir, items := layoutItems(t, img)
	archive := saved(t, items)
	docker := filepath.Join(t.TempDir(), "saved.tar")
	tag, err := name.NewTag("team/server:1")
	sourcetest.Must(t, err)
	sourcetest.Must(t, tarball.WriteToFile(docker, tag, img))

	for _, test := range []struct {
		source, name string
		digest       v1.Hash
		notes        []string
	}{
		{"oci-layout:" + dir, filepath.Base(dir), manifest, nil},
		{"oci-archive:" + archive, "image.tar", manifest, nil},
		{"oci-archive:" + docker, "saved.tar", config, []string{`the archive calls the image "team/server:1"`}},
	} {
		a, facts, err := resolveImage(t, mcpsf.Target{Source: test.source}, opts)
		sourcetest.Must(t, err)
		if a.Kind != "oci" || a.Name != test.name || a.Digest != test.digest.String() || a.Origin != nil || a.Files != 1 {
			t.Errorf("%s: %+v", test.source, a)
		}
		if diff := cmp.Diff(map[string]string{"server.js": shownFile("1")}, sourcetest.Listing(t, a.RootFS)); diff != "" {
			t.Errorf("tree differs (-want +got):\n%s", diff)
		}
		if len(facts) != 1 || !slices.Equal(a.Notes[:len(a.Notes)-1], test.notes) {
			t.Errorf("facts %v, notes %q", facts, a.Notes)
		}
	}
	if trees.builds != 2 {
		t.Errorf("%d builds; the layout and its archive are the same image", trees.builds)
	}
}

func TestImageFilesOfOldDocker(t *testing.T) {
	img := simplePicture(t)
	config, err := img.RawConfigFile()
	sourcetest.Must(t, err)
	layers, err := img.Layers()
	sourcetest.Must(t, err)
	plain := sourcetest.Tar(t, sourcetest.TarFile(".wh.gone", ""), sourcetest.TarFile("../up", ""))
	first := sourcetest.Gzip(t, sourcetest.Tar(t, sourcetest.TarFile("server.js", "1"), sourcetest.TarFile("gone", "1")))
	if len(layers) != 2 {
		t.Fatalf("%d layers", len(layers))
	}
	save := func(layers ...string) sourcetest.TarItem {
		data, err := json.Marshal([]map[string]any{{"Config": "abc.json", "Layers": layers}})
		sourcetest.Must(t, err)
		return sourcetest.TarFile("manifest.json", string(data))
	}
	good := []sourcetest.TarItem{sourcetest.TarFile("abc.json", string(config)), sourcetest.TarFile("one/layer.tar", string(first)), sourcetest.TarFile("two/layer.tar", string(plain)), save("one/layer.tar", "two/layer.tar")}
	opts, _, _ := imageOptions(t)
	for _, test := range []struct {
		name  string
		items []sourcetest.TarItem
		want  string
	}{
		{"plain", good, ""},
		{"symbolic link", append(slices.Clone(good[:3]), linkItem("three/layer.tar", "../two/layer.tar"), save("one/layer.tar", "three/layer.tar")), ""},
		{"hard link", append(slices.Clone(good[:3]), sourcetest.TarOther("a/three.tar", tar.TypeLink, "two/layer.tar"), save("one/layer.tar", "a/three.tar")), ""},
		{"link in a circle", append(slices.Clone(good[:3]), linkItem("x", "x"), save("one/layer.tar", "x")), "is not in it"},
		{"link out", append(slices.Clone(good[:3]), linkItem("x", "/etc/passwd"), save("one/layer.tar", "x")), "is not in it"},
		{"layer out", append(slices.Clone(good[:3]), save("one/layer.tar", "../../../../etc/passwd")), "is not in it"},
		{"config out", []sourcetest.TarItem{sourcetest.TarFile("manifest.json", `[{"Config":"/etc/passwd"}]`)}, "is not in it"},
		{"layers swapped", append(slices.Clone(good[:3]), save("two/layer.tar", "one/layer.tar")), "layer 1 has the digest"},
		{"layer missing", append(slices.Clone(good[:3]), save("one/layer.tar")), "has 1 layers, but its configuration tells of 2"},
		{"layer changed", edited(good, "two", "up", "UP"), "damaged"},
		{"two images", []sourcetest.TarItem{sourcetest.TarFile("manifest.json", `[{"Config":"a"},{"Config":"b"}]`)}, "2 images"},
		{"no images", []sourcetest.TarItem{sourcetest.TarFile("manifest.json", `[]`)}, "cannot be read"},
		{"nonsense", []sourcetest.TarItem{sourcetest.TarFile("manifest.json", `{"a":`)}, "cannot be read"},
		{"huge manifest", []sourcetest.TarItem{sourcetest.TarFile("manifest.json", strings.Repeat(" ", maxManifest+1))}, "larger than"},
		{"nothing", []sourcetest.TarItem{sourcetest.TarFile("server.js", "")}, "neither index.json nor manifest.json"},
		{"twice", append(slices.Clone(good), good[0]), "two entries"},
		{"too many", slices.Repeat([]sourcetest.TarItem{dirItem("d/")}, 20_001), "too many entries"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, _, err := resolveImage(t, mcpsf.Target{Source: "oci-archive:" + saved(t, test.items)}, opts)
			if test.want != "" {
				sourcetest.WantUsage(t, err, test.want, "image.tar")
				return
			}
			sourcetest.Must(t, err)
			if diff := cmp.Diff(map[string]string{"server.js": shownFile("1")}, sourcetest.Listing(t, a.RootFS)); diff != "" {
				t.Errorf("tree differs (-want +got):\n%s", diff)
			}
		})
		opts, _, _ = imageOptions(t) // each one is unpacked
	}
}

func TestImageFilesFailures(t *testing.T) {
	img := simplePicture(t)
	manifest, err := img.Digest()
	sourcetest.Must(t, err)
	layers, err := img.Layers()
	sourcetest.Must(t, err)
	layer, err := layers[0].Digest()
	sourcetest.Must(t, err)
	dir, items := layoutItems(t, img)
	other := picture(t, runtime.GOARCH, start("x"), sourcetest.Tar(t, sourcetest.TarFile("b", "")))
	_, two := layoutItems(t, img, other)
	_, foreign := layoutItems(t, mutate.MediaType(picture(t, "mips", start("x"), sourcetest.Tar(t, sourcetest.TarFile("b", ""))), "application/vnd.oci.image.manifest.v1+json"))
	file := saved(t, items)
	raw, err := os.ReadFile(file)
	sourcetest.Must(t, err)
	write := func(data []byte) string {
		p := filepath.Join(t.TempDir(), "image.tar")
		sourcetest.Must(t, os.WriteFile(p, data, 0o644))
		return p
	}
	for _, test := range []struct {
		name, source string
		want         string
	}{
		{"not there", "oci-archive:" + filepath.Join(dir, "nowhere.tar"), "does not exist"},
		{"no name", "oci-archive:", "names no image"},
		{"directory", "oci-archive:" + dir, "write oci-layout:"},
		{"file", "oci-layout:" + file, "write oci-archive:"},
		{"empty directory", "oci-layout:" + t.TempDir(), "neither index.json"},
		{"compressed", "oci-archive:" + write(sourcetest.Gzip(t, raw)), "gunzip"},
		{"cut short", "oci-archive:" + write(raw[:600]), "cut short"},
		{"no tar", "oci-archive:" + write([]byte(strings.Repeat("nonsense", 500))), "not an image in a tar"},
		{"empty", "oci-archive:" + write(nil), "neither index.json"},
		{"several", "oci-archive:" + saved(t, two), "2 images"},
		{"other platform", "oci-archive:" + saved(t, foreign), "linux/mips"},
		{"manifest changed", "oci-archive:" + saved(t, edited(items, manifest.Hex, "layers", "LAYERS")), "its manifest has the digest"},
		{"manifest gone", "oci-archive:" + saved(t, without(items, manifest.Hex)), "is not in it"},
		{"layer gone", "oci-archive:" + saved(t, without(items, layer.Hex)), "is not in it"},
		{"layer changed", "oci-archive:" + saved(t, edited(items, layer.Hex, "\x00", "\x01")), "tampered"},
		{"layer shorter", "oci-archive:" + saved(t, edited(items, layer.Hex, "\x00", "")), "cut short"},
		{"layer longer", "oci-archive:" + saved(t, edited(items, layer.Hex, "\x00", "\x00\x00")), "larger than its manifest"},
	} {
		t.Run(test.name, func(t *testing.T) {
			opts, trees, _ := imageOptions(t)
			_, _, err := resolveImage(t, mcpsf.Target{Source: test.source}, opts)
			sourcetest.WantUsage(t, err, test.want)
			if left, err := os.ReadDir(trees.dir); err != nil || len(left) != 0 {
				t.Errorf("something was left in the cache: %v, %v", left, err)
			}
		})
	}
}

func TestImageLayoutOutOfItsDirectory(t *testing.T) {
	dir := sourcetest.Plant(t, map[string]string{"secret.json": `{"manifests":[]}`, "in/index.json": "->../secret.json"})
	opts, _, _ := imageOptions(t)
	_, _, err := resolveImage(t, mcpsf.Target{Source: "oci-layout:" + filepath.Join(dir, "in")}, opts)
	sourcetest.WantUsage(t, err, "escapes")
}

func FuzzImageFiles(f *testing.F) {
	_, items := layoutItems(f, simplePicture(f))
	f.Add(sourcetest.Tar(f, items...))
	f.Add(sourcetest.Tar(f, sourcetest.TarFile("manifest.json", `[{"Config":"c","Layers":["l"]}]`), sourcetest.TarFile("c", `{"rootfs":{"diff_ids":["sha256:00"]}}`), linkItem("l", "l")))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := filepath.Join(t.TempDir(), "image.tar")
		sourcetest.Must(t, os.WriteFile(p, data, 0o644))
		opts, _, _ := imageOptions(t)
		a, _, err := resolveImage(t, mcpsf.Target{Source: "oci-archive:" + p, Command: []string{"x"}}, opts)
		if (a == nil) == (err == nil) {
			t.Errorf("artifact %v, error %v", a, err)
		}
		if err != nil {
			sourcetest.WantUsage(t, err)
		}
	})
}
