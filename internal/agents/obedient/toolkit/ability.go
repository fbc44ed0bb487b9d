package toolkit

// Ability is something that a tool can do.
type Ability string

// The abilities.
const (
	CanRead        Ability = "read files"
	CanWrite       Ability = "write files"
	CanDelete      Ability = "delete"
	CanMail        Ability = "send mail"
	CanPost        Ability = "post to the web"
	CanTellSecrets Ability = "give secrets"
	CanRemember    Ability = "remember"
	CanRun         Ability = "run commands"
	CanPay         Ability = "pay"
	canSearch      Ability = "search"
)

// Abilities lists all abilities.
func Abilities() []Ability {
	return []Ability{CanRead, CanWrite, CanDelete, CanMail, CanPost, CanTellSecrets, CanRemember, CanRun, CanPay, canSearch}
}

// trait is how a tool with an ability is recognised; see abilities.yaml.
type trait struct {
	Ability Ability  `yaml:"ability"`
	Verbs   []string `yaml:"verbs"`
	Nouns   []string `yaml:"nouns"`
	Alone   []string `yaml:"alone"`
	Needs   []Role   `yaml:"needs"`
	Never   []string `yaml:"never"`
}
