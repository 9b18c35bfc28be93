/** Says which owners of a CODEOWNERS file cannot own anything, as far as the viewer may know. */
import {
  codeOwnersLimits,
  type CodeOwner,
  type CodeOwnersError,
  type OwnerMention,
} from "@forgeline/compiler/code-owners/file.ts";
import type { KnownOwners } from "./known-owners.ts";

export interface Judging {
  /** The repository's. */
  owner: string;
  known: KnownOwners;
  /** Whether the viewer may know which teams there are. */
  judgesTeams: boolean;
}

/**
 * The first `codeOwnersLimits.errors`, in the order of `mentions`, and how many there are. A team that the viewer does not see is
 * unknown, whether there is one or not.
 */
export function unknownOwners(
  mentions: readonly OwnerMention[],
  judging: Judging,
): { errors: CodeOwnersError[]; count: number } {
  const problems = new Map<CodeOwner, string | undefined>();
  const errors: CodeOwnersError[] = [];
  let count = 0;
  for (const { owner, line, column } of mentions) {
    if (!problems.has(owner)) problems.set(owner, problemOf(owner, judging));
    const message = problems.get(owner);
    if (message === undefined) continue;
    count += 1;
    if (errors.length < codeOwnersLimits.errors)
      errors.push({ line, column, kind: "unknown_owner", message });
  }
  return { errors, count };
}

function problemOf(owner: CodeOwner, { owner: of, known, judgesTeams }: Judging): string | undefined {
  if (owner.type === "team") {
    if (!owner.name.startsWith(`${of.toLowerCase()}/`))
      return `${owner.text} cannot own files here: only teams of the organization that has the repository can`;
    if (!judgesTeams) return undefined;
  }
  const found = known(owner);
  if (found && (found.type === "user" || found.visible)) return undefined;
  return `${owner.text} does not exist or has no write access to the repository`;
}
