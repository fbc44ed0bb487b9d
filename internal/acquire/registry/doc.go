// Package registry is the orchestrator's way to package registries: the
// user's own settings go in (environment, .npmrc, pip.conf, proxies), and
// answers of the registries come out, size-limited and with credentials sent
// to their own registry alone.
//
// It is the only package of this room that uses the real network. Nothing of
// the user's settings reaches the sandbox.
package registry
