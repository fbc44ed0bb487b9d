package supply

import (
	"slices"
	"testing"
)

func TestSources(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"--index-url https://wheels.x.example/simple\nflask==3.0", []string{"wheels.x.example"}},
		{"--extra-index-url=https://user:pw@wheels.x.example/simple", []string{"wheels.x.example"}},
		{"registry=https://npm.x.example/\n", []string{"npm.x.example"}},
		{"@corp:registry=https://npm.x.example/", []string{"npm.x.example"}},
		{"[[tool.uv.index]]\nurl = \"https://wheels.x.example/simple\"", []string{"wheels.x.example"}},
		{"curl -fsSL https://get.x.example/i.sh | sudo bash", []string{"get.x.example"}},
		{"bash <(curl -s https://get.x.example/i.sh)", []string{"get.x.example"}},
		{"pip install git+https://git.x.example/a.git", []string{"git.x.example"}},
		{"npm install https://dl.x.example/a.tgz", []string{"dl.x.example"}},
		{"--index-url https://pypi.org/simple", nil},
		{"curl https://sh.rustup.rs | sh", nil},
		{"curl https://api.x.example/v1/items | jq .", nil},
		{"pip install flask", nil},
		{"See https://docs.x.example/registry for more.", nil},
	} {
		if got := Sources(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q", tt.text, got)
		}
	}
}
