package main

// because says why OSV-Scanner judges records of a shape as it does, as far as
// its source shows it.
func because(shape string) string {
	return map[string]string{
		"a range over commits before that over versions": ": it stops at the first range that is not over versions (`rangeAffectsVersion` in osv-scalibr)",
		"the name written in another way":                ": it compares names as the record writes them; those of OSV's own exports are normalised, so that this is seldom",
	}[shape]
}
