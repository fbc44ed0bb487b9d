package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// name is the model that the user named, or else the first chat model of the
// server.
func (m *openAI) name(ctx context.Context) (string, error) {
	if m.model != "" {
		return m.model, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.found != "" {
		return m.found, nil
	}
	models, err := m.list(ctx)
	if err != nil {
		return "", err
	}
	for _, name := range models {
		if !isEmbedding(name) {
			m.found = name
			return name, nil
		}
	}
	return "", &Error{Kind: KindRefused, Message: "the server has no model; get one (as with \"ollama pull\") or name one: " + m.provider.name + "/MODEL"}
}

// isEmbedding recognises models that answer with vectors instead of text.
func isEmbedding(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"embed", "rerank", "whisper", "bge-", "minilm"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return name == ""
}

// list lists a server's models. The SDK would read an answer of any size.
func (m *openAI) list(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, m.doer.idle, failf(KindTimeout, "the list of its models did not come within %s", m.doer.idle))
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, m.base+"/models", nil)
	if err != nil {
		return nil, failf(KindAsk, "%s", clean(err.Error()))
	}
	if m.doer.key != "" {
		r.Header.Set("Authorization", "Bearer "+m.doer.key)
	}
	r.Header.Set("User-Agent", "mcpsf")
	resp, err := m.doer.client.Do(r)
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, m.doer.failure(resp, resp.Body)
	}
	data, err := readUpTo(resp.Body, int64(m.doer.limits.event))
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err != nil || document.Depth(data) > m.doer.limits.depth || json.Unmarshal(data, &list) != nil {
		return nil, failf(KindReply, "its list of models makes no sense; is the address right?")
	}
	var names []string
	for _, d := range list.Data {
		names = append(names, d.ID)
	}
	return names, nil
}
