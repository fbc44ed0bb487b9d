package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
)

// oldServer uses the HTTP+SSE transport. If shared, it has one stream for all
// clients: the last client to connect receives everything.
type oldServer struct {
	shared bool

	mu    sync.Mutex
	lines map[string]chan string
	last  string
}

func (o *oldServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/mcp" && r.Method == http.MethodGet:
		o.listen(w, r)
	case r.URL.Path == "/messages" && r.Method == http.MethodPost:
		o.message(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (o *oldServer) listen(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	if o.lines == nil {
		o.lines = map[string]chan string{}
	}
	id := fmt.Sprintf("%08x%08x%08x", (len(o.lines)+1)*0x9e3779b1, (len(o.lines)+1)*0x7f4a7c15, (len(o.lines)+1)*0x85ebca6b)
	lines := make(chan string, 16)
	o.lines[id], o.last = lines, id
	o.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "event: endpoint\ndata: /messages?sessionId=%s\n\n", id)
	for {
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case line := <-lines:
			fmt.Fprintf(w, "event: message\ndata: %s\n\n", line)
		}
	}
}

func (o *oldServer) message(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	o.mu.Lock()
	defer o.mu.Unlock()
	id := r.URL.Query().Get("sessionId")
	if o.shared {
		id = o.last
	}
	o.lines[id] <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`, m.ID)
	w.WriteHeader(http.StatusAccepted)
}
