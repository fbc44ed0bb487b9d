package services

import "strings"

// graphSDL is the schema that every fake GraphQL server has, for introspection.
func graphSDL() string {
	return `scalar DateTime

enum Status { ACTIVE ARCHIVED }

input ItemInput { name: String! description: String }

type User { id: ID! name: String! email: String }

type Item { id: ID! name: String! description: String status: Status! createdAt: DateTime! }

type Query { viewer: User! items(first: Int, after: String): [Item!]! item(id: ID!): Item search(query: String!): [Item!]! }

type Mutation { createItem(input: ItemInput!): Item updateItem(id: ID!, input: ItemInput!): Item deleteItem(id: ID!): Boolean! }
`
}

// graphSchema is the same schema in introspection form.
func graphSchema() object {
	condition := []object{graphInput("if", "Boolean!")}
	return object{
		"description": nil, "queryType": object{"name": "Query", "kind": "OBJECT"}, "mutationType": object{"name": "Mutation", "kind": "OBJECT"}, "subscriptionType": nil,
		"types": graphTypes(),
		"directives": []object{
			{"name": "include", "description": nil, "isRepeatable": false, "locations": []string{"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"}, "args": condition},
			{"name": "skip", "description": nil, "isRepeatable": false, "locations": []string{"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"}, "args": condition},
		},
	}
}

func graphTypes() []object {
	types := []object{
		graphObject("Query", graphMember("viewer", "User!"), graphMember("items", "[Item!]!", "first Int", "after String"),
			graphMember("item", "Item", "id ID!"), graphMember("search", "[Item!]!", "query String!")),
		graphObject("Mutation", graphMember("createItem", "Item", "input ItemInput!"), graphMember("updateItem", "Item", "id ID!", "input ItemInput!"),
			graphMember("deleteItem", "Boolean!", "id ID!")),
		graphObject("User", graphMember("id", "ID!"), graphMember("name", "String!"), graphMember("email", "String")),
		graphObject("Item", graphMember("id", "ID!"), graphMember("name", "String!"), graphMember("description", "String"),
			graphMember("status", "Status!"), graphMember("createdAt", "DateTime!")),
	}
	input := graphNamed("INPUT_OBJECT", "ItemInput")
	input["inputFields"] = []object{graphInput("name", "String!"), graphInput("description", "String")}
	enum := graphNamed("ENUM", "Status")
	enum["enumValues"] = []object{
		{"name": "ACTIVE", "description": nil, "isDeprecated": false, "deprecationReason": nil},
		{"name": "ARCHIVED", "description": nil, "isDeprecated": false, "deprecationReason": nil},
	}
	types = append(types, input, enum)
	for _, scalar := range []string{"ID", "String", "Int", "Boolean", "DateTime"} {
		types = append(types, graphNamed("SCALAR", scalar))
	}
	return types
}

// graphType is a type by name; nil if it does not exist.
func graphType(name string) any {
	for _, t := range graphTypes() {
		if t["name"] == name {
			return t
		}
	}
	return nil
}

func graphNamed(kind, name string) object {
	return object{
		"kind": kind, "name": name, "description": nil, "specifiedByURL": nil, "fields": nil, "inputFields": nil,
		"interfaces": nil, "enumValues": nil, "possibleTypes": nil, "isOneOf": nil, "ofType": nil,
	}
}

func graphObject(name string, members ...object) object {
	t := graphNamed("OBJECT", name)
	t["fields"], t["interfaces"] = members, []object{}
	return t
}

// graphMember makes a field. Its arguments are written as "name type".
func graphMember(name, kind string, args ...string) object {
	inputs := []object{}
	for _, a := range args {
		arg, of, _ := strings.Cut(a, " ")
		inputs = append(inputs, graphInput(arg, of))
	}
	return object{"name": name, "description": nil, "args": inputs, "type": graphRef(kind), "isDeprecated": false, "deprecationReason": nil}
}

func graphInput(name, kind string) object {
	return object{"name": name, "description": nil, "type": graphRef(kind), "defaultValue": nil, "isDeprecated": false, "deprecationReason": nil}
}

// graphRef parses a written type: "[Item!]!".
func graphRef(kind string) object {
	if inner, ok := strings.CutSuffix(kind, "!"); ok {
		return object{"kind": "NON_NULL", "name": nil, "ofType": graphRef(inner)}
	}
	if inner, ok := strings.CutPrefix(kind, "["); ok {
		return object{"kind": "LIST", "name": nil, "ofType": graphRef(strings.TrimSuffix(inner, "]"))}
	}
	kinds := map[string]string{"Query": "OBJECT", "Mutation": "OBJECT", "User": "OBJECT", "Item": "OBJECT", "ItemInput": "INPUT_OBJECT", "Status": "ENUM"}
	if k, ok := kinds[kind]; ok {
		return object{"kind": k, "name": kind, "ofType": nil}
	}
	return object{"kind": "SCALAR", "name": kind, "ofType": nil}
}

// project picks the requested fields of from.
func (f *filler) project(fields []*graphField, from any, depth int) any {
	if f.left--; f.left < 0 || depth > maxGraphDepth {
		return nil
	}
	switch v := from.(type) {
	case object:
		o := object{}
		f.pick(o, fields, v, depth)
		return o
	case []object:
		list := make([]any, 0, len(v))
		for _, e := range v {
			list = append(list, f.project(fields, e, depth+1))
		}
		return list
	}
	return from
}

func (f *filler) pick(o object, fields []*graphField, from object, depth int) {
	for _, field := range fields {
		if f.left--; f.left < 0 || depth > maxGraphDepth {
			return
		}
		if part := f.doc.fragments[field.spread]; part != nil {
			f.pick(o, part.fields, from, depth+1)
			continue
		}
		if field.inline {
			f.pick(o, field.fields, from, depth+1)
			continue
		}
		if field.key != "" {
			o[field.key] = f.project(field.fields, from[field.name], depth+1)
		}
	}
}
