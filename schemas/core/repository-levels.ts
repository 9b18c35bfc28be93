/** Levels of access to a repository (`spec.md` 2.3), from low to high; each includes those before it. */
import { z } from "zod";

export const repositoryLevels = ["read", "triage", "write", "maintain", "admin"] as const;
export const RepositoryLevel = z.enum(repositoryLevels).meta({ id: "RepositoryLevel" });
export type RepositoryLevel = z.infer<typeof RepositoryLevel>;

export function levelCovers(held: RepositoryLevel, wanted: RepositoryLevel): boolean {
  return repositoryLevels.indexOf(held) >= repositoryLevels.indexOf(wanted);
}
