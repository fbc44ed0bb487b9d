package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf/internal/document"
)

// failure reads a provider's error answer.
func (d *doer) failure(resp *http.Response, body io.Reader) error {
	said, _ := readUpTo(body, d.limits.failure)
	told := readFailure(said)
	text := told.Message
	if text == "" {
		text = strings.TrimSpace(string(said))
		if strings.HasPrefix(text, "<") {
			text = "a page, not a message; is the address right?"
		}
	}
	status := strings.TrimSpace(strconv.Itoa(resp.StatusCode) + " " + http.StatusText(resp.StatusCode))
	e := failf(kindOf(resp.StatusCode), "%s: %s", status, d.scrub(clean(text)))
	e.Status, e.said, e.param = resp.StatusCode, text, told.Param
	e.after = retryAfter(resp.Header, d.now())
	e.final = resp.Header.Get("X-Should-Retry") == "false" || told.broke()
	return e
}

// scrub removes our key from a server's text.
func (d *doer) scrub(s string) string {
	if len(d.key) < 8 { // a placeholder, not a secret
		return s
	}
	return strings.ReplaceAll(s, d.key, "[key]")
}

// told is a provider's error message, in any format.
type told struct {
	Message string
	Type    string
	Param   string
	Code    string
}

// broke says that the account has no credit, so that waiting does not help.
func (t told) broke() bool {
	return t.Code == "insufficient_quota" || t.Type == "insufficient_quota" || t.Type == "billing_error"
}

// readFailure parses {"error":{...}} of OpenAI and Anthropic, {"error":"..."}
// of Ollama, {"message":...} of vLLM and {"detail":...} of FastAPI.
func readFailure(data []byte) told {
	var outer struct {
		Error, Message, Detail, Type, Param, Code json.RawMessage
	}
	if document.Depth(data) > defaultLimits().depth || json.Unmarshal(data, &outer) != nil {
		return told{}
	}
	t := told{Message: text(outer.Message), Type: text(outer.Type), Param: text(outer.Param), Code: text(outer.Code)}
	if t.Message == "" {
		t.Message = text(outer.Detail)
	}
	if len(outer.Error) == 0 || string(outer.Error) == "null" {
		return t
	}
	var inner struct {
		Message, Type, Param, Code json.RawMessage
	}
	if json.Unmarshal(outer.Error, &inner) != nil {
		return told{Message: text(outer.Error)}
	}
	return told{Message: text(inner.Message), Type: text(inner.Type), Param: text(inner.Param), Code: text(inner.Code)}
}

// text is a string, or any other JSON as written.
func text(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// maxAfter bounds the wait, so that sums do not overflow.
// no gap: bounds the conversation with a model; a failed ask is reported
const maxAfter = 24 * time.Hour

// retryAfter is how long a server asks to wait, 0 if it does not say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	for _, from := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		value := strings.TrimSpace(h.Get(from.name))
		if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
			return time.Duration(min(n, float64(maxAfter/from.unit)) * float64(from.unit))
		}
	}
	if at, err := http.ParseTime(h.Get("Retry-After")); err == nil {
		return min(max(at.Sub(now), 0), maxAfter)
	}
	return 0
}

// readUpTo reads the beginning of an unbounded body.
func readUpTo(r io.Reader, n int64) ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(r, n))
	return b.Bytes(), err
}
