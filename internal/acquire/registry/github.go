package registry

// GitHub is the API of GitHub, or of the server that GITHUB_API_URL names,
// with the token in GITHUB_TOKEN or GH_TOKEN if there is one.
func (c *Client) GitHub() Registry {
	address := c.opts.Getenv("GITHUB_API_URL")
	if address == "" {
		address = "https://api.github.com/"
	}
	r, err := newRegistry(address, nil)
	if err != nil {
		return brokenRegistry(refused("GITHUB_API_URL cannot be used: %v", err))
	}
	r.settings = "GITHUB_API_URL, GITHUB_TOKEN"
	for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
		if token := c.opts.Getenv(name); token != "" {
			return c.WithBearer(r, token)
		}
	}
	return r
}

// Authorized reports whether requests carry credentials.
func (r Registry) Authorized() bool { return r.auth != "" }
