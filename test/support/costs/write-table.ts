/**
 * `node test/support/costs/write-table.ts`: puts the figures of the last run, which should be of all tests, into
 * `test/support/README.md`, between its two markers.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { costTables } from "./cost-tables.ts";
import { costsFile, type CostsOfRun } from "./reporter.ts";

const readme = join(import.meta.dirname, "../README.md");
const [begin, end] = ["<!-- costs -->", "<!-- end of costs -->"];

const run = JSON.parse(await readFile(costsFile, "utf8")) as CostsOfRun;
const text = await readFile(readme, "utf8");
const before = text.slice(0, text.indexOf(begin) + begin.length);
const after = text.slice(text.indexOf(end));
await writeFile(readme, `${before}\n\n${costTables(run).join("\n")}\n\n${after}`);
