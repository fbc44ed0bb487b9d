package schema

import "strings"

// repair returns the schema without the parts that no validator understands:
// type names of other languages, dangling references, keywords of the wrong
// shape. The rest is most likely what the author meant.
func repair(root any) any {
	return (&repairer{root: root}).schema(root)
}

type repairer struct{ root any }

func (r *repairer) schema(node any) any {
	s, ok := node.(map[string]any)
	if !ok {
		return node == nil || node != false
	}
	out := map[string]any{}
	for key, value := range s {
		if fixed, ok := r.keyword(key, value, s); ok {
			out[key] = fixed
		}
	}
	r.required(s, out)
	return out
}

// required moves the boolean "required" of a property, used by very old
// schemas, to the object's list.
func (r *repairer) required(s, out map[string]any) {
	properties, _ := s["properties"].(map[string]any)
	for _, name := range sortedKeys(properties) {
		if p, ok := properties[name].(map[string]any); ok && p["required"] == true {
			out["required"] = append(list(out["required"]), name)
		}
	}
}

// keyword repairs one keyword or drops it.
func (r *repairer) keyword(key string, value any, beside map[string]any) (any, bool) {
	switch key {
	case "type":
		return repairType(value)
	case "$ref":
		return r.reference(value)
	case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
		return r.named(key, value)
	case "items":
		if tuple, ok := value.([]any); ok {
			return r.schemas(tuple)
		}
		return r.single(value)
	case "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "additionalItems", "unevaluatedProperties", contentSchema:
		return r.single(value)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return r.schemas(list(value))
	case "required":
		names := []any{}
		for _, name := range list(value) {
			if _, ok := name.(string); ok {
				names = append(names, name)
			}
		}
		return common(names, names), len(names) > 0
	case "enum":
		return value, len(list(value)) > 0
	case "pattern":
		pattern, ok := value.(string)
		_, err := patternCost(pattern)
		return value, ok && err == nil
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		if limit := strings.ToLower(strings.TrimPrefix(key, "exclusive")); value == true {
			value = beside[limit] // a draft-04 flag: the bound is beside it
		}
		f, ok := number(value)
		return value, ok && numbers(value) == nil && (key != "multipleOf" || f > 0)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains":
		f, ok := number(value)
		return value, ok && numbers(value) == nil && f >= 0 && f == float64(int64(f))
	case "const", "default":
		return value, numbers(value) == nil
	case "description", "format", "title", "contentEncoding", "contentMediaType":
		_, ok := value.(string)
		return value, ok
	case "examples":
		return value, list(value) != nil && numbers(value) == nil
	}
	return nil, false
}

func (r *repairer) single(value any) (any, bool) {
	switch value.(type) {
	case map[string]any, bool:
		return r.schema(value), true
	}
	return nil, false
}

func (r *repairer) schemas(nodes []any) (any, bool) {
	out := []any{}
	for _, n := range nodes {
		if fixed, ok := r.single(n); ok {
			out = append(out, fixed)
		}
	}
	return out, len(out) > 0
}

func (r *repairer) named(key string, value any) (any, bool) {
	m, ok := value.(map[string]any)
	out := map[string]any{}
	for name, n := range m {
		_, err := patternCost(name)
		if fixed, ok := r.single(n); ok && (key != "patternProperties" || err == nil) {
			out[name] = fixed
		}
	}
	return out, ok
}

// reference looks for a definition of the same name in the usual places.
func (r *repairer) reference(value any) (any, bool) {
	if _, ok := lookup(r.root, value); ok {
		return value, true
	}
	ref, _ := value.(string)
	name := ref[strings.LastIndexAny(ref, "/#")+1:]
	for _, place := range []string{"#/$defs/", "#/definitions/"} {
		if _, ok := lookup(r.root, place+name); ok && name != "" {
			return place + name, true
		}
	}
	return nil, false
}

// repairType translates type names of other languages.
func repairType(value any) (any, bool) {
	out := []any{}
	for _, t := range types(value) {
		name, _ := t.(string)
		switch strings.ToLower(name) {
		case "string", "str", "text", "char", "date", "datetime", "file", "uuid", "url", "password", "email":
			out = append(out, "string")
		case "integer", "int", "int32", "int64", "long", "uint":
			out = append(out, "integer")
		case "number", "float", "double", "decimal", "numeric":
			out = append(out, "number")
		case "boolean", "bool":
			out = append(out, "boolean")
		case "array", "list", "tuple", "set":
			out = append(out, "array")
		case "object", "dict", "map", "struct", "record":
			out = append(out, "object")
		case "null", "none", "nil":
			out = append(out, "null")
		}
	}
	unique := common(out, out)
	return unique, len(out) > 0
}
