//go:build linux

package observe

import (
	"testing"

	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

func TestMain(m *testing.M) { assesstest.Main(m) }
