// Package registry is the orchestrator's access to package registries. In: the
// user's own settings (environment, .npmrc, pip.conf, proxies). Out: answers of
// the registries, size-limited. Credentials are sent only to their own
// registry.
//
// It is the only package below acquire that uses the real network. Nothing of
// the user's settings reaches the sandbox.
package registry
