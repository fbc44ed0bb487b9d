package page_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

var (
	update   = flag.Bool("update", false, "take the screenshots anew")
	pictures = flag.String("pictures", "../../../docs/images", "where the screenshots go")
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}
