package programs

import "strings"

// ListsProcesses knows the programs that look at every process.
func ListsProcesses(name string) bool { return known().ProcessListers[name] }

// PrintsVariables knows the ways to ask ps for the variables of each process:
// an e among the options without a dash, or the column of that name.
func PrintsVariables(arg string) bool {
	if strings.Contains(arg, "environ") {
		return true
	}
	return strings.Contains(arg, "e") && strings.Trim(arg, "aefgjlmnrsuvwxZX") == ""
}
