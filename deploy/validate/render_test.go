package validate

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// object is one of Kubernetes', as it would be sent there.
type object struct {
	name string // kind and name
	text []byte
	// typed is what its API understands, nil for one of KEDA's.
	typed runtime.Object
}

// variants are what is rendered: what is in the tree, and the base with each
// component alone.
func variants(t *testing.T) (filesys.FileSystem, []string) {
	t.Helper()
	tree := filesys.MakeFsInMemory()
	var found []string
	err := fs.WalkDir(os.DirFS("../kubernetes"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile("../kubernetes/" + name)
		if err != nil {
			return err
		}
		if path.Base(name) == "kustomization.yaml" {
			found = append(found, "/"+path.Dir(name))
		}
		return tree.WriteFile("/"+name, data)
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range found {
		if component := path.Base(dir); path.Dir(dir) == "/components" {
			found[i] = "/alone/" + component
			text := fmt.Sprintf("resources: [../../base]\ncomponents: [../../components/%s]\n", component)
			if err := tree.WriteFile(found[i]+"/kustomization.yaml", []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(found) < 8 {
		t.Fatalf("only %v", found)
	}
	return tree, found
}

// each renders every variant and hands its objects over.
func each(t *testing.T, f func(t *testing.T, objects map[string]*object)) {
	t.Helper()
	tree, all := variants(t)
	for _, dir := range all {
		t.Run(strings.TrimPrefix(dir, "/"), func(t *testing.T) { f(t, render(t, tree, dir)) })
	}
}

func render(t *testing.T, tree filesys.FileSystem, dir string) map[string]*object {
	t.Helper()
	resources, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(tree, dir)
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]*object{}
	for _, r := range resources.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		o := &object{name: r.GetKind() + " " + r.GetName(), text: text}
		if !strings.HasPrefix(r.GetApiVersion(), "keda.sh/") {
			o.typed = strictly(t, text)
		}
		if objects[o.name] != nil {
			t.Errorf("there are two of %s", o.name)
		}
		if r.GetNamespace() != "mcpsf" && r.GetKind() != "Namespace" {
			t.Errorf("%s is in the namespace %q", o.name, r.GetNamespace())
		}
		objects[o.name] = o
	}
	if len(objects) < 10 {
		t.Fatalf("only %v", slices.Sorted(maps.Keys(objects)))
	}
	return objects
}

// strictly decodes with Kubernetes' own types. A field that it does not know, or
// that is there twice, is an error.
func strictly(t *testing.T, text []byte) runtime.Object {
	t.Helper()
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	o, _, err := codecs.UniversalDeserializer().Decode(text, nil, nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return o
}

func TestRender(t *testing.T) {
	each(t, func(t *testing.T, objects map[string]*object) {
		for _, want := range []string{"Namespace mcpsf", "Deployment mcpsf-server", "Deployment mcpsf-worker", "Service mcpsf", "NetworkPolicy default-deny", "PodDisruptionBudget mcpsf-worker"} {
			if objects[want] == nil {
				t.Errorf("there is no %s", want)
			}
		}
	})
}

// It would see what is wrong.
func TestStrict(t *testing.T) {
	good, err := os.ReadFile("../kubernetes/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	strictly(t, good)
	codecs := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict)
	for _, bad := range [][]byte{
		append(bytes.Clone(good), "stringdata: {}\n"...),
		bytes.Replace(good, []byte("kind: Secret"), []byte("kind: Secrets"), 1),
		append(bytes.Clone(good), "type: Opaque\n"...),
	} {
		if o, _, err := codecs.UniversalDeserializer().Decode(bad, nil, nil); err == nil {
			t.Errorf("decoded %v", o)
		}
	}
}
