//go:build apiserver

package validate

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"sigs.k8s.io/yaml"
)

// cluster is a real API server with a real etcd behind it. There is no node and
// no controller: what is sent there is admitted, defaulted and kept.
type cluster struct {
	objects dynamic.Interface
	typed   kubernetes.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

func start(t *testing.T) *cluster {
	t.Helper()
	database := embed.NewConfig()
	database.Dir = t.TempDir()
	database.LogLevel = "error"
	anywhere := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	database.ListenClientUrls, database.ListenPeerUrls = anywhere, anywhere
	etcd, err := embed.StartEtcd(database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(etcd.Close)
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(time.Minute):
		t.Fatal("etcd does not come up")
	}
	storage := storagebackend.NewDefaultConfig("/mcpsf", nil)
	storage.Transport.ServerList = []string{"http://" + etcd.Clients[0].Addr().String()}
	server := apiserver.StartTestServerOrDie(t, nil, nil, storage)
	t.Cleanup(server.TearDownFn)
	return connect(t, server.ClientConfig)
}

func connect(t *testing.T, config *rest.Config) *cluster {
	t.Helper()
	objects, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	found, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return &cluster{objects, typed, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))}
}

// apply sends an object as kubectl apply --server-side --validate=strict does.
func (c *cluster) apply(ctx context.Context, text []byte) error {
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	var o unstructured.Unstructured
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	kind := o.GroupVersionKind()
	place, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		c.mapper.Reset()
		if place, err = c.mapper.RESTMapping(kind.GroupKind(), kind.Version); err != nil {
			return err
		}
	}
	_, err = c.objects.Resource(place.Resource).Namespace(o.GetNamespace()).Patch(ctx, o.GetName(), types.ApplyPatchType, data,
		meta.PatchOptions{FieldManager: "mcpsf", FieldValidation: "Strict"})
	return err
}

// patiently tries again what the server is not ready for yet: definitions are
// served, and accounts of namespaces known, a moment after they were made.
func patiently(t *testing.T, f func() error) {
	t.Helper()
	var err error
	for range 60 {
		if err = f(); err == nil {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Error(err)
}

func TestAPIServer(t *testing.T) {
	c := start(t)
	ctx := t.Context()
	for _, text := range kedaDefinitions(t) {
		patiently(t, func() error { return c.apply(ctx, text) })
	}
	each(t, func(t *testing.T, objects map[string]*object) {
		// What has a place comes after the place.
		patiently(t, func() error { return c.apply(ctx, objects["Namespace mcpsf"].text) })
		for range 2 { // and again, as a second apply does
			for _, name := range slices.Sorted(maps.Keys(objects)) {
				patiently(t, func() error { return c.apply(ctx, objects[name].text) })
			}
		}
		for name, o := range objects {
			if d, ok := o.typed.(*apps.Deployment); ok {
				c.admits(t, name, d)
			}
		}
		if err := c.typed.AppsV1().Deployments("mcpsf").DeleteCollection(ctx, meta.DeleteOptions{}, meta.ListOptions{}); err != nil {
			t.Error(err)
		}
	})
}

// admits makes the pod that a deployment would: first where only what is
// restricted may run, then where it belongs.
func (c *cluster) admits(t *testing.T, name string, d *apps.Deployment) {
	t.Helper()
	strict := &core.Namespace{ObjectMeta: meta.ObjectMeta{Name: "strict", Labels: map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}}}
	_, _ = c.typed.CoreV1().Namespaces().Create(t.Context(), strict, meta.CreateOptions{})
	dry := meta.CreateOptions{DryRun: []string{meta.DryRunAll}}
	pod := &core.Pod{ObjectMeta: *d.Spec.Template.ObjectMeta.DeepCopy(), Spec: *d.Spec.Template.Spec.DeepCopy()}
	pod.Name = "try"
	patiently(t, func() error {
		pod.Namespace = "mcpsf"
		_, err := c.typed.CoreV1().Pods("mcpsf").Create(t.Context(), pod, dry)
		return err
	})
	pod.Namespace, pod.Spec.ServiceAccountName = "strict", "default"
	account := &core.ServiceAccount{ObjectMeta: meta.ObjectMeta{Name: "default", Namespace: "strict"}}
	_, _ = c.typed.CoreV1().ServiceAccounts("strict").Create(t.Context(), account, meta.CreateOptions{})
	_, err := c.typed.CoreV1().Pods("strict").Create(t.Context(), pod, dry)
	// Only what runs sandboxes needs more than is restricted.
	if refused := err != nil && strings.Contains(err.Error(), "violates PodSecurity"); refused != strings.HasSuffix(name, "worker") {
		t.Errorf("%s where only what is restricted may run: %v", name, err)
	}
}
