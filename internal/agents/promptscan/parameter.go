package promptscan

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// magic are names of parameters that a model fills with what it was told.
func magicNames() Names {
	return NamesOf(tables().MagicParameters...)
}

// parameters finds those that make the model pass on what it was told, by
// their names. What their descriptions ask for the grammar finds.
func (o *scanner) magicParameters() {
	if o.of == ofResult || o.talksToModel {
		return
	}
	names := magicNames()
	for i := range o.texts {
		t := &o.texts[i]
		if t.role != roleName || t.parameter == "" || t.parameter != t.value || !names[bare(t.value)] {
			continue
		}
		if o.parameterReported(t.parameter) {
			continue
		}
		o.report(mcpsf.TextMagicParameter, t.field, shown(o.descriptionOf(t.parameter), 0, 200), printable(t.parameter))
	}
}

// asks says whether that was told of the parameter already.
func (o *scanner) parameterReported(parameter string) bool {
	return slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool {
		return d.What == mcpsf.TextMagicParameter && d.Target == printable(parameter)
	})
}

// describing is what a parameter's description says.
func (o *scanner) descriptionOf(parameter string) string {
	for i := range o.texts {
		t := &o.texts[i]
		if t.parameter == parameter && t.role == roleProse {
			return t.value
		}
	}
	return parameter
}

// modelled: the tool is one that talks to a model itself, so that it
// needs prompts and messages.
func (o *scanner) isForModels() bool {
	for i := range o.texts {
		t := &o.texts[i]
		if t.role == roleValue || t.parameter != "" && t.role == roleProse && len(t.value) > 300 {
			continue
		}
		low := strings.ToLower(t.value[:min(len(t.value), 2000)])
		for _, w := range tables().ModelTools {
			if strings.Contains(low, w) && !strings.Contains(low, "conversation so far") && !strings.Contains(low, "your system") {
				return t.parameter == "" || t.role != roleProse
			}
		}
	}
	return false
}
