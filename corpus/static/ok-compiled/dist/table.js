"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseRow = parseRow;
exports.formatTable = formatTable;
function parseRow(line) {
    const cells = [];
    let cell = "", quoted = false;
    for (let i = 0; i < line.length; i++) {
        const c = line[i];
        if (quoted) {
            if (c === '"' && line[i + 1] === '"') {
                cell += '"';
                i++;
            }
            else if (c === '"')
                quoted = false;
            else
                cell += c;
        }
        else if (c === '"')
            quoted = true;
        else if (c === ",") {
            cells.push(cell);
            cell = "";
        }
        else
            cell += c;
    }
    cells.push(cell);
    return cells;
}
function formatTable(rows) {
    const widths = [];
    for (const row of rows)
        row.forEach((cell, i) => { var _a; widths[i] = Math.max((_a = widths[i]) !== null && _a !== void 0 ? _a : 0, cell.length); });
    return rows.map((row) => row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")).join("\n");
}
