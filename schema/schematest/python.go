package schematest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ErrNoPython says that the second validator is not installed.
var ErrNoPython = errors.New("python3 with the module jsonschema is not installed")

// validator prints the first mistakes of the document, nothing if there is none.
const validator = `
import itertools, json, jsonschema, sys
given = json.load(sys.stdin)
check = jsonschema.Draft202012Validator(given["schema"])
for error in itertools.islice(check.iter_errors(given["document"]), 10):
    print(error.json_path, error.message[:300])
`

// ValidateWithPython asks Python's jsonschema. Where that is not installed it
// returns [ErrNoPython], unless MCPSF_REQUIRE_JUDGES is set: then that is a mistake.
func ValidateWithPython(ctx context.Context, schema string, document []byte) error {
	if exec.CommandContext(ctx, "python3", "-c", "import jsonschema").Run() != nil {
		if os.Getenv("MCPSF_REQUIRE_JUDGES") != "" {
			return errors.New("MCPSF_REQUIRE_JUDGES is set, and python3 with the module jsonschema is not installed")
		}
		return ErrNoPython
	}
	given, err := json.Marshal(map[string]json.RawMessage{"schema": json.RawMessage(schema), "document": document})
	if err != nil {
		return fmt.Errorf("the document is no JSON: %w", err)
	}
	cmd := exec.CommandContext(ctx, "python3", "-c", validator)
	cmd.Stdin = strings.NewReader(string(given))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("python3: %w: %s", err, out)
	}
	if len(out) > 0 {
		return errors.New(strings.TrimSpace(string(out)))
	}
	return nil
}
