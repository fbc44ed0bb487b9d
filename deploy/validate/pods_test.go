package validate

import (
	"os"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/pod-security-admission/api"
	standard "k8s.io/pod-security-admission/policy"
)

// pods are the templates of all that runs containers.
func pods(objects map[string]*object) map[string]*core.PodTemplateSpec {
	all := map[string]*core.PodTemplateSpec{}
	for name, o := range objects {
		switch o := o.typed.(type) {
		case *apps.Deployment:
			all[name] = &o.Spec.Template
		case *apps.StatefulSet:
			all[name] = &o.Spec.Template
		}
	}
	return all
}

// By Kubernetes' own standards everybody is restricted, but workers have no
// seccomp filter and no AppArmor profile, and nothing beyond that.
func TestPodSecurity(t *testing.T) {
	evaluator, err := standard.NewEvaluator(standard.DefaultChecks(), nil)
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, objects map[string]*object) {
		for name, pod := range pods(objects) {
			var refused []string
			for _, r := range evaluator.EvaluatePod(api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}, &pod.ObjectMeta, &pod.Spec) {
				if !r.Allowed {
					refused = append(refused, r.ForbiddenReason)
				}
			}
			slices.Sort(refused)
			var want []string
			if name == "Deployment mcpsf-worker" {
				want = []string{"forbidden AppArmor profile", "seccompProfile"}
			}
			if !slices.Equal(refused, want) {
				t.Errorf("%s: refused for %q, not for %q", name, refused, want)
			}
			if pod.Spec.SecurityContext.RunAsUser == nil || *pod.Spec.SecurityContext.RunAsUser == 0 || pod.Spec.AutomountServiceAccountToken == nil || *pod.Spec.AutomountServiceAccountToken {
				t.Errorf("%s: %+v", name, pod.Spec.SecurityContext)
			}
			for _, c := range append(slices.Clone(pod.Spec.Containers), pod.Spec.InitContainers...) {
				for _, what := range []core.ResourceName{core.ResourceCPU, core.ResourceMemory, core.ResourceEphemeralStorage} {
					if c.Resources.Limits.Name(what, "").IsZero() || c.Resources.Requests.Name(what, "").IsZero() {
						t.Errorf("%s: no limit or request of %s", name, what)
					}
				}
				if c.SecurityContext == nil || c.SecurityContext.ReadOnlyRootFilesystem == nil || !*c.SecurityContext.ReadOnlyRootFilesystem {
					t.Errorf("%s can write to its image", name)
				}
			}
		}
	})
}

// What names another object names one that is there.
func TestReferences(t *testing.T) {
	text, err := os.ReadFile("../kubernetes/secret.example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	secret := strictly(t, text).(*core.Secret)
	each(t, func(t *testing.T, objects map[string]*object) {
		there := func(by, name string) {
			if objects[name] == nil {
				t.Errorf("%s: there is no %s", by, name)
			}
		}
		defined := func(by, name, key string) {
			if _, ok := secret.StringData[key]; !ok || name != secret.Name {
				t.Errorf("%s: the example has no secret %s/%s", by, name, key)
			}
		}
		for name, pod := range pods(objects) {
			there(name, "ServiceAccount "+pod.Spec.ServiceAccountName)
			for _, v := range pod.Spec.Volumes {
				if v.PersistentVolumeClaim != nil {
					there(name, "PersistentVolumeClaim "+v.PersistentVolumeClaim.ClaimName)
				}
				if v.Secret != nil {
					for _, item := range v.Secret.Items {
						defined(name, v.Secret.SecretName, item.Key)
					}
				}
			}
			for _, c := range pod.Spec.Containers {
				for _, from := range c.EnvFrom {
					there(name, "ConfigMap "+from.ConfigMapRef.Name)
				}
				for _, e := range c.Env {
					if e.ValueFrom != nil {
						defined(name, e.ValueFrom.SecretKeyRef.Name, e.ValueFrom.SecretKeyRef.Key)
					}
				}
				for _, m := range c.VolumeMounts {
					if !slices.ContainsFunc(pod.Spec.Volumes, func(v core.Volume) bool { return v.Name == m.Name }) &&
						!claims(objects[name], m.Name) {
						t.Errorf("%s mounts %s, which is no volume", name, m.Name)
					}
				}
			}
		}
		for name, o := range objects {
			switch o := o.typed.(type) {
			case *core.Service:
				selects(t, objects, name, &meta.LabelSelector{MatchLabels: o.Spec.Selector})
			case *policy.PodDisruptionBudget:
				selects(t, objects, name, o.Spec.Selector)
			case *networking.Ingress:
				there(name, "Service "+o.Spec.Rules[0].HTTP.Paths[0].Backend.Service.Name)
				if host := o.Spec.Rules[0].Host; !strings.Contains(settings(objects)["MCPSF_PUBLIC_URL"], "://"+host) {
					t.Errorf("%s is for %s, but the server for %s", name, host, settings(objects)["MCPSF_PUBLIC_URL"])
				}
			}
		}
	})
}

func claims(o *object, volume string) bool {
	set, ok := o.typed.(*apps.StatefulSet)
	return ok && slices.ContainsFunc(set.Spec.VolumeClaimTemplates, func(c core.PersistentVolumeClaim) bool { return c.Name == volume })
}

func settings(objects map[string]*object) map[string]string {
	for name, o := range objects {
		if strings.HasPrefix(name, "ConfigMap mcpsf-") {
			return o.typed.(*core.ConfigMap).Data
		}
	}
	return nil
}

// selects wants a selector to match the pods of exactly one workload.
func selects(t *testing.T, objects map[string]*object, by string, selector *meta.LabelSelector) {
	t.Helper()
	s, err := meta.LabelSelectorAsSelector(selector)
	if err != nil {
		t.Fatal(err)
	}
	var matched []string
	for name, pod := range pods(objects) {
		if s.Matches(labels.Set(pod.Labels)) {
			matched = append(matched, name)
		}
	}
	if len(matched) != 1 {
		t.Errorf("%s is about %v", by, matched)
	}
}

// Who scales workers decides how many there are, and a bucket replaces the volume.
func TestComponents(t *testing.T) {
	tree, _ := variants(t)
	for dir, scaled := range map[string]bool{"/base": false, "/alone/keda": true, "/alone/hpa": true} {
		replicas := render(t, tree, dir)["Deployment mcpsf-worker"].typed.(*apps.Deployment).Spec.Replicas
		if (replicas == nil) != scaled {
			t.Errorf("%s: replicas %v", dir, replicas)
		}
	}
	for dir, bucket := range map[string]bool{"/base": false, "/alone/s3": true} {
		objects := render(t, tree, dir)
		if got := strings.HasPrefix(settings(objects)["MCPSF_FILES"], "s3://"); got != bucket || (objects["PersistentVolumeClaim mcpsf-files"] == nil) != bucket {
			t.Errorf("%s: files are in %s", dir, settings(objects)["MCPSF_FILES"])
		}
		for name, pod := range pods(objects) {
			if got := slices.ContainsFunc(pod.Spec.Containers[0].Env, func(e core.EnvVar) bool { return e.Name == "AWS_SECRET_ACCESS_KEY" }); got != bucket {
				t.Errorf("%s: %s has a key: %v", dir, name, got)
			}
		}
	}
}
