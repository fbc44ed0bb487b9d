package declared

import (
	"reflect"
	"testing"
)

// The table loads, and none of its lists is empty.
func TestKnown(t *testing.T) {
	for f, v := range reflect.ValueOf(*known()).Fields() {
		if v.Len() == 0 {
			t.Errorf("%s is empty", f.Name)
		}
	}
	for _, o := range known().Owners {
		if len(o.Places) == 0 || len(o.Programs) == 0 {
			t.Errorf("an owner without places or programs: %+v", o)
		}
	}
	for _, s := range known().Services {
		if len(s.Words) == 0 || len(s.Domains) == 0 {
			t.Errorf("a service without words or domains: %+v", s)
		}
	}
}
