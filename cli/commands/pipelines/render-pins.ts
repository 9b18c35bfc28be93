/** The templates of a plan or a run, each with the commit to which it is pinned. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderTable } from "../../output/table.ts";

export function renderPins(templates: readonly Schemas["RunTemplate"][]): string {
  const rows = templates.map(({ uses, sha }) => [uses, sha === null ? "" : sha.slice(0, 8)]);
  return renderTable(["TEMPLATE", "COMMIT"], rows);
}
