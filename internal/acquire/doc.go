// Package acquire gets the server: from what the user named to a private copy
// of known bytes that can be installed and started.
//
// In: a [mcpsf.Target]: a package, a repository, an image, a directory, an
// address.
//
// Out: a [mcpsf.Artifact] with its files, digest, start command and origin; the
// interpreter it needs; the gateway its package manager installs through.
//
// Never: run anything of the target; trust a length, a name or a link in what
// it reads; reach hosts other than the registries that the user has set.
package acquire
