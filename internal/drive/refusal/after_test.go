package refusal_test

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// Texts that say which of two values comes after the other.
func TestWishAfter(t *testing.T) {
	for _, tt := range []struct{ text, later, earlier string }{
		{"the departure has to be after the arrival", "departure", "arrival"},
		{"until must be later than since", "until", "since"},
		{"low must be below high", "high", "low"},
		{"to >= from", "to", "from"},
		{"`lower` must be less than `upper`.", "upper", "lower"},
		{"The end date is before the start date", "end", "start"},
		{"from cannot be after to", "to", "from"},
		{"min_price exceeds max_price", "max_price", "min_price"},
		{"Error: check_out should come after check_in", "check_out", "check_in"},

		{"count must be greater than zero", "", ""},
		{"limit must be less than 100", "", ""},
		{"size is more than allowed", "", ""},
		{"date must be after today", "", ""},
		{"call open_shop before selling", "", ""},
		{"path must be below the workspace", "", ""},
	} {
		later, earlier := "", ""
		for _, w := range refusal.Read(tt.text) {
			if w.Kind == mcpsf.WishAfter {
				later, earlier = w.Path[0], w.Accepted[0]
			}
		}
		if later != tt.later || earlier != tt.earlier {
			t.Errorf("%q: %q after %q, want %q after %q", tt.text, later, earlier, tt.later, tt.earlier)
		}
	}
}
