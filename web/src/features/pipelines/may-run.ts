/** What this person may do with the runs of a repository; the server applies the same rules. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Repository = Pick<Schemas["Repository"], "permissions" | "archived">;
const writing: ReadonlySet<Schemas["RepositoryLevel"]> = new Set(["write", "maintain", "admin"]);

export function mayRun({ permissions, archived }: Repository): boolean {
  return !archived && writing.has(permissions);
}
