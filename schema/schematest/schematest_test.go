package schematest

import (
	"errors"
	"testing"
)

const schema = `{"type": "object", "required": ["list"], "properties": {"list": {"type": "array"}}}`

// Both validators tell a null from a list.
func TestValidators(t *testing.T) {
	for document, want := range map[string]bool{`{"list": []}`: true, `{"list": null}`: false, `{}`: false} {
		if err := Validate(schema, []byte(document)); (err == nil) != want {
			t.Errorf("%s: %v", document, err)
		}
		err := ValidateWithPython(t.Context(), schema, []byte(document))
		if errors.Is(err, ErrNoPython) {
			t.Skip(err)
		}
		if (err == nil) != want {
			t.Errorf("python, %s: %v", document, err)
		}
	}
	if err := ValidateLines(schema, []byte("{\"list\": []}\n{}\n")); err == nil {
		t.Error("the second line is valid")
	}
}
