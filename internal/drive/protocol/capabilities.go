package protocol

import "encoding/json"

// Capabilities are the capabilities that a server declares. Fields whose type
// is unchecked are raw.
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

// ListCapability says whether the server announces changes of a list.
type ListCapability struct {
	Changes json.RawMessage `json:"listChanged"`
}

// TaskCapability is the server's support for tasks: calls whose results are
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
