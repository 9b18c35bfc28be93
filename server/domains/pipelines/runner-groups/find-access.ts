/** Turns the names of those who may use a group of runners into ids, and says which names nobody has. */
import type { RunnerGroupAccess } from "@forgeline/schemas/runner-groups/resource.ts";
import { invalidField } from "../../../platform/app-error.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { findOwners, findRepositories, type Named } from "./runner-groups.store.ts";

export interface FoundAccess {
  access: RunnerGroupAccess["access"];
  ownerIds: string[];
  repositoryIds: string[];
}

/** `organizationId` is that of the group. Throws `validation_failed`, also for what is not the organization's. */
export async function findAccess(
  tx: Transaction,
  organizationId: string | null,
  { access, owners, repositories }: RunnerGroupAccess,
): Promise<FoundAccess> {
  if (organizationId !== null && owners.length > 0)
    throw invalidField(
      "owners",
      "not_allowed",
      "The runners of an organization only serve its own repositories: name some of these instead.",
    );
  const found = await findOwners(tx, owners);
  requireAll("owners", owners, found);
  const named = await findRepositories(tx, repositories.map(split), organizationId);
  requireAll("repositories", repositories, named);
  return { access, ownerIds: found.map(({ id }) => id), repositoryIds: named.map(({ id }) => id) };
}

function requireAll(
  field: "owners" | "repositories",
  wanted: readonly string[],
  found: readonly Named[],
): void {
  const known = new Set(found.map(({ name }) => name.toLowerCase()));
  const missing = wanted.find((name) => !known.has(name.toLowerCase()));
  if (missing === undefined) return;
  const kind = field === "owners" ? "no user and no organization" : "no repository here";
  throw invalidField(field, "unknown", `There is ${kind} with the name ${missing}.`);
}

function split(fullName: string): { owner: string; name: string } {
  const slash = fullName.indexOf("/");
  return { owner: fullName.slice(0, Math.max(slash, 0)), name: fullName.slice(slash + 1) };
}
