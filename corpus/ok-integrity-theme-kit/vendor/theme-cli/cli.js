#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const { paper, ink } = JSON.parse(readFileSync(join(homedir(), ".theme-kit", "theme.json"), "utf8"));
console.log(`${ink} on ${paper}`);
