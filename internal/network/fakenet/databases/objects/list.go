package objects

import (
	"slices"
	"strings"
)

// Query says what a list has.
type Query struct {
	Prefix string
	// Delimiter ends the names that are listed once for all keys that begin with them;
	// "": all keys are listed.
	Delimiter string
	// After is the key or name after which the list begins.
	After string
	// Most is how many keys and names a page has.
	Most int
}

// Page is a part of a list.
type Page struct {
	Objects []*Object
	// Prefixes are the names that stand for several keys.
	Prefixes []string
	// Last is the last key or name of the page. More is set if others follow.
	Last string
	More bool
}

// List lists a bucket in the order of its keys.
func (s *Store) List(name string, q Query) (*Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.bucket(name)
	if err != nil {
		return nil, err
	}
	page, size := &Page{}, 0
	for i := q.begin(b.keys); i < len(b.keys) && strings.HasPrefix(b.keys[i], q.Prefix); {
		if len(page.Objects)+len(page.Prefixes) >= q.Most || size > maxPage {
			page.More = q.Most > 0
			break
		}
		key := b.keys[i]
		size += len(key)
		if err := s.spend(overhead + len(key)); err != nil {
			return nil, err
		}
		if group := q.group(key); group != "" {
			i = behind(b.keys, i, group)
			if group > q.After {
				page.Prefixes = append(page.Prefixes, group)
				page.Last = group
			}
			continue
		}
		page.Objects = append(page.Objects, b.objects[key])
		page.Last = key
		i++
	}
	return page, nil
}

// begin is the index of the first key of the list.
func (q *Query) begin(keys []string) int {
	first := max(q.Prefix, q.After)
	i, found := slices.BinarySearch(keys, first)
	if found && first == q.After {
		i++
	}
	return i
}

// group is the name that stands for a key, "" if the key is listed itself.
func (q *Query) group(key string) string {
	if q.Delimiter == "" {
		return ""
	}
	i := strings.Index(key[len(q.Prefix):], q.Delimiter)
	if i < 0 {
		return ""
	}
	return key[:len(q.Prefix)+i+len(q.Delimiter)]
}

// behind is the index of the first key from i on that does not begin with a name.
func behind(keys []string, i int, name string) int {
	n, _ := slices.BinarySearchFunc(keys[i:], name, func(key, name string) int {
		if strings.HasPrefix(key, name) {
			return -1
		}
		return strings.Compare(key, name)
	})
	return i + n
}
