package services

import (
	"net/http"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/kubernetes"
)

// clusterPath matches paths that no other API has, so they need no host that is known
// to be a cluster.
var clusterPath = lazyregexp.New(`^/(?:api/v1/(?:pods|nodes|namespaces)|apis/(?:apps|batch|autoscaling|policy|[a-z]+(?:\.[a-z]+)*\.k8s\.io)/v\d\w*)(?:/|$)`)

// cluster answers as the API server of Kubernetes.
func cluster(s *Services, r *Request) *Answer {
	if s.opts.Cluster == nil || !isCluster(r) && !clusterPath.MatchString(r.Path) {
		return nil
	}
	a := s.opts.Cluster.Answer(&kubernetes.Request{
		Method: r.Method, Path: r.Path, Query: r.Query, Accept: strings.Join(r.Headers("Accept"), ","),
	})
	if a == nil {
		return nil
	}
	return of(a.Status, a.Kind, a.Body).with("Cache-Control", "no-cache, private")
}

// Socket is the answer to a client that wants a WebSocket, nil if it gets one: a cluster
// runs no commands.
func (s *Services) Socket(r *Request) *Answer {
	if a := cluster(s, r); a != nil && a.Status >= http.StatusBadRequest {
		return a
	}
	return nil
}

// isCluster recognises hosts that are called like a cluster, or at its ports: its own, and that of kubectl proxy.
func isCluster(r *Request) bool {
	known := &lists().Cluster
	domain := r.Domain()
	first, _, _ := strings.Cut(domain, ".")
	return hasAny(first, known.Labels...) || under(domain, known.Domains...) || strings.HasSuffix(r.Host, ":6443") || strings.HasSuffix(r.Host, ":8001")
}
