package protocol

import "encoding/json"

// Capabilities are what a server declares beyond its lists. Fields whose type
// nobody checked are raw.
type Capabilities struct {
	Logging     json.RawMessage `json:"logging"`
	Completions json.RawMessage `json:"completions"`
	Tools       *ListCapability `json:"tools"`
	Prompts     *ListCapability `json:"prompts"`
	Resources   *struct {
		ListCapability
		Subscribe json.RawMessage `json:"subscribe"`
	} `json:"resources"`
	Tasks *TaskCapability `json:"tasks"`
}

// ListCapability says whether the server tells of changes of a list.
type ListCapability struct {
	Changes json.RawMessage `json:"listChanged"`
}

// TaskCapability is what a server says of tasks: calls whose results are
// fetched later.
type TaskCapability struct {
	List     json.RawMessage `json:"list"`
	Cancel   json.RawMessage `json:"cancel"`
	Requests struct {
		Tools struct {
			Call json.RawMessage `json:"call"`
		} `json:"tools"`
	} `json:"requests"`
}
