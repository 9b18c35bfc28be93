/** The part of `docs/architecture/house.md` that shows the domains, drawn from the imports that there are. */
import { fileURLToPath } from "node:url";
import { readArrows } from "../house/arrows.ts";
import { layersOf, usesOf } from "../house/domains.ts";
import { withPart } from "./marked-part.ts";

export async function generateHousePage(): Promise<string> {
  const uses = usesOf(await readArrows(fileURLToPath(new URL("../../", import.meta.url))));
  const rows = layersOf(uses)
    .toReversed()
    .flat()
    .map((name) => `| \`${name}\` | ${(uses.get(name) ?? []).join(", ") || "none"} |`);
  return withPart(
    "docs/architecture/house.md",
    "domains",
    ["| Domain | Uses |", "|---|---|", ...rows].join("\n"),
  );
}
