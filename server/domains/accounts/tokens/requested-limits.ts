/** The limits to repositories and addresses in a request, in their stored form. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import { repositoryScopes, scopeCovers } from "@forgeline/schemas/core/scopes.ts";
import { parseAddressRanges } from "../../../platform/network/address-ranges.ts";
import { AppError, invalidFields } from "../../../platform/app-error.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { Authorizer } from "../../policy/domain.ts";

/** Identifiers of the named repositories. Throws `validation_failed` for each that the actor does not see, existing or not. */
export async function resolveRepositories(
  authorizer: Authorizer,
  actor: Actor,
  names: readonly string[],
): Promise<string[]> {
  const scope = repositoryScopes.find((each) => scopeCovers(actor.scopes, each)) ?? "repo:read";
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  for (const [at, full] of names.entries()) {
    const [owner = "", name = "", ...rest] = full.split("/");
    const id = rest.length > 0 ? undefined : await findId(authorizer, actor, { scope, owner, name });
    if (id !== undefined) ids.add(id);
    else
      errors.push({
        field: `repositories.${at}`,
        code: "not_found",
        message: "The repository does not exist, or you cannot see it.",
      });
  }
  if (errors.length > 0) throw invalidFields(errors);
  return [...ids];
}

async function findId(
  authorizer: Authorizer,
  actor: Actor,
  wanted: { scope: (typeof repositoryScopes)[number]; owner: string; name: string },
): Promise<string | undefined> {
  try {
    const requirement = { access: "repo_read", scope: wanted.scope } as const;
    return (await authorizer.authorizeRepository(actor, requirement, wanted)).repository.id;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** Throws `validation_failed` for what is neither an address nor a range, and for ranges wider than /8. */
export function checkAddressRanges(ranges: readonly string[]): string[] {
  const errors = ranges.flatMap((range, at): FieldError[] => {
    const problem = problemOf(range);
    return problem ? [{ field: `address_ranges.${at}`, code: "invalid", message: `${problem}.` }] : [];
  });
  if (errors.length > 0) throw invalidFields(errors);
  return [...new Set(ranges)];
}

function problemOf(range: string): string | undefined {
  if (range === "" || range.includes(",")) return "This is not an IP address or CIDR range";
  if (/^::ffff:/i.test(range)) return "Write IPv4 addresses in IPv4 form";
  return parseAddressRanges(range).problem;
}
