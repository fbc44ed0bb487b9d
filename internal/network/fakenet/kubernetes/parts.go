package kubernetes

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// part answers requests for a subresource.
func (c *Cluster) part(t *target) *Answer {
	if !slices.Contains(t.resource.Parts, t.part[0]) {
		return failure(http.StatusNotFound, "NotFound", "the server could not find the requested resource", nil)
	}
	it, ok := c.item(t)
	if !ok {
		return t.missing()
	}
	switch t.part[0] {
	case "log":
		return plain(c.log(it.Object))
	case "scale":
		return encode(http.StatusOK, scale(it.Object))
	case "exec", "attach", "portforward":
		return failure(http.StatusForbidden, "Forbidden", "pods is forbidden: this account cannot create the subresource "+t.part[0], t.details())
	case "eviction", "binding":
		return encode(http.StatusCreated, object{"kind": "Status", "apiVersion": "v1", "metadata": object{}, "status": "Success", "code": http.StatusCreated})
	case "token":
		return encode(http.StatusCreated, object{"kind": "TokenRequest", "apiVersion": "authentication.k8s.io/v1", "metadata": object{}, "spec": object{}, "status": object{
			"token": c.letters("token", 64), "expirationTimestamp": c.now().UTC().Add(time.Hour).Format(time.RFC3339),
		}})
	case "proxy":
		return c.proxy(t, it.Object)
	}
	return encode(http.StatusOK, it.Object)
}

func plain(body string) *Answer {
	return &Answer{http.StatusOK, "text/plain; charset=utf-8", []byte(body)}
}

// log is what a program of the shop says.
func (c *Cluster) log(o object) string {
	var b strings.Builder
	begin := c.now().UTC().Add(-10 * time.Minute).Truncate(time.Minute)
	for i, line := range []string{"listening on :3000", "GET /health 200 2ms", "GET /products 200 18ms", "GET /health 200 1ms"} {
		fmt.Fprintf(&b, "%s info %s %s\n", begin.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), text(inner(o, "metadata", "labels")["app"]), line)
	}
	return b.String()
}

func inner(o object, path ...string) object {
	for _, name := range path {
		o, _ = o[name].(object)
	}
	return o
}

func scale(o object) object {
	replicas := inner(o, "spec")["replicas"]
	selector := ""
	if app := text(inner(o, "metadata", "labels")["app"]); app != "" {
		selector = "app=" + app
	}
	return object{
		"kind": "Scale", "apiVersion": "autoscaling/v1", "metadata": o["metadata"],
		"spec": object{"replicas": replicas}, "status": object{"replicas": replicas, "selector": selector},
	}
}

// proxy answers what a node itself would: its numbers and its logs. Services answer
// with a short text.
func (c *Cluster) proxy(t *target, o object) *Answer {
	path := strings.Join(t.part[1:], "/")
	if t.resource.Name != "nodes" {
		return plain("ok\n")
	}
	moment := c.now().UTC().Truncate(time.Second).Format(time.RFC3339)
	cpu, memory := object{"time": moment, "usageNanoCores": 210000000, "usageCoreNanoSeconds": 84210000000000}, object{"time": moment, "availableBytes": 14300000000, "usageBytes": 2201000000, "workingSetBytes": 2100000000, "rssBytes": 1800000000}
	switch {
	case path == "stats/summary":
		return encode(http.StatusOK, object{"node": object{
			"nodeName": nameOf(o), "startTime": inner(o, "metadata")["creationTimestamp"], "cpu": cpu, "memory": memory,
			"fs": object{"time": moment, "availableBytes": 61000000000, "capacityBytes": 98000000000, "usedBytes": 37000000000},
		}, "pods": []object{}})
	case path == "configz":
		return encode(http.StatusOK, object{"kubeletconfig": object{"maxPods": 110}})
	case path == "healthz":
		return plain("ok")
	}
	return plain(moment + " kubelet: node is ready\n")
}
