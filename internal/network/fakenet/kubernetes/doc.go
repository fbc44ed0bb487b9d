// Package kubernetes answers as the API server of a small cluster.
//
// In: what is in the cluster, and requests. Out: answers as clients of Kubernetes
// expect them: discovery, objects, lists, tables, watches, logs, metrics.
// Never: keep anything. What a client creates, changes or deletes is answered with
// success and has no effect, and nothing that it sends comes back: see the package
// shape for why. So a name that nobody listed may be one that the client made, and
// stands for the first object of that kind.
package kubernetes
