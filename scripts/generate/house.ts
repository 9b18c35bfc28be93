/** The part of `docs/architecture/house.md` that shows the domains, drawn from the imports that there are. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readArrows } from "../house/arrows.ts";
import { layersOf, usesOf } from "../house/domains.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const markers = /(<!-- domains: drawn by `npm run generate` -->\n)[\s\S]*?(<!-- end of domains -->)/;

export async function generateHousePage(): Promise<string> {
  const page = await readFile(`${root}docs/architecture/house.md`, "utf8");
  if (!markers.test(page)) throw new Error("docs/architecture/house.md has no place for the domains");
  const uses = usesOf(await readArrows(root));
  const rows = layersOf(uses)
    .toReversed()
    .flat()
    .map((name) => `| \`${name}\` | ${(uses.get(name) ?? []).join(", ") || "none"} |`);
  const table = ["| Domain | Uses |", "|---|---|", ...rows].join("\n");
  return page.replace(markers, (_all, start: string, end: string) => `${start}\n${table}\n\n${end}`);
}
