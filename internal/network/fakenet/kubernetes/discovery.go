package kubernetes

import (
	"net/http"
	"strings"
)

// roots answers /api and /apis: with everything at once if the client asks for that,
// else with the groups.
func (c *Cluster) roots(r *Request, path string) *Answer {
	if version := aggregated(r.Accept); version != "" {
		a := encode(http.StatusOK, object{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/" + version, "metadata": object{}, "items": discoveries(path)})
		a.Kind = "application/json;g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList"
		return a
	}
	if path == "api" {
		return encode(http.StatusOK, object{"kind": "APIVersions", "versions": []string{"v1"}, "serverAddressByClientCIDRs": []object{}})
	}
	list := []object{}
	for i := range groups() {
		if g := &groups()[i]; g.Name != "" {
			list = append(list, g.summary())
		}
	}
	return encode(http.StatusOK, object{"kind": "APIGroupList", "apiVersion": "v1", "groups": list})
}

// aggregated is the version of the aggregated discovery that a client asks for.
func aggregated(accept string) string {
	for kind := range strings.SplitSeq(accept, ",") {
		if !strings.Contains(kind, "as=APIGroupDiscoveryList") {
			continue
		}
		for _, version := range []string{"v2beta1", "v2"} {
			if strings.Contains(kind+";", "v="+version+";") {
				return version
			}
		}
	}
	return ""
}

func (g *group) summary() object {
	version := object{"groupVersion": g.version(), "version": g.Version}
	return object{"name": g.Name, "versions": []object{version}, "preferredVersion": version}
}

// discoveries describe the groups below a root with all their resources.
func discoveries(path string) []object {
	list := []object{}
	for i := range groups() {
		g := &groups()[i]
		if (g.Name == "") != (path == "api") {
			continue
		}
		resources := []object{}
		for j := range g.Resources {
			resources = append(resources, g.discovery(&g.Resources[j]))
		}
		meta := object{}
		if g.Name != "" {
			meta["name"] = g.Name
		}
		list = append(list, object{"metadata": meta, "versions": []object{{"version": g.Version, "freshness": "Current", "resources": resources}}})
	}
	return list
}

func (g *group) discovery(r *resource) object {
	kind := object{"group": g.Name, "version": g.Version, "kind": r.Kind}
	scope := "Cluster"
	if r.Namespaced {
		scope = "Namespaced"
	}
	o := object{"resource": r.Name, "responseKind": kind, "scope": scope, "singularResource": r.singular(), "verbs": r.verbs()}
	if len(r.Short) > 0 {
		o["shortNames"] = r.Short
	}
	if r.categories() != nil {
		o["categories"] = r.categories()
	}
	parts := []object{}
	for _, part := range r.Parts {
		parts = append(parts, object{"subresource": part, "responseKind": kind, "verbs": partVerbs(part)})
	}
	if len(parts) > 0 {
		o["subresources"] = parts
	}
	return o
}

func partVerbs(part string) []string {
	switch part {
	case "log":
		return []string{"get"}
	case "eviction", "binding", "token":
		return []string{"create"}
	case "exec", "attach", "portforward", "proxy":
		return []string{"create", "get"}
	}
	return []string{"get", "patch", "update"}
}

// list describes the resources of a group.
func (g *group) list() *Answer {
	list := []object{}
	for i := range g.Resources {
		r := &g.Resources[i]
		o := object{"name": r.Name, "singularName": r.singular(), "namespaced": r.Namespaced, "kind": r.Kind, "verbs": r.verbs()}
		if len(r.Short) > 0 {
			o["shortNames"] = r.Short
		}
		if r.categories() != nil {
			o["categories"] = r.categories()
		}
		list = append(list, o)
		for _, part := range r.Parts {
			list = append(list, object{"name": r.Name + "/" + part, "singularName": "", "namespaced": r.Namespaced, "kind": r.Kind, "verbs": partVerbs(part)})
		}
	}
	return encode(http.StatusOK, object{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": g.version(), "resources": list})
}

// group answers the paths below /api/VERSION and /apis/GROUP; nil if that is no group
// of ours, but may be one of the cluster's users.
func (c *Cluster) group(r *Request, segments []string) *Answer {
	for i := range groups() {
		g := &groups()[i]
		own := strings.Split(g.path(), "/")
		switch {
		case len(segments) >= len(own) && strings.Join(segments[:len(own)], "/") == g.path():
			if len(segments) == len(own) {
				return g.list()
			}
			return c.resource(r, find(g, segments[len(own):]))
		case g.Name != "" && strings.Join(segments, "/") == "apis/"+g.Name:
			o := g.summary()
			o["kind"], o["apiVersion"] = "APIGroup", "v1"
			return encode(http.StatusOK, o)
		}
	}
	if len(segments) > 4 {
		return nil
	}
	return failure(http.StatusNotFound, "NotFound", "the server could not find the requested resource", nil)
}

// schema answers with a description of the API that has no types: clients then check
// nothing.
func (c *Cluster) schema(r *Request, path string) *Answer {
	info := object{"title": "Kubernetes", "version": "v1.30.6"}
	switch {
	case path == "openapi/v2" && strings.Contains(r.Accept, "proto-openapi"):
		return &Answer{http.StatusOK, "application/com.github.proto-openapi.spec.v2.v1.0+protobuf", []byte("\x0a\x032.0")}
	case path == "openapi/v2":
		return encode(http.StatusOK, object{"swagger": "2.0", "info": info, "paths": object{}, "definitions": object{}})
	case path == "openapi/v3":
		paths := object{}
		for i := range groups() {
			at := groups()[i].path()
			paths[at] = object{"serverRelativeURL": "/openapi/v3/" + at + "?hash=" + strings.ToUpper(c.letters(at, 32))}
		}
		return encode(http.StatusOK, object{"paths": paths})
	}
	return encode(http.StatusOK, object{"openapi": "3.0.0", "info": info, "paths": object{}, "components": object{"schemas": object{}}})
}
