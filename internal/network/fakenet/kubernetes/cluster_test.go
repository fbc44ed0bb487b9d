package kubernetes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2031, 3, 14, 15, 9, 26, 0, time.UTC)

func small(seed uint64) *Cluster {
	pod := func(name string) Item {
		return Item{Row: []string{name, "1/1"}, Object: object{
			"apiVersion": "v1", "kind": "Pod", "metadata": object{"name": name, "namespace": "webshop", "labels": object{"app": name[:3]}},
			"spec": object{"containers": []any{object{"name": "web"}}}, "status": object{"phase": "Running"},
		}}
	}
	space := func(name string) Item {
		return Item{Object: object{"apiVersion": "v1", "kind": "Namespace", "metadata": object{"name": name}}}
	}
	return New(seed, func() time.Time { return now }, []Kind{
		{Plural: "pods", Header: []string{"NAME", "READY"}, Items: []Item{pod("web-1"), pod("job-2")}},
		{Plural: "namespaces", Items: []Item{space("default"), space("webshop")}},
		{Plural: "deployments", Items: []Item{{Object: object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": object{"name": "web"}, "spec": object{"replicas": 1}}}}},
		{Plural: "nodes", Items: []Item{{Object: object{"apiVersion": "v1", "kind": "Node", "metadata": object{"name": "node-1"}}}}},
	})
}

func ask(t *testing.T, c *Cluster, method, target, accept string) (*Answer, object) {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	a := c.Answer(&Request{Method: method, Path: u.Path, Query: u.Query(), Accept: accept})
	if a == nil {
		t.Fatalf("%s %s: no answer", method, target)
	}
	var o object
	_ = json.Unmarshal(a.Body, &o)
	return a, o
}

func TestAnswers(t *testing.T) {
	c := small(1)
	for _, tt := range []struct {
		method, target string
		status         int
		path, want     string
	}{
		{"GET", "/version", 200, "gitVersion", "v1.30.6"},
		{"GET", "/api", 200, "kind", "APIVersions"},
		{"GET", "/apis", 200, "kind", "APIGroupList"},
		{"GET", "/apis/apps", 200, "preferredVersion.version", "v1"},
		{"GET", "/apis/apps/v1", 200, "groupVersion", "apps/v1"},
		{"GET", "/api/v1/pods", 200, "kind", "PodList"},
		{"GET", "/api/v1/namespaces/webshop/pods/job-2", 200, "metadata.name", "job-2"},
		{"GET", "/api/v1/namespaces/default/pods/job-2", 200, "metadata.namespace", "default"},
		{"GET", "/api/v1/namespaces/default/pods/made-by-the-client", 200, "metadata.name", "web-1"},
		{"GET", "/api/v1/namespaces/default/pods/..%2f..%2fetc", 404, "reason", "NotFound"},
		{"GET", "/api/v1/namespaces/default/configmaps/absent", 404, "details.kind", "configmaps"},
		{"GET", "/api/v1/namespaces/default", 200, "kind", "Namespace"},
		{"GET", "/api/v1/nonsense", 404, "kind", "Status"},
		{"GET", "/apis/unknown.io/v1", 404, "kind", "Status"},
		{"GET", "/apis/metrics.k8s.io/v1beta1/nodes", 200, "kind", "NodeMetricsList"},
		{"GET", "/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web-1", 200, "kind", "PodMetrics"},
		{"GET", "/apis/apps/v1/namespaces/default/deployments/web/scale", 200, "kind", "Scale"},
		{"GET", "/api/v1/nodes/node-1/proxy/stats/summary", 200, "node.nodeName", "node-1"},
		{"POST", "/api/v1/namespaces/default/pods", 201, "metadata.name", "web-1"},
		{"POST", "/api/v1/namespaces/default/configmaps", 201, "kind", "ConfigMap"},
		{"POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", 201, "status.allowed", "true"},
		{"PATCH", "/apis/apps/v1/namespaces/default/deployments/web", 200, "kind", "Deployment"},
		{"PUT", "/apis/apps/v1/namespaces/default/deployments/web/scale", 200, "spec.replicas", "1"},
		{"DELETE", "/api/v1/namespaces/default/pods/web-1", 200, "status", "Success"},
		{"POST", "/api/v1/namespaces/default/pods/web-1/exec", 403, "reason", "Forbidden"},
		{"POST", "/api/v1/namespaces/default/pods/web-1/eviction", 201, "status", "Success"},
		{"DELETE", "/apis/metrics.k8s.io/v1beta1/nodes", 200, "status", "Success"},
		{"GET", "/openapi/v2", 200, "swagger", "2.0"},
	} {
		a, o := ask(t, c, tt.method, tt.target, "application/json")
		if a.Status != tt.status || at(o, tt.path) != tt.want {
			t.Errorf("%s %s: %d, %s is %q; want %d, %q: %s", tt.method, tt.target, a.Status, tt.path, at(o, tt.path), tt.status, tt.want, a.Body)
		}
	}
	for _, target := range []string{"/", "/apis/argoproj.io/v1/namespaces/a/applications", "/login"} {
		if a := c.Answer(&Request{Method: "GET", Path: target}); a != nil {
			t.Errorf("%s: %s", target, a.Body)
		}
	}
}

func TestForms(t *testing.T) {
	c := small(1)
	_, table := ask(t, c, http.MethodGet, "/api/v1/pods", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json")
	row, _ := table["rows"].([]any)[1].(object)
	if table["kind"] != "Table" || row["cells"].([]any)[0] != "job-2" || at(row, "object.kind") != "PartialObjectMetadata" {
		t.Errorf("not a table: %v", table)
	}
	_, plainly := ask(t, c, http.MethodGet, "/api/v1/pods", "application/json, application/json;as=Table;v=v1;g=meta.k8s.io")
	if plainly["kind"] != "PodList" {
		t.Errorf("a table for who wants the list first: %v", plainly)
	}
	_, meta := ask(t, c, http.MethodGet, "/api/v1/pods/", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
	if meta["kind"] != "PartialObjectMetadataList" {
		t.Errorf("not metadata: %v", meta)
	}
	a, all := ask(t, c, http.MethodGet, "/apis", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json")
	if a.Kind != "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" || all["apiVersion"] != "apidiscovery.k8s.io/v2" {
		t.Errorf("not all at once: %s, %v", a.Kind, all["apiVersion"])
	}
	logs, _ := ask(t, c, http.MethodGet, "/api/v1/namespaces/default/pods/web-1/log?tailLines=2", "*/*")
	if !strings.Contains(string(logs.Body), "listening") {
		t.Errorf("no log: %s", logs.Body)
	}
}

func TestSelectors(t *testing.T) {
	c := small(1)
	for query, want := range map[string]int{
		"":                                       2,
		"?labelSelector=app%3Dweb":               1,
		"?labelSelector=app+in+(web,job)":        2,
		"?labelSelector=app!%3Dweb":              1,
		"?labelSelector=app,!tier":               2,
		"?labelSelector=app+notin+(web)":         1,
		"?fieldSelector=metadata.name%3Djob-2":   1,
		"?fieldSelector=status.phase!%3DRunning": 0,
		"?labelSelector=owner%3Dhelm":            0,
		"?fieldSelector=metadata.name%3Dmade":    1,
	} {
		_, o := ask(t, c, http.MethodGet, "/api/v1/pods"+query, "application/json")
		if items, _ := o["items"].([]any); len(items) != want {
			t.Errorf("%s: %d pods, want %d", query, len(items), want)
		}
	}
}

// A watch tells what there is, and ends.
func TestWatch(t *testing.T) {
	c := small(1)
	for query, want := range map[string]string{
		"watch=true":                                   "ADDED ADDED",
		"watch=1&resourceVersion=4711302":              "",
		"watch=true&sendInitialEvents=true":            "ADDED ADDED BOOKMARK",
		"watch=true&fieldSelector=metadata.name=job-2": "ADDED",
	} {
		a, _ := ask(t, c, http.MethodGet, "/api/v1/pods?"+query, "application/json")
		var got []string
		for lines := bufio.NewScanner(bytes.NewReader(a.Body)); lines.Scan(); {
			var e struct{ Type string }
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				t.Fatal(err)
			}
			got = append(got, e.Type)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", query, s, want)
		}
	}
}

// An answer depends on the seed and the request, and nothing that the client chose
// comes back.
func TestNothingIsKept(t *testing.T) {
	one, same := small(7), small(7)
	target := "/api/v1/namespaces/default/configmaps"
	first, _ := ask(t, one, http.MethodPost, target, "")
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE"} {
		a, _ := ask(t, one, method, "/api/v1/namespaces/tell-tale/pods/tell-tale", "")
		if bytes.Contains(a.Body, []byte("tell-tale")) {
			t.Errorf("%s: the client's name comes back: %s", method, a.Body)
		}
	}
	again, _ := ask(t, same, http.MethodPost, target, "")
	if diff := cmp.Diff(string(first.Body), string(again.Body)); diff != "" {
		t.Errorf("the same seed, another answer:\n%s", diff)
	}
	if other, _ := ask(t, small(8), http.MethodPost, target, ""); bytes.Equal(first.Body, other.Body) {
		t.Error("another seed, the same answer")
	}
}
