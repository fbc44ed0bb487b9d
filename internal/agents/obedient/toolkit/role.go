package toolkit

// Role is the purpose of a parameter.
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

// suits reports whether a value for the role fits the parameter's type.
func (p *Param) suits(r Role) bool {
	switch p.kind {
	case "boolean", "null":
		return false
	case "number", "integer":
		return r == RoleAmount || r == RoleAccount || r == RoleName
	}
	return true
}
