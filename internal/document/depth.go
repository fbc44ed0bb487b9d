package document

// Depth is how deep JSON nests, by its brackets alone. It is asked before a
// decoder that recurses sees hostile bytes.
func Depth(data []byte) int {
	now, most, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}
