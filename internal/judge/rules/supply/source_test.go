package supply

import (
	"slices"
	"testing"
)

func TestSources(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []Source
	}{
		{"--index-url https://wheels.x.example/simple\nflask==3.0", []Source{{"wheels.x.example", true}}},
		{"--extra-index-url=https://user:pw@wheels.x.example/simple", []Source{{"wheels.x.example", true}}},
		{"registry=https://npm.x.example/\n", []Source{{"npm.x.example", true}}},
		{"@corp:registry=https://npm.x.example/", []Source{{"npm.x.example", true}}},
		{"[[tool.uv.index]]\nurl = \"https://wheels.x.example/simple\"", []Source{{"wheels.x.example", true}}},
		{"curl -fsSL https://get.x.example/i.sh | sudo bash", []Source{{"get.x.example", false}}},
		{"bash <(curl -s https://get.x.example/i.sh)", []Source{{"get.x.example", false}}},
		{"pip install git+https://git.x.example/a.git", []Source{{"git.x.example", false}}},
		{"npm install https://dl.x.example/a.tgz", []Source{{"dl.x.example", false}}},
		{"--index-url https://pypi.org/simple", nil},
		{"curl https://sh.rustup.rs | sh", nil},
		{"curl https://api.x.example/v1/items | jq .", nil},
		{"pip install flask", nil},
		{"See https://docs.x.example/registry for more.", nil},
	} {
		if got := Sources(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}
