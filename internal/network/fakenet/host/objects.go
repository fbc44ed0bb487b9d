package host

import (
	"net/http"

	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
)

// stored are the databases of the visit. One without any gets its own.
func (s *session) stored() *databases.Databases {
	if s.v.Databases == nil {
		s.v.Databases = databases.New()
	}
	return s.v.Databases
}

// receive begins the body of a request. That of one to object storage is kept, as it
// was sent: a compressed object stays compressed.
func (w *web) receive(r *request) *intake {
	b := w.newIntake(r.encodings())
	b.field = func(f services.Field) {
		r.Fields = append(r.Fields, f)
		w.sent("header "+f.Name, []byte(f.Value))
	}
	if w.v.Databases != nil {
		r.Objects = w.v.Databases.Objects
	}
	if !r.MayStore() {
		r.Objects = nil
		return b
	}
	r.Objects = w.stored().Objects
	if r.Method == http.MethodPut || r.Method == http.MethodPost {
		r.Draft = r.Objects.Draft()
		b.draft = r.Draft
	}
	return b
}
