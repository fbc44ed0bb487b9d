package validate

import (
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	_ "k8s.io/kubernetes/pkg/apis/apps/install" // the versions of each group
	appscheck "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	scalecheck "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	corecheck "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/apis/networking"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	netcheck "k8s.io/kubernetes/pkg/apis/networking/validation"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	policycheck "k8s.io/kubernetes/pkg/apis/policy/validation"
	"sigs.k8s.io/yaml"
)

// What the API server would say to each object, with its defaults filled in.
func TestAPI(t *testing.T) {
	each(t, func(t *testing.T, objects map[string]*object) {
		for name, o := range objects {
			if o.typed == nil {
				continue
			}
			for _, e := range check(t, o.text) {
				t.Errorf("%s: %v", name, e)
			}
		}
	})
	example, err := os.ReadFile("../kubernetes/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if errs := check(t, example); len(errs) > 0 {
		t.Error(errs)
	}
}

func check(t *testing.T, text []byte) field.ErrorList {
	t.Helper()
	o, err := runtime.Decode(legacyscheme.Codecs.UniversalDecoder(), text)
	if err != nil {
		t.Fatal(err)
	}
	switch o := o.(type) {
	case *core.Namespace:
		return corecheck.ValidateNamespace(o)
	case *core.ServiceAccount:
		return corecheck.ValidateServiceAccount(o)
	case *core.ConfigMap:
		return corecheck.ValidateConfigMap(o)
	case *core.Secret:
		return corecheck.ValidateSecret(o)
	case *core.PersistentVolumeClaim:
		return corecheck.ValidatePersistentVolumeClaim(o, corecheck.PersistentVolumeClaimSpecValidationOptions{})
	case *core.Service:
		if o.Spec.ClusterIP != "" { // the server does that first
			o.Spec.ClusterIPs = []string{o.Spec.ClusterIP}
		}
		return corecheck.ValidateServiceCreate(o)
	case *apps.Deployment:
		return appscheck.ValidateDeployment(o, corecheck.PodValidationOptions{})
	case *apps.StatefulSet:
		return appscheck.ValidateStatefulSet(o, corecheck.PodValidationOptions{})
	case *networking.NetworkPolicy:
		return netcheck.ValidateNetworkPolicy(o, netcheck.NetworkPolicyValidationOptions{})
	case *networking.Ingress:
		return netcheck.ValidateIngressCreate(o)
	case *policy.PodDisruptionBudget:
		return policycheck.ValidatePodDisruptionBudget(o, policycheck.PodDisruptionBudgetValidationOptions{})
	case *autoscaling.HorizontalPodAutoscaler:
		return scalecheck.ValidateHorizontalPodAutoscaler(o, scalecheck.HorizontalPodAutoscalerSpecValidationOptions{MinReplicasLowerBound: 1})
	default:
		t.Errorf("nobody looks at %T", o)
		return nil
	}
}

// It would see what is wrong.
func TestAPIRefuses(t *testing.T) {
	for _, text := range []string{
		`{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: x, namespace: x}, spec: {podSelector: {}, egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8, except: [192.168.0.0/16]}}]}]}}`,
		`{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: x, namespace: x}, spec: {minAvailable: 1, maxUnavailable: 1}}`,
		`{apiVersion: v1, kind: Service, metadata: {name: x, namespace: x}, spec: {ports: []}}`,
		`{apiVersion: apps/v1, kind: Deployment, metadata: {name: x, namespace: x}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: x, image: x}]}}}}`,
	} {
		text, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if errs := check(t, text); len(errs) == 0 {
			t.Errorf("accepted %s", text)
		}
	}
}
