package meaning

// Document returns members for an object whose schema leaves open what is in it, if the
// words around it say what it is for; nil if they do not.
func (v Values) Document(name, description string) map[string]any {
	names, said := Words(name), Words(description)
	if !v.isAbout(said, "mongo", "mongodb") {
		return nil
	}
	switch {
	case HasWord(names, "update", "updates", "modification"):
		return map[string]any{"$set": map[string]any{"name": v.Name}}
	case HasWord(names, "pipeline", "stage", "stages", "aggregation"):
		return map[string]any{"$match": map[string]any{}}
	case HasWord(names, "keys", "index", "projection"):
		return map[string]any{"name": 1}
	case HasWord(names, "sort"):
		return map[string]any{"_id": 1}
	case HasWord(names, "document", "documents", "doc", "docs", "data", "record", "records"):
		return map[string]any{"name": v.Name}
	}
	return nil
}

// isAbout reports whether the words of a parameter, of the tool or of the server name a
// thing.
func (v Values) isAbout(said []string, things ...string) bool {
	return HasWord(said, things...) || HasWord(Words(v.tool), things...) || HasWord(Words(v.purpose()), things...) || HasWord(Words(v.Samples.Server), things...)
}

// ofSheets reports whether a parameter belongs to a spreadsheet.
func (v Values) ofSheets(said []string) bool {
	return v.isAbout(said, "excel", "xlsx", "spreadsheet", "spreadsheets", "worksheet", "workbook", "sheet", "sheets", "cells", "cell")
}
