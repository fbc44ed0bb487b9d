package services

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/wordlist"
)

func TestLists(t *testing.T) {
	l, err := wordlist.Read[listed](listsText)
	if err != nil {
		t.Fatal(err)
	}
	full(t, "lists", reflect.ValueOf(*l))
	for _, a := range l.Metadata.Addresses {
		if _, err := netip.ParseAddr(a); err != nil {
			t.Error(err)
		}
	}
	m := (&Services{}).machine()
	for _, values := range []map[string]string{l.AWSMetadata, l.GCPMetadata} {
		for path, value := range values {
			if got := m.fill(value); strings.ContainsAny(got, "{}") {
				t.Errorf("%s: %q has a place that nothing fills", path, got)
			}
		}
	}
}

// full checks that no list is empty.
func full(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			full(t, name+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}
