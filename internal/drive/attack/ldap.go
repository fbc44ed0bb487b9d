package attack

import (
	"github.com/mcpsf/mcpsf"
)

func ldapInjection() Class {
	return Class{
		ID:    "ldap-injection",
		Title: "A value becomes part of a filter for a directory",
		Yield: kinds{"name": 10, "query": 10, "email": 10, "id": 5, "unknown": 5, "text": 3}.about(prose(60), "ldap", "directory service", "distinguished", "active directory"),
		Payloads: queryPayloads("ldap", mcpsf.SignQuery, [][2]string{
			{"¤)(§=*", "second condition"},
			{"*)(|(§=*", "alternative"},
			{"¤*))(|(§=*", "alternative after two brackets"},
			{"¤,§=x", "part of a name"},
		}),
		Balanced: 1,
	}
}
