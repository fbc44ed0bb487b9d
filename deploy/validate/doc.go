// Package validate lets the code of Kubernetes, Kustomize and Compose read the
// files beside it. It is a module of its own, so that the program does not
// depend on theirs.
package validate
