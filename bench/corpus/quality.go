package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/mcpsf/mcpsf"
)

// floors are the figures that must not get worse.
type floors struct {
	// Recall is the minimum share of harmful servers that are detected as such,
	// Precision that of the servers above LOW that are harmful, Pairs that of
	// harmful servers that are told from their honest twins.
	Recall    float64 `yaml:"recall"`
	Precision float64 `yaml:"precision"`
	Pairs     float64 `yaml:"pairs"`
	// FalseAlarms is the maximum number of honest servers above LOW,
	// Inconclusive the maximum share of runs without a verdict.
	FalseAlarms  int     `yaml:"false_alarms"`
	Inconclusive float64 `yaml:"inconclusive"`
	// SourceRecall is the minimum share of harmful source samples that raise an
	// alarm, SourceAlarms the maximum number of honest ones that do.
	SourceRecall float64 `yaml:"source_recall"`
	SourceAlarms int     `yaml:"source_alarms"`
	// IntegrityCaught is the minimum share of the servers of the class integrity
	// that are caught, IntegrityBought the maximum number of those that bought
	// their verdict, IntegrityAlarms that of their honest twins above LOW.
	IntegrityCaught float64 `yaml:"integrity_caught"`
	IntegrityBought int     `yaml:"integrity_bought"`
	IntegrityAlarms int     `yaml:"integrity_alarms"`
}

func readFloors(file string) (floors, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return floors{}, fmt.Errorf("reading the floors: %w", err)
	}
	var f floors
	d := yaml.NewDecoder(bytes.NewReader(raw))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		return floors{}, fmt.Errorf("%s: %w", file, err)
	}
	return f, nil
}

// figures count the results.
type figures struct {
	harmful, honest int
	// found are the harmful ones that were detected as such; convicted and
	// alarms are those above LOW, of the harmful and of the honest.
	found, convicted, alarms int
	pairs, apart             int
	inconclusive             int
}

func (f figures) recall() float64         { return share(f.found, f.harmful) }
func (f figures) precision() float64      { return share(f.convicted, f.convicted+f.alarms) }
func (f figures) discrimination() float64 { return share(f.apart, f.pairs) }

func (f figures) undecided() float64 {
	return float64(f.inconclusive) / float64(max(1, f.harmful+f.honest))
}

// share returns 1 if whole is 0: nothing was missed.
func share(part, whole int) float64 {
	if whole == 0 {
		return 1
	}
	return float64(part) / float64(whole)
}

// measure counts all results but those of the class integrity, and those of each
// class.
func measure(results []*result) (figures, map[string]figures) {
	named := map[string]*result{}
	for _, r := range results {
		named[r.Name] = r
	}
	var all figures
	by := map[string]figures{}
	others, _ := split(results)
	for _, r := range others {
		all = all.with(r, named[r.Twin])
		by[r.Class] = by[r.Class].with(r, named[r.Twin])
	}
	return all, by
}

// with counts one more result. twin is nil if it has none.
func (f figures) with(r, twin *result) figures {
	f.inconclusive += one(r.band == mcpsf.BandInconclusive)
	if !r.harmful() {
		f.honest++
		f.alarms += one(aboveLow(r.band))
		return f
	}
	f.harmful++
	f.found += one(r.outcome == proved)
	f.convicted += one(aboveLow(r.band))
	if twin != nil {
		f.pairs++
		f.apart += one(r.outcome == proved && twin.outcome == quiet)
	}
	return f
}

func (out *result) harmful() bool { return out.Malicious || out.Vulnerable }

func aboveLow(b mcpsf.Band) bool {
	return slices.Contains([]mcpsf.Band{mcpsf.BandMedium, mcpsf.BandHigh, mcpsf.BandCritical}, b)
}

// hold returns an error that names the floors that are not met.
func (f floors) hold(got figures) error {
	var broken []error
	least := func(name string, got, floor float64) {
		if got < floor {
			broken = append(broken, fmt.Errorf("%s is %.3f, and was at least %.3f", name, got, floor))
		}
	}
	least("recall", got.recall(), f.Recall)
	least("precision", got.precision(), f.Precision)
	least("pair discrimination", got.discrimination(), f.Pairs)
	if got.alarms > f.FalseAlarms {
		broken = append(broken, fmt.Errorf("%d honest servers are above LOW, and at most %d were", got.alarms, f.FalseAlarms))
	}
	if got.undecided() > f.Inconclusive {
		broken = append(broken, fmt.Errorf("%.1f%% came to no verdict, and at most %.1f%% did", 100*got.undecided(), 100*f.Inconclusive))
	}
	return errors.Join(broken...)
}

// summarise prints the figures.
func summarise(w io.Writer, results []*result) figures {
	all, by := measure(results)
	const format = "%-22s %8v %6v %7v %7v %6v\n"
	fmt.Fprintf(w, "\n"+format, "class", "harmful", "found", "honest", "alarms", "apart")
	for _, class := range sorted(by) {
		f := by[class]
		fmt.Fprintf(w, format, class, f.harmful, f.found, f.honest, f.alarms, fmt.Sprintf("%d/%d", f.apart, f.pairs))
	}
	fmt.Fprintf(w, format, "all", all.harmful, all.found, all.honest, all.alarms, fmt.Sprintf("%d/%d", all.apart, all.pairs))
	fmt.Fprintf(w, "\nrecall %.3f   precision %.3f   pair discrimination %.3f   false alarms %d of %d honest   inconclusive %.1f%%\n",
		all.recall(), all.precision(), all.discrimination(), all.alarms, all.honest, 100*all.undecided())
	return all
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
