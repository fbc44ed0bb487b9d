//go:build linux

package install

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

func TestMain(m *testing.M) { assesstest.Main(m) }
