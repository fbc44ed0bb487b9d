package kubernetes

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// revision is the version of a list.
const revision = "4711302"

// show writes objects in the form that the client asks for first: itself or a list,
// a table, or their metadata alone.
func (c *Cluster) show(r *Request, t *target, items []Item, list bool) *Answer {
	for kind := range strings.SplitSeq(r.Accept, ",") {
		switch {
		case !strings.Contains(kind, "json"):
			continue
		case strings.Contains(kind, "as=Table"):
			return encode(http.StatusOK, c.table(r, t, items, list))
		case strings.Contains(kind, "as=PartialObjectMetadata"):
			return c.metadata(items, list)
		}
		break
	}
	if !list {
		return encode(http.StatusOK, items[0].Object)
	}
	objects := make([]object, len(items))
	for i := range items {
		objects[i] = items[i].Object
	}
	return encode(http.StatusOK, object{
		"kind": t.resource.Kind + "List", "apiVersion": t.group.version(), "metadata": object{"resourceVersion": revision}, "items": objects,
	})
}

// metadata answers with nothing but the metadata of objects.
func (c *Cluster) metadata(items []Item, list bool) *Answer {
	objects := make([]object, len(items))
	for i := range items {
		objects[i] = partial(items[i].Object)
	}
	if !list {
		return encode(http.StatusOK, objects[0])
	}
	return encode(http.StatusOK, object{
		"kind": "PartialObjectMetadataList", "apiVersion": "meta.k8s.io/v1", "metadata": object{"resourceVersion": revision}, "items": objects,
	})
}

func partial(o object) object {
	return object{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": o["metadata"]}
}

// table is what kubectl prints.
func (c *Cluster) table(r *Request, t *target, items []Item, list bool) object {
	header := []string{"NAME", "AGE"}
	if k := c.kinds[t.resource.Name]; k != nil && k.Header != nil && t.group.Name != "metrics.k8s.io" {
		header = k.Header
	}
	columns := []object{}
	for _, name := range header {
		format := ""
		if name == "NAME" {
			format = "name"
		}
		columns = append(columns, object{"name": title(name), "type": "string", "format": format, "description": "", "priority": 0})
	}
	rows := []object{}
	for _, it := range items {
		row := object{"cells": cells(&it, len(header))}
		switch r.Query.Get("includeObject") {
		case "None":
		case "Object":
			row["object"] = it.Object
		default:
			row["object"] = partial(it.Object)
		}
		rows = append(rows, row)
	}
	meta := object{}
	if list {
		meta["resourceVersion"] = revision
	}
	return object{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": meta, "columnDefinitions": columns, "rows": rows}
}

func cells(it *Item, n int) []string {
	if len(it.Row) == n {
		return it.Row
	}
	return append([]string{nameOf(it.Object)}, slices.Repeat([]string{"107d"}, n-1)...)
}

// title writes LAST SEEN as the API does: Last Seen.
func title(name string) string {
	words := strings.Fields(strings.ToLower(name))
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// watch sends what there is and ends, as a watch does after its time.
func (c *Cluster) watch(r *Request, t *target) *Answer {
	initial := r.Query.Get("sendInitialEvents") == "true"
	version := r.Query.Get("resourceVersion")
	var body []byte
	event := func(kind string, o object) {
		line, err := json.Marshal(object{"type": kind, "object": o})
		if err == nil { // as in encode
			body = append(append(body, line...), '\n')
		}
	}
	if initial || version == "" || version == "0" {
		items := c.selected(r, t)
		if t.name != "" {
			it, _ := c.item(t)
			items = []Item{it}
		}
		for _, it := range items {
			event("ADDED", it.Object)
		}
	}
	if initial {
		event("BOOKMARK", object{"kind": t.resource.Kind, "apiVersion": t.group.version(), "metadata": object{
			"resourceVersion": revision, "creationTimestamp": nil, "annotations": object{"k8s.io/initial-events-end": "true"},
		}})
	}
	return &Answer{http.StatusOK, "application/json", body}
}
