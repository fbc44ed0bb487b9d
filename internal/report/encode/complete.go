package encode

import (
	"reflect"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// Complete returns a copy of r in which every list that the schema requires is
// present, at any depth: empty rather than null. Fields marked omitempty or
// omitzero stay as they are; they are left out when empty.
func Complete(r *mcpsf.Report) *mcpsf.Report {
	c := completeValue(reflect.ValueOf(*r)).Interface().(mcpsf.Report)
	return &c
}

// completeValue copies values that may contain a required list; everything else
// is shared with the original.
func completeValue(v reflect.Value) reflect.Value {
	switch {
	case v.Kind() == reflect.Pointer && !v.IsNil() && ownStruct(v.Type().Elem()):
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(completeValue(v.Elem()))
		return out
	case v.Kind() == reflect.Slice && !v.IsNil() && ownStruct(v.Type().Elem()):
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(completeValue(v.Index(i)))
		}
		return out
	case ownStruct(v.Type()):
		return completeStruct(v)
	}
	return v
}

func completeStruct(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		if field.Kind() == reflect.Slice && field.IsNil() && promised(v.Type().Field(i)) {
			field = reflect.MakeSlice(field.Type(), 0, 0)
		}
		out.Field(i).Set(completeValue(field))
	}
	return out
}

// ownStruct tells whether a type is a struct of the root package. All its fields
// are exported.
func ownStruct(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[mcpsf.Report]().PkgPath()
}

// promised tells whether a field is written even when it is empty. Bytes are
// JSON of the target (json.RawMessage), not a list.
func promised(f reflect.StructField) bool {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name != "-" && f.Type.Elem().Kind() != reflect.Uint8 && !strings.Contains(options, "omit")
}
