package declared

// service is one whose names differ from its domain, or that is often imitated.
// Its words explain only its own domains: a well-known name with another ending
// is an imitation.
type service struct {
	Words   []string `yaml:"words"`
	Domains []string `yaml:"domains"`
}
