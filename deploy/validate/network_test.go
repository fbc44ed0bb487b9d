package validate

import (
	"net/netip"
	"slices"
	"testing"

	networking "k8s.io/api/networking/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// policies are those that apply to a pod.
func policies(t *testing.T, objects map[string]*object, pod string) []*networking.NetworkPolicy {
	t.Helper()
	var all []*networking.NetworkPolicy
	for _, o := range objects {
		p, ok := o.typed.(*networking.NetworkPolicy)
		if !ok {
			continue
		}
		s, err := meta.LabelSelectorAsSelector(&p.Spec.PodSelector)
		if err != nil {
			t.Fatal(err)
		}
		if s.Matches(labels.Set(pods(objects)[pod].Labels)) {
			all = append(all, p)
		}
	}
	return all
}

// reaches tells whether a pod may connect to an address outside the cluster.
func reaches(t *testing.T, objects map[string]*object, pod string, to netip.Addr, port int32) bool {
	t.Helper()
	for _, p := range policies(t, objects, pod) {
		for _, rule := range p.Spec.Egress {
			if len(rule.Ports) > 0 && !slices.ContainsFunc(rule.Ports, func(p networking.NetworkPolicyPort) bool { return p.Port == nil || p.Port.IntVal == port }) {
				continue
			}
			if len(rule.To) == 0 || slices.ContainsFunc(rule.To, func(peer networking.NetworkPolicyPeer) bool { return within(peer.IPBlock, to) }) {
				return true
			}
		}
	}
	return false
}

func within(block *networking.IPBlock, a netip.Addr) bool {
	return block != nil && netip.MustParsePrefix(block.CIDR).Contains(a) &&
		!slices.ContainsFunc(block.Except, func(cidr string) bool { return netip.MustParsePrefix(cidr).Contains(a) })
}

// Workers reach registries and nothing of ours; the server reaches nothing
// outside unless its files are there.
func TestNetwork(t *testing.T) {
	public := []string{"1.1.1.1", "151.101.1.63", "172.15.255.255", "172.32.0.1", "11.0.0.1", "2606:4700::1"}
	private := []string{
		"0.0.0.1", "10.0.0.1", "10.96.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1",
		"198.18.0.1", "224.0.0.1", "255.255.255.255", "::1", "::ffff:10.0.0.1", "fc00::1", "fd00:ec2::254", "fe80::1", "ff02::1", "64:ff9b::a00:1", "2002:a00:1::1", "2001::1",
	}
	each(t, func(t *testing.T, objects map[string]*object) {
		bucket := objects["NetworkPolicy bucket"] != nil
		for _, a := range public {
			if !reaches(t, objects, "Deployment mcpsf-worker", netip.MustParseAddr(a), 443) {
				t.Errorf("workers do not reach %s", a)
			}
			if got := reaches(t, objects, "Deployment mcpsf-server", netip.MustParseAddr(a), 443); got != bucket {
				t.Errorf("the server reaches %s: %v", a, got)
			}
			if reaches(t, objects, "Deployment mcpsf-worker", netip.MustParseAddr(a), 22) {
				t.Errorf("workers reach port 22 of %s", a)
			}
		}
		for _, a := range private {
			for pod := range pods(objects) {
				if reaches(t, objects, pod, netip.MustParseAddr(a), 443) {
					t.Errorf("%s reaches %s", pod, a)
				}
			}
		}
		for pod := range pods(objects) {
			denied := slices.ContainsFunc(policies(t, objects, pod), func(p *networking.NetworkPolicy) bool {
				return len(p.Spec.Ingress)+len(p.Spec.Egress) == 0 && len(p.Spec.PolicyTypes) == 2
			})
			if !denied {
				t.Errorf("nothing is denied to %s", pod)
			}
		}
		// From outside the server can be reached, and the rest cannot.
		for pod := range pods(objects) {
			open := slices.ContainsFunc(policies(t, objects, pod), func(p *networking.NetworkPolicy) bool {
				return slices.ContainsFunc(p.Spec.Ingress, func(r networking.NetworkPolicyIngressRule) bool { return len(r.From) == 0 })
			})
			if want := pod == "Deployment mcpsf-server"; open != want {
				t.Errorf("everybody reaches %s: %v", pod, open)
			}
		}
	})
}
