package ir

import "encoding/json"

// flowWire is a Flow as it is sent: columns of numbers, because most nodes have
// nothing but an owner, and names only once.
type flowWire struct {
	Owners  []int          `json:"owners"`
	Uses    []Uses         `json:"uses"`
	Details []flowDetail   `json:"details,omitempty"`
	Names   []string       `json:"names,omitempty"`
	Links   []int          `json:"links,omitempty"`
	Same    []int          `json:"same,omitempty"`
	Funcs   []FlowFunc     `json:"funcs"`
	Calls   []FlowCall     `json:"calls,omitempty"`
	Request []FlowRequest  `json:"requests,omitempty"`
	Imports []FlowImport   `json:"imports,omitempty"`
	Exports map[string]int `json:"exports,omitempty"`
}

// flowDetail is what few nodes have.
type flowDetail struct {
	FlowNode

	Node int `json:"n"`
}

// MarshalJSON writes the columns.
func (f *Flow) MarshalJSON() ([]byte, error) {
	w := flowWire{
		Owners: make([]int, len(f.Nodes)), Uses: make([]Uses, len(f.Nodes)), Links: make([]int, 0, 3*len(f.Links)), Same: make([]int, 0, 2*len(f.Same)),
		Funcs: f.Funcs, Calls: f.Calls, Request: f.Requests, Imports: f.Imports, Exports: f.Exports,
	}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		w.Owners[i], w.Uses[i] = n.Owner, n.Uses
		if n.Func != 0 || n.Accepted != nil || n.Tests != nil || n.Words != nil || n.Text != nil || n.Else != nil || n.Name != "" {
			w.Details = append(w.Details, flowDetail{*n, i})
		}
	}
	at := map[string]int{}
	for _, l := range f.Links {
		if _, ok := at[l.Name]; !ok {
			at[l.Name] = len(w.Names)
			w.Names = append(w.Names, l.Name)
		}
		w.Links = append(w.Links, l.From, l.To, at[l.Name])
	}
	for _, s := range f.Same {
		w.Same = append(w.Same, s[0], s[1])
	}
	return json.Marshal(&w)
}

// UnmarshalJSON reads the columns. It checks only what it needs itself.
func (f *Flow) UnmarshalJSON(data []byte) error {
	var w flowWire
	if err := json.Unmarshal(data, &w); err != nil {
		return err
	}
	if len(w.Uses) != len(w.Owners) || len(w.Owners) == 0 || len(w.Links)%3 != 0 || len(w.Same)%2 != 0 || len(w.Funcs) == 0 {
		return ErrFrame
	}
	*f = Flow{Nodes: make([]FlowNode, len(w.Owners)), Funcs: w.Funcs, Calls: w.Calls, Requests: w.Request, Imports: w.Imports, Exports: w.Exports}
	for _, d := range w.Details {
		if !inside(d.Node, len(f.Nodes)) {
			return ErrFrame
		}
		f.Nodes[d.Node] = d.FlowNode
	}
	for i := range f.Nodes {
		f.Nodes[i].Owner, f.Nodes[i].Uses = w.Owners[i], w.Uses[i]
	}
	f.Links = make([]FlowLink, 0, len(w.Links)/3)
	for i := 0; i < len(w.Links); i += 3 {
		if !inside(w.Links[i+2], len(w.Names)) {
			return ErrFrame
		}
		f.Links = append(f.Links, FlowLink{w.Links[i], w.Links[i+1], w.Names[w.Links[i+2]]})
	}
	for i := 0; i < len(w.Same); i += 2 {
		f.Same = append(f.Same, [2]int{w.Same[i], w.Same[i+1]})
	}
	return nil
}
