package services

import (
	"net/http"
	"strings"

	"go.yaml.in/yaml/v3"
)

// openAPI is the description of an API, for servers that make tools from one.
func openAPI(s *Services, r *Request) *Answer {
	form, ok := describes(r)
	if !ok {
		return nil
	}
	doc := s.description(r, form == "2")
	if base := strings.ToLower(r.base()); strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml") || strings.Contains(r.Header("Accept"), "yaml") {
		if text, err := yaml.Marshal(doc); err == nil {
			return of(http.StatusOK, "application/yaml; charset=utf-8", text)
		}
	}
	return asJSON(http.StatusOK, doc)
}

// describes recognises the paths of API descriptions, and the version that is
// usual there.
func describes(r *Request) (version string, ok bool) {
	if !r.Reads() || strings.Contains(r.Header("Accept"), "text/html") {
		return "", false
	}
	base := strings.ToLower(r.base())
	name, _, _ := strings.Cut(base, ".")
	file := base == name || strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")
	switch {
	case !file:
		return "", false
	case strings.HasPrefix(name, "openapi"), name == "oas", name == "oas3", strings.HasSuffix(name, "-openapi"), name == "api-docs" && strings.Contains(r.Path, "/v3/"):
		return "3", true
	case strings.HasPrefix(name, "swagger") && base != name, name == "api-docs":
		return "2", true
	}
	return "", false
}

// description has a few operations. Their paths are answered, like all paths.
func (s *Services) description(r *Request, old bool) object {
	d := s.diceFor(r)
	thing := pick(d, "item", "order", "ticket", "record")
	list, one := thing+"s", strings.ToUpper(thing[:1])+thing[1:]
	prefix := "#/components/schemas/"
	if old {
		prefix = "#/definitions/"
	}
	schemas := object{
		one: object{"type": "object", "required": []string{"id", "name"}, "properties": object{
			"id": object{"type": "integer"}, "name": object{"type": "string"}, "status": object{"type": "string", "enum": []string{"active", "open", "ready"}},
			"created_at": object{"type": "string", "format": "date-time"},
		}},
		"New" + one: object{"type": "object", "required": []string{"name"}, "properties": object{"name": object{"type": "string"}, "description": object{"type": "string"}}},
	}
	ref := object{"$ref": prefix + one}
	w := apiWriter{old: old, thing: thing, input: object{"$ref": prefix + "New" + one}}
	byID := w.parameter("id", "path", "integer", "The "+thing+"'s number")
	doc := object{
		"info": object{"title": pick(d, "Aurora", "Meadow", "Cobalt", "Harbor") + " API", "version": "1.4.0", "description": "Keeps " + list + "."},
		"paths": object{
			"/" + list: object{
				"get":  w.operation("list"+one+"s", "List "+list, object{"type": "array", "items": ref}, w.parameter("limit", "query", "integer", "How many at most"), w.parameter("search", "query", "string", "Words to look for")),
				"post": w.operation("create"+one, "Create a "+thing, ref),
			},
			"/" + list + "/{id}": object{
				"get":    w.operation("get"+one, "Get a "+thing, ref, byID),
				"delete": w.operation("delete"+one, "Delete a "+thing, nil, byID),
			},
		},
	}
	if old {
		doc["swagger"], doc["host"], doc["basePath"], doc["schemes"] = "2.0", hostname(r), "/api/v1", []string{r.Scheme}
		doc["consumes"], doc["produces"], doc["definitions"] = []string{"application/json"}, []string{"application/json"}, schemas
		return doc
	}
	doc["openapi"], doc["servers"] = "3.0.3", []object{{"url": r.Scheme + "://" + hostname(r) + "/api/v1"}}
	doc["components"] = object{"schemas": schemas}
	return doc
}

// apiWriter writes operations in one of the two versions.
type apiWriter struct {
	old   bool
	thing string
	input object
}

func (w apiWriter) parameter(name, in, kind, text string) object {
	p := object{"name": name, "in": in, "required": in == "path", "description": text}
	if w.old {
		p["type"] = kind
	} else {
		p["schema"] = object{"type": kind}
	}
	return p
}

func (w apiWriter) operation(id, summary string, result object, parameters ...object) object {
	good := object{"description": "Done"}
	switch {
	case result != nil && w.old:
		good["schema"] = result
	case result != nil:
		good["content"] = object{"application/json": object{"schema": result}}
	}
	code := "200"
	if result == nil {
		code = "204"
	}
	o := object{"operationId": id, "summary": summary, "tags": []string{w.thing + "s"}, "responses": object{code: good}}
	if strings.HasPrefix(id, "create") {
		if w.old {
			parameters = append(parameters, object{"name": "body", "in": "body", "required": true, "schema": w.input})
		} else {
			o["requestBody"] = object{"required": true, "content": object{"application/json": object{"schema": w.input}}}
		}
	}
	if len(parameters) > 0 {
		o["parameters"] = parameters
	}
	return o
}
