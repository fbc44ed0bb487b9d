package programs

import "strings"

// ListsProcesses tells whether a program reads about every process.
func ListsProcesses(name string) bool { return known().ProcessListers[name] }

// PrintsVariables tells whether an argument makes ps print the variables of each
// process: an e among the options without a dash, or the column of that name.
func PrintsVariables(arg string) bool {
	if strings.Contains(arg, "environ") {
		return true
	}
	return strings.Contains(arg, "e") && strings.Trim(arg, "aefgjlmnrsuvwxZX") == ""
}
