/** Scopes as people write them: a list with commas. Which ones there are, the server says. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export function parseScopes(list: string): Schemas["Scope"][] {
  return list.split(",").map((scope) => scope.trim()) as Schemas["Scope"][];
}
