package kubernetes

import (
	"maps"
	"net/http"
	"slices"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// validName is what a name of Kubernetes looks like.
var validName = lazyregexp.New(`^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$`)

// resource answers requests for objects.
func (c *Cluster) resource(r *Request, t *target) *Answer {
	switch {
	case t == nil:
		return failure(http.StatusNotFound, "NotFound", "the server could not find the requested resource", nil)
	case t.space != "" && !validName.MatchString(t.space), t.name != "" && !validName.MatchString(t.name) && !c.knows(t):
		return t.missing()
	case len(t.part) > 0:
		return c.part(t)
	case r.Method == http.MethodPost:
		return c.create(t)
	case t.name == "":
		return c.collection(r, t)
	}
	return c.single(r, t)
}

// collection answers requests for all objects of a kind.
func (c *Cluster) collection(r *Request, t *target) *Answer {
	switch {
	case r.Method == http.MethodDelete:
		return t.done()
	case r.Method != http.MethodGet && r.Method != http.MethodHead || !t.resource.can("list"):
		return t.refused()
	case r.Query.Get("watch") == "true" || r.Query.Get("watch") == "1":
		return c.watch(r, t)
	}
	return c.show(r, t, c.selected(r, t), true)
}

// single answers requests for one object.
func (c *Cluster) single(r *Request, t *target) *Answer {
	switch r.Method {
	case http.MethodDelete:
		return t.done()
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch:
	default:
		return t.refused()
	}
	it, ok := c.item(t)
	switch {
	case ok && r.Query.Get("watch") != "":
		return c.watch(r, t)
	case ok:
		return c.show(r, t, []Item{it}, false)
	case r.Method == http.MethodPut || r.Method == http.MethodPatch:
		return c.create(t)
	}
	return t.missing()
}

// create answers with the first object of the kind, or with one made up if the
// cluster has none.
func (c *Cluster) create(t *target) *Answer {
	if !t.resource.can("create") {
		return t.refused()
	}
	if o := review(t.resource.Kind); o != nil {
		o["kind"], o["apiVersion"] = t.resource.Kind, t.group.version()
		return encode(http.StatusCreated, o)
	}
	unnamed := *t
	unnamed.name = ""
	if items := c.items(&unnamed); len(items) > 0 {
		return encode(http.StatusCreated, items[0].Object)
	}
	meta := object{"name": t.resource.singular() + "-" + c.letters(t.resource.Kind, 5)}
	if t.resource.Namespaced {
		meta["namespace"] = c.space(t)
	}
	return encode(http.StatusCreated, c.dated(object{"kind": t.resource.Kind, "apiVersion": t.group.version(), "metadata": meta}))
}

// review is the answer to a question about rights: everything is permitted.
func review(kind string) object {
	switch kind {
	case "SelfSubjectAccessReview", "SubjectAccessReview", "LocalSubjectAccessReview":
		return object{"metadata": object{}, "spec": object{}, "status": object{"allowed": true, "reason": "RBAC: allowed by ClusterRoleBinding"}}
	case "SelfSubjectRulesReview":
		every := []string{"*"}
		return object{"metadata": object{}, "spec": object{}, "status": object{
			"resourceRules": []object{{"verbs": every, "apiGroups": every, "resources": every}}, "nonResourceRules": []object{{"verbs": every, "nonResourceURLs": every}}, "incomplete": false,
		}}
	case "SelfSubjectReview":
		return object{"metadata": object{}, "status": object{"userInfo": user()}}
	case "TokenReview":
		return object{"metadata": object{}, "spec": object{}, "status": object{"authenticated": true, "user": user()}}
	}
	return nil
}

func user() object {
	return object{"username": "system:serviceaccount:kube-system:admin", "groups": []string{"system:serviceaccounts", "system:authenticated"}}
}

// items are the objects that a target names without its name: those of a namespace
// if it has one. Each namespace has the same ones, since any may be asked for.
func (c *Cluster) items(t *target) []Item {
	key := t.resource.Name
	if t.group.Name == "metrics.k8s.io" {
		key = metrics + key
	}
	k := c.kinds[key]
	if k == nil {
		return nil
	}
	if !t.resource.Namespaced || !c.hasSpace(t.space) {
		return k.Items
	}
	var list []Item
	for _, it := range k.Items {
		o := maps.Clone(it.Object)
		meta, _ := o["metadata"].(object)
		meta = maps.Clone(meta)
		meta["namespace"] = t.space
		o["metadata"] = meta
		list = append(list, Item{Row: it.Row, Object: o})
	}
	return list
}

// space is the namespace of a new object.
func (c *Cluster) space(t *target) string {
	if c.hasSpace(t.space) {
		return t.space
	}
	return "default"
}

// knows says whether an object has the name of the target.
func (c *Cluster) knows(t *target) bool {
	return slices.ContainsFunc(c.items(t), func(it Item) bool { return nameOf(it.Object) == t.name })
}

// item is the object that a target names: any name may be one that the client made,
// so others stand for the first one.
func (c *Cluster) item(t *target) (Item, bool) {
	items := c.items(t)
	if len(items) == 0 {
		return Item{}, false
	}
	at := slices.IndexFunc(items, func(it Item) bool { return nameOf(it.Object) == t.name })
	return items[max(at, 0)], true
}
