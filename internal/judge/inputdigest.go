package judge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/mcpsf/mcpsf"
)

// InputDigest returns the digest of what a report was judged from: all of it but the
// results of judging and what is decided afterwards. It is the same for a report
// that was written and read again.
func InputDigest(r *mcpsf.Report) (string, error) {
	facts := *r
	facts.Verdict, facts.Summary, facts.Findings, facts.Accesses, facts.Recommendations = mcpsf.Verdict{}, "", nil, nil, nil
	facts.Waived, facts.SecondOpinion, facts.Run.Files = nil, nil, nil
	raw, err := json.Marshal(&facts)
	if err != nil {
		return "", fmt.Errorf("hashing the report: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return "", fmt.Errorf("hashing the report: %w", err)
	}
	if raw, err = json.Marshal(withoutEmpty(tree)); err != nil { // with sorted keys
		return "", fmt.Errorf("hashing the report: %w", err)
	}
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

// withoutEmpty removes the fields that are null or empty: whether they are
// written depends on the writer. The decoder has bounded the nesting.
func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if field = withoutEmpty(field); field == nil {
				delete(v, name)
			} else {
				v[name] = field
			}
		}
		if len(v) == 0 {
			return nil
		}
		return v
	case []any:
		for i := range v {
			v[i] = withoutEmpty(v[i])
		}
		if len(v) == 0 {
			return nil
		}
		return v
	}
	return v
}
