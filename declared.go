package mcpsf

// Declared is what can explain an access, beside the call's arguments and the
// listed tools. It is kept so that a stored run can be judged again.
type Declared struct {
	// Command and Env are what the user wrote, not what the package asks for.
	Command []string `json:"command,omitempty"`
	Env     []string `json:"env,omitempty"`
	// Name is the name of the package and, after a space, the one the server
	// gives itself.
	Name string `json:"name"`
	// Hosts are the machines that the package's documentation mentions.
	Hosts []string `json:"hosts,omitempty"`
	// Variables are the environment variables that the documentation mentions.
	Variables []string `json:"variables,omitempty"`
	// Inputs are the prompts and resources that take arguments.
	Inputs []Tool `json:"inputs,omitempty"`
}
