package services

import (
	"encoding/json"
	"net/http"
	"strings"
)

// procedureCall is one call of JSON-RPC.
type procedureCall struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
}

// procedure answers JSON-RPC: a service that has one path for all its methods. What
// they return is learned for each method.
func procedure(s *Services, r *Request) *Answer {
	if r.Method != http.MethodPost {
		return nil
	}
	var one procedureCall
	if json.Unmarshal(r.Kept, &one) == nil && one.Version == "2.0" && one.Method != "" {
		return asJSON(http.StatusOK, returned(s, r, &one))
	}
	var all []procedureCall
	if json.Unmarshal(r.Kept, &all) != nil || len(all) == 0 || all[0].Version != "2.0" || all[0].Method == "" {
		return nil
	}
	var out []object
	for i := range all[:min(len(all), maxBatch)] {
		out = append(out, returned(s, r, &all[i]))
	}
	return asJSON(http.StatusOK, out)
}

// returned is the answer to one call.
func returned(s *Services, r *Request, c *procedureCall) object {
	return numbered(c.ID, resultOf(s, r, c.Method))
}

// numbered is a result with the id of its call. The id is repeated only if it is a small
// number, as clients that count have it: nothing of the client's can hide in it.
func numbered(id json.RawMessage, result any) object {
	out := object{"jsonrpc": "2.0", "id": 1, "result": result}
	var number uint16
	if json.Unmarshal(id, &number) == nil {
		out["id"] = number
	}
	return out
}

// resultOf is what a method returns: of the interface that all nodes of Ethereum have it
// is a number in hexadecimal digits, unless it is about a record.
func resultOf(s *Services, r *Request, method string) any {
	record := s.thing(s.dice(r.Domain(), r.Path))
	switch {
	case method == "net_version":
		return "1"
	case method == "eth_accounts":
		return []string{}
	case strings.HasPrefix(method, "eth_call"):
		return "0x" + strings.Repeat("0", 62) + "2a"
	case strings.HasPrefix(method, "eth_getBlockBy"), strings.HasPrefix(method, "eth_getTransactionBy"), strings.HasPrefix(method, "eth_getTransactionReceipt"):
		return record
	case strings.HasPrefix(method, "eth_getLogs"):
		return []object{}
	case method == "eth_chainId":
		return "0x1"
	case strings.HasPrefix(method, "eth_"):
		return "0x12a05f2"
	}
	return record
}
