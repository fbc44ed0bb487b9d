package installation

import "github.com/mcpsf/mcpsf/internal/observe/leak"

// canary is a mark as it is stored. Its tokens are bytes: JSON has no text that is no
// valid UTF-8, and would replace what keys and enciphered values have.
type canary struct {
	ID     string   `json:"id"`
	Kind   string   `json:"kind"`
	Source string   `json:"source"`
	Hosts  []string `json:"hosts"`
	Tokens [][]byte `json:"tokens"`
}

func storedMarks(marks []leak.Mark) []canary {
	var list []canary
	for i := range marks {
		m := &marks[i]
		c := canary{ID: m.ID, Kind: m.Kind, Source: m.Source, Hosts: m.Hosts}
		for _, token := range m.Tokens {
			c.Tokens = append(c.Tokens, []byte(token))
		}
		list = append(list, c)
	}
	return list
}

func marksOf(list []canary) []leak.Mark {
	var marks []leak.Mark
	for i := range list {
		c := &list[i]
		m := leak.Mark{ID: c.ID, Kind: c.Kind, Source: c.Source, Hosts: c.Hosts}
		for _, token := range c.Tokens {
			m.Tokens = append(m.Tokens, string(token))
		}
		marks = append(marks, m)
	}
	return marks
}
