package toolkit

// Role is what a parameter is there for.
type Role string

// The roles.
const (
	RolePath     Role = "path"
	RoleReceiver Role = "receiver"
	RoleCopy     Role = "copy"
	RoleSubject  Role = "subject"
	RoleBody     Role = "body"
	RoleURL      Role = "url"
	RoleCommand  Role = "command"
	RoleAccount  Role = "account"
	RoleAmount   Role = "amount"
	RoleQuery    Role = "query"
	RoleName     Role = "name"
)

// suits reports whether a value for the role fits the type of the parameter.
func (p *Param) suits(r Role) bool {
	switch p.kind {
	case "boolean", "null":
		return false
	case "number", "integer":
		return r == RoleAmount || r == RoleAccount || r == RoleName
	}
	return true
}
