package fakeprograms

import (
	"fmt"
	"time"

	"github.com/mcpsf/mcpsf/internal/sandbox/decoys"
)

// ClusterKind is a list of what the developer's cluster has, by the plural of its
// kind. Header names the columns of its rows.
type ClusterKind struct {
	Plural string
	Header []string
	Items  []ClusterItem
}

// ClusterItem is one object, and its cells in a table.
type ClusterItem struct {
	Row    []string
	Object map[string]any
}

// Cluster returns what kubectl shows of the cluster of a home, for who answers in
// place of it.
func Cluster(seed uint64, now time.Time, home *decoys.Home) ([]ClusterKind, error) {
	v, err := newValues(seed, now, home)
	if err != nil {
		return nil, fmt.Errorf("making a cluster: %w", err)
	}
	p, err := read("kubectl.yaml", v)
	if err != nil {
		return nil, fmt.Errorf("making a cluster: %w", err)
	}
	var all []ClusterKind
	for i := range p.Kinds {
		k := &p.Kinds[i]
		kind := ClusterKind{Plural: k.Words[0], Header: k.Header}
		for _, it := range k.Items {
			o, _ := plain(it.Object).(map[string]any)
			kind.Items = append(kind.Items, ClusterItem{Row: it.Row, Object: o})
		}
		all = append(all, kind)
	}
	return all, nil
}
