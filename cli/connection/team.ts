/** Teams as people write them: `ORG/TEAM`, nested ones `ORG/PARENT/CHILD`. */
import { UsageError } from "./settings.ts";

export interface TeamName {
  org: string;
  /** What `{team}` is in addresses: `PARENT/CHILD`. */
  team: string;
  name: string;
  parent: string | null;
}

export function parseTeam(text: string): TeamName {
  const [org, ...path] = text.split("/");
  const name = path.at(-1);
  if (!org || name === undefined || path.includes(""))
    throw new UsageError(`"${text}" is not of the form ORG/TEAM or ORG/PARENT/CHILD`);
  return { org, team: path.join("/"), name, parent: path.slice(0, -1).join("/") || null };
}
