package declared

// service is one that goes by other names than that of its domain, or whose
// name is worth imitating. A word of it explains these domains and no other:
// the name of a well-known service before another ending is an imitation.
type service struct {
	Words   []string `yaml:"words"`
	Domains []string `yaml:"domains"`
}
