package decoys

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// The other home has the same files with the same sizes, and none of the
// secrets.
func TestOtherSecrets(t *testing.T) {
	home := mustMint(t, 7)
	other, s := home.OtherSecrets(8, func([]string) bool { return false })
	if len(other.Decoys) != len(home.Decoys) || len(other.Scenery) != len(home.Scenery) || len(other.Environment()) != len(home.Environment()) {
		t.Fatal("the homes differ in their files")
	}
	changed := 0
	for i, d := range home.Decoys {
		o := other.Decoys[i]
		if o.Path != d.Path || o.ID != d.ID || o.Mode != d.Mode || len(o.Content) != len(d.Content) {
			t.Errorf("%s became %s with %d instead of %d bytes", d.Path, o.Path, len(o.Content), len(d.Content))
		}
		for _, token := range d.Tokens {
			if d.Secret() && strings.Contains(string(o.Content), token) {
				t.Errorf("%s still has its secret", o.Path)
			}
		}
		if string(o.Content) != string(d.Content) {
			changed++
		}
	}
	if changed < len(home.Decoys)/2 {
		t.Errorf("only %d of %d decoys changed", changed, len(home.Decoys))
	}
	for i, v := range home.Environment() {
		o := other.Environment()[i]
		if o.Name != v.Name || o.Value == v.Value || len(o.Value) != len(v.Value) || s.Text(v.Value) != o.Value {
			t.Errorf("%s: %q became %q", v.Name, v.Value, o.Value)
		}
	}
	again, err := Mint(7, now)
	if err != nil || string(again.Decoys[0].Content) != string(home.Decoys[0].Content) {
		t.Errorf("the first home changed: %v", err)
	}
}

// The secrets of a service that is kept, and documents, stay as they are.
func TestOtherSecretsKeepsServices(t *testing.T) {
	home := mustMint(t, 7)
	other, _ := home.OtherSecrets(8, func(services []string) bool { return slices.Contains(services, "github.com") })
	kept, changed := 0, 0
	for i, v := range home.Environment() {
		switch same := other.Environment()[i].Value == v.Value; {
		case same != slices.Contains(v.Hosts, "github.com"):
			t.Errorf("%s: kept is %v, it belongs to %v", v.Name, same, v.Hosts)
		case same:
			kept++
		default:
			changed++
		}
	}
	if kept == 0 || changed == 0 {
		t.Errorf("%d variables kept, %d changed", kept, changed)
	}
	for i, d := range home.Decoys {
		if !d.Secret() && !bytes.Equal(d.Content, other.Decoys[i].Content) {
			t.Errorf("the document %s changed", d.Path)
		}
	}
}
