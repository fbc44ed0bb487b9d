package services

const xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`

// packageOf are the files that every package of an office program begins with: main is
// its main part.
func packageOf(main, kind string) []entry {
	const types, relations = "http://schemas.openxmlformats.org/package/2006/content-types", "http://schemas.openxmlformats.org/package/2006/relationships"
	return []entry{
		{"[Content_Types].xml", xmlHead + `<Types xmlns="` + types + `"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/` + main + `" ContentType="application/vnd.openxmlformats-officedocument.` + kind + `.main+xml"/>` + sheetType(kind) + `</Types>`},
		{"_rels/.rels", xmlHead + `<Relationships xmlns="` + relations + `"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="` + main + `"/></Relationships>`},
	}
}

func sheetType(kind string) string {
	if kind != "spreadsheetml.sheet" {
		return ""
	}
	return `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`
}

// workbook are the files of a workbook with one sheet.
func workbook() []entry {
	const ns, relation = "http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return append(packageOf("xl/workbook.xml", "spreadsheetml.sheet"),
		entry{"xl/workbook.xml", xmlHead + `<workbook xmlns="` + ns + `" xmlns:r="` + relation + `"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`},
		entry{"xl/_rels/workbook.xml.rels", xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` + relation + `/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
		entry{"xl/worksheets/sheet1.xml", xmlHead + `<worksheet xmlns="` + ns + `"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1" t="inlineStr"><is><t>value</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>alpha</t></is></c><c r="B2"><v>12.5</v></c></row></sheetData></worksheet>`})
}

// letter are the files of a text document.
func letter() []entry {
	return append(packageOf("word/document.xml", "wordprocessingml.document"),
		entry{"word/document.xml", xmlHead + `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Updated last week.</w:t></w:r></w:p></w:body></w:document>`})
}
