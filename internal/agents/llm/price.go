package llm

import (
	_ "embed" // for the price table
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

//go:embed prices.json
var priceTable []byte

// Price is what a million tokens cost, in US dollars.
type Price struct {
	In  float64 `json:"in"`
	Out float64 `json:"out"`
	// An ask of more tokens than Above costs more as a whole; 0: no such limit.
	Above   int64   `json:"above,omitempty"`
	LongIn  float64 `json:"long_in,omitempty"`
	LongOut float64 `json:"long_out,omitempty"`
}

// of is the cost of so many tokens.
func (p Price) of(in, out int64) float64 {
	const million = 1e6
	if p.Above > 0 && in > p.Above {
		return (float64(in)*p.LongIn + float64(out)*p.LongOut) / million
	}
	return (float64(in)*p.In + float64(out)*p.Out) / million
}

// prices is the embedded table.
type prices struct {
	AsOf     string `json:"as_of"`
	Families []struct {
		Provider string `json:"provider"`
		Models   []struct {
			Price

			Names []string `json:"names"`
		} `json:"models"`
	} `json:"families"`
}

func loadPrices() (*prices, error) {
	var t prices
	if err := json.Unmarshal(priceTable, &t); err != nil {
		return nil, fmt.Errorf("reading the table of prices: %w", err)
	}
	return &t, nil
}

// PricesAsOf is the date of the price table.
func PricesAsOf() (string, error) {
	t, err := loadPrices()
	if err != nil {
		return "", err
	}
	return t.AsOf, nil
}

// dated matches the names of single releases of a model.
var dated = lazyregexp.New(`^(.+?)-(?:latest|20[0-9]{2}-?[0-9]{2}-?[0-9]{2})$`)

// priceOf looks up a model by its name, or by its name without the date.
// Variants that are not in the table have no known price.
func priceOf(s Spec) (*Price, error) {
	t, err := loadPrices()
	if err != nil {
		return nil, err
	}
	names := []string{s.Model}
	if m := dated.FindStringSubmatch(s.Model); m != nil {
		names = append(names, m[1])
	}
	for _, f := range t.Families {
		if f.Provider != s.Provider {
			continue
		}
		for _, m := range f.Models {
			if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(m.Names, n) }) {
				return &m.Price, nil
			}
		}
	}
	return nil, nil
}
