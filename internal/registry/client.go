package registry

// Client asks registries.
type Client struct{}
