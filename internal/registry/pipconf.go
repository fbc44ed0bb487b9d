package registry

// readPip reads the user's settings for PyPI.
func (c *Client) readPip() error { return nil }
