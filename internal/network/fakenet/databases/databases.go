package databases

import (
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/document"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/keyvalue"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/objects"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/databases/relational"
)

// Databases are the stores of one run. They are safe for concurrent use.
type Databases struct {
	SQL       *relational.Store
	Keys      *keyvalue.Store
	Documents *document.Store
	Objects   *objects.Store
}

// New makes stores with their first content.
func New() *Databases {
	return &Databases{SQL: relational.New(), Keys: keyvalue.New(), Documents: document.New(), Objects: objects.New()}
}
