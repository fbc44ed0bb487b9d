package npm

import "github.com/mcpsf/mcpsf/internal/inventory/part"

// Carrier is the installed package that a file belongs to, nil if none does.
func (r *Reader) Carrier(file string) *part.Part {
	for dir := dirOf(file); dir != ""; dir = dirOf(dir) {
		if p := r.tree.places[dir]; p != nil {
			return p.part
		}
	}
	return nil
}
