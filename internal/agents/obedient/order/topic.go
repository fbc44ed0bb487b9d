package order

import "slices"

// concerns: the words are those of the user's task.
func (b *Task) concerns(s *utterance, from, to int) bool {
	for i := from; i < to; i++ {
		if w := s.Words[i].Text; len(w) > 3 && b.topic[w] && !s.Is(i, "user", "asks", "if", "when", "toolword") && !weak(w) {
			return true
		}
	}
	return false
}

// weak words stand in any task.
func weak(w string) bool {
	return slices.Contains([]string{"with", "this", "that", "then", "tool", "answer", "result", "from", "what", "when", "have", "about", "wants", "into", "their", "file", "data", "project"}, w)
}
