package hostname

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
	for _, c := range []Class{classTelemetry, classRegistry, classCatcher, classTunnel, classPaste, classChat, classOnion, ClassResolver} {
		if len(known().Classes[c]) == 0 {
			t.Errorf("the class %q has no host", c)
		}
	}
}
