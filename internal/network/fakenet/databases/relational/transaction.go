package relational

import (
	"maps"
	"slices"
	"strings"
)

// assign executes SET and USE.
func (r *run) assign(st *statement) (*Result, error) {
	words := st.words
	if st.verb == "USE" {
		if len(words) == 0 || !r.isSchema(words[0]) {
			return nil, &Error{State: "42000", Number: 1049, Message: "Unknown database '" + clip(strings.Join(words, " ")) + "'"}
		}
		r.Database = words[0]
		return &Result{Tag: "USE"}, nil
	}
	if len(words) > 0 && slices.Contains([]string{"session", "local", "global"}, strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) > 2 && (words[1] == "=" || strings.EqualFold(words[1], "to") || words[1] == ":=") {
		r.set(strings.ToLower(words[0]), strings.Join(words[2:], ""))
	}
	line := strings.ToLower(strings.Join(words, " "))
	if strings.HasPrefix(line, "transaction read only") || strings.HasSuffix(line, "transaction read only") {
		r.readOnly = true
	}
	return &Result{Tag: "SET"}, nil
}

// set remembers a setting.
func (s *Session) set(name string, v Value) {
	if len(s.vars) >= maxVariables {
		s.vars = map[string]Value{}
	}
	if text, ok := v.(string); ok {
		v = clip(text)
	}
	s.vars[clip(strings.TrimPrefix(name, "@@"))] = v
}

// transact executes what begins and ends transactions.
func (r *run) transact(st *statement) (*Result, error) {
	s := r.Session
	res := &Result{Tag: st.verb}
	line := strings.ToLower(strings.Join(st.words, " "))
	switch st.verb {
	case "BEGIN", "START":
		res.Tag = "BEGIN"
		if !s.open {
			s.open, s.tx = true, s.store.hold()
		}
		s.readOnly = strings.Contains(line, "read only")
	case "COMMIT", "END":
		res.Tag = "COMMIT"
		if s.failed {
			res.Tag = "ROLLBACK"
			s.store.restore(s.tx)
		}
		s.end()
	case "ROLLBACK", "ABORT":
		res.Tag = "ROLLBACK"
		if name, found := strings.CutPrefix(line, "to "); found {
			return res, s.rollTo(strings.TrimPrefix(name, "savepoint "))
		}
		s.store.restore(s.tx)
		s.end()
	case "SAVEPOINT":
		if !s.open {
			if s.engine == Postgres {
				return nil, &Error{State: "25P01", Message: "SAVEPOINT can only be used in transaction blocks"}
			}
			return res, nil
		}
		if len(s.saves) < maxSaves {
			s.saves = append(s.saves, save{line, s.store.hold()})
		}
	}
	return res, nil
}

func (s *Session) end() {
	s.store.release(s.tx)
	for _, at := range s.saves {
		s.store.release(at.at)
	}
	s.open, s.failed, s.readOnly, s.tx, s.saves = false, false, false, nil, nil
}

func (s *Session) rollTo(name string) error {
	for i, at := range slices.Backward(s.saves) {
		if at.name == name {
			s.store.restore(at.at)
			for _, later := range s.saves[i+1:] {
				s.store.release(later.at)
			}
			s.saves, s.failed = s.saves[:i+1], false
			return nil
		}
	}
	return s.engine.problem("3B001", 1305, `savepoint "%s" does not exist`, "SAVEPOINT %s does not exist", clip(name))
}

// Close ends the session; an open transaction is undone.
func (s *Session) Close() {
	if !s.open {
		return
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	s.store.restore(s.tx)
	s.end()
}

// Reset forgets what the client set.
func (s *Session) Reset() {
	s.Close()
	s.vars = maps.Clone(map[string]Value{})
}
