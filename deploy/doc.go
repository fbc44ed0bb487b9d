// Package deploy holds no code, but files for running the service: an image, a
// Compose file, a Kustomize base. Its tests look at these files.
package deploy
