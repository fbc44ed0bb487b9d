package promptscan

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// magicNames are names of parameters that make a model pass on the
// conversation.
func magicNames() Names {
	return NamesOf(tables().MagicParameters...)
}

// magicParameters finds parameters whose names make the model pass on the
// conversation. The grammar checks their descriptions.
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

// parameterReported reports whether the parameter was reported already.
func (o *scanner) parameterReported(parameter string) bool {
	return slices.ContainsFunc(o.found, func(d mcpsf.TextDetail) bool {
		return d.What == mcpsf.TextMagicParameter && d.Target == printable(parameter)
	})
}

// descriptionOf is a parameter's description.
func (o *scanner) descriptionOf(parameter string) string {
	for i := range o.texts {
		t := &o.texts[i]
		if t.parameter == parameter && t.role == roleProse {
			return t.value
		}
	}
	return parameter
}

// isForModels reports whether the tool itself talks to a model, so that it
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
