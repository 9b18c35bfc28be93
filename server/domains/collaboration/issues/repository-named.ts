/** The repository to which an issue is to go, as somebody names it. */
import type { Actor } from "../../../platform/access/actor.ts";
import type { Requirement } from "../../../platform/access/requirement.ts";
import { AppError, invalidField } from "../../../platform/app-error.ts";
import type { Authorizer, GrantedRepository } from "../../policy/domain.ts";

/** Throws `validation_failed` on `repository` for one that the actor does not see, and what the authorizer throws. */
export async function repositoryNamed(
  authorizer: Pick<Authorizer, "authorizeRepository">,
  { actor, requirement }: { actor: Actor; requirement: Requirement },
  fullName: string,
): Promise<GrantedRepository> {
  const [owner = "", name = ""] = fullName.split("/");
  try {
    return await authorizer.authorizeRepository(actor, requirement, { owner, name });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "not_found") throw error;
    throw invalidField("repository", "unknown", "There is no such repository, or you cannot see it.");
  }
}
