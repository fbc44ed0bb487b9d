package validate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/kedacore/keda/v2/version" // so that its definitions are at hand
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	crd "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/yaml"
)

// KEDA's objects are held against the definitions that KEDA installs.
func TestKEDA(t *testing.T) {
	schemas := definitions(t)
	seen := 0
	each(t, func(t *testing.T, objects map[string]*object) {
		for name, o := range objects {
			if o.typed != nil {
				continue
			}
			seen++
			for _, problem := range against(t, schemas, o.text) {
				t.Errorf("%s: %s", name, problem)
			}
		}
	})
	if seen < 4 {
		t.Errorf("only %d objects of KEDA's", seen)
	}
	for _, bad := range []string{
		`{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: x}, spec: {scaleTargetRef: {name: x}, triggers: [{type: postgresql, metadata: {}}], maxReplicas: 3}}`,
		`{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: x}, spec: {scaleTargetRef: {name: x}, triggers: [{metadata: {}}]}}`,
		`{apiVersion: keda.sh/v1alpha1, kind: TriggerAuthentication, metadata: {name: x}, spec: {secretTargetRef: [{parameter: x, name: x}]}}`,
	} {
		if problems := against(t, schemas, []byte(bad)); len(problems) == 0 {
			t.Errorf("accepted %s", bad)
		}
	}
}

// definitions are the schemas of KEDA's kinds.
func definitions(t *testing.T) map[string]*apiextensions.JSONSchemaProps {
	t.Helper()
	all := map[string]*apiextensions.JSONSchemaProps{}
	for _, text := range kedaDefinitions(t) {
		var d crd.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &d); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		var internal apiextensions.JSONSchemaProps
		if err := crd.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(d.Spec.Versions[0].Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			t.Fatal(err)
		}
		all[d.Spec.Names.Kind] = &internal
	}
	return all
}

// kedaDefinitions are what KEDA has a cluster install.
func kedaDefinitions(t *testing.T) [][]byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kedacore/keda/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(dir)), "config/crd/bases/keda.sh_*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	var all [][]byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	return all
}

func against(t *testing.T, schemas map[string]*apiextensions.JSONSchemaProps, text []byte) []string {
	t.Helper()
	var o map[string]any
	if err := yaml.UnmarshalStrict(text, &o); err != nil {
		t.Fatal(err)
	}
	kind, _ := o["kind"].(string)
	if schemas[kind] == nil {
		return []string{"KEDA has no kind " + kind}
	}
	validator, _, err := validation.NewSchemaValidator(schemas[kind])
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, e := range validation.ValidateCustomResource(nil, o, validator) {
		problems = append(problems, e.Error())
	}
	structural, err := schema.NewStructural(schemas[kind])
	if err != nil {
		t.Fatal(err)
	}
	for _, unknown := range pruning.PruneWithOptions(o, structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}) {
		problems = append(problems, "there is no field "+unknown)
	}
	return problems
}
