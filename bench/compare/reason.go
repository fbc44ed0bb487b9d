package main

// because says why OSV-Scanner judges records of a shape as it does, as far as
// that was found out.
func because(shape string) string {
	return map[string]string{}[shape]
}
