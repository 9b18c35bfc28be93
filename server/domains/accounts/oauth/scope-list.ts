/** Lists of scopes as OAuth sends them: separated by commas in ours (`spec.md` 5.4), by spaces in what most clients send. */
import { scopes, type Scope } from "@forgeline/schemas/core/scopes.ts";

/** Undefined when one of them is not known. */
export function parseScopeList(text: string): Scope[] | undefined {
  const names = text.split(/[ ,]+/).filter((name) => name !== "");
  const known = names.filter((name): name is Scope => (scopes as readonly string[]).includes(name));
  return known.length === names.length ? [...new Set(known)] : undefined;
}

export function formatScopeList(list: readonly Scope[]): string {
  return list.join(",");
}
