package shape

import (
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// BenchmarkComplete answers a client that reads many answers, with lists in lists.
func BenchmarkComplete(b *testing.B) {
	e := New()
	for i := range 300 {
		s := list(obj(map[string]*mcpsf.Shape{"id": {}, "name": {}, "created_at": {}, "email": {}}))
		for depth := range 5 {
			s = list(obj(map[string]*mcpsf.Shape{"id": {}, fmt.Sprint("items", i%9, depth): s}))
		}
		a := mcpsf.ExpectedAnswer{Host: "api.shop.example", Path: fmt.Sprintf("/v1/%c%d/{}", 'a'+i%26, i), Shape: obj(map[string]*mcpsf.Shape{"data": s})}
		if i%3 == 0 {
			a.Path = ""
		}
		e.Expect(a)
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Complete(asked("GET", "api.shop.example", "/v1/orders/77"), map[string]any{})
	}
}
