package kubernetes

import "time"

// metrics stands before the names of kinds of measurements, which other kinds have,
// too.
const metrics = "metrics of "

// measure adds what the nodes and pods use at the moment.
func (c *Cluster) measure() {
	moment := c.now().UTC().Truncate(time.Minute).Format(time.RFC3339)
	for _, plural := range []string{"nodes", "pods"} {
		k := c.kinds[plural]
		if k == nil {
			continue
		}
		measured := &Kind{Plural: plural}
		for _, it := range k.Items {
			measured.Items = append(measured.Items, Item{Object: measurement(plural, moment, it.Object)})
		}
		c.kinds[metrics+plural] = measured
	}
}

func measurement(plural, moment string, of object) object {
	meta := object{"creationTimestamp": moment}
	for _, name := range []string{"name", "namespace", "labels"} {
		if v := inner(of, "metadata")[name]; v != nil {
			meta[name] = v
		}
	}
	o := object{"kind": "NodeMetrics", "apiVersion": "metrics.k8s.io/v1beta1", "metadata": meta, "timestamp": moment, "window": "20s"}
	if plural == "nodes" {
		o["usage"] = object{"cpu": "210m", "memory": "2100Mi"}
		return o
	}
	o["kind"] = "PodMetrics"
	containers := []object{}
	if list, ok := inner(of, "spec")["containers"].([]any); ok {
		for _, one := range list {
			container, _ := one.(object)
			containers = append(containers, object{"name": container["name"], "usage": object{"cpu": "12m", "memory": "64Mi"}})
		}
	}
	o["containers"] = containers
	return o
}
