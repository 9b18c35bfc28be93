/** Decides about operations that are not about a single repository or organization. */
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/access/actor.ts";
import { forbiddenBut } from "./forbidden-but.ts";
import { refuseLimitedToken, requireScopes, type Requirement } from "../../platform/access/requirement.ts";

/** Throws `unauthorized`, `insufficient_scope`, `forbidden`. */
export function decideInstance(actor: Actor, requirement: Requirement): void {
  if (requirement.access === "public") return;
  if (actor.kind === "anonymous") throw new AppError("unauthorized");
  if (actor.kind === "runner" || actor.kind === "job" || actor.kind === "deploy_key")
    throw new AppError("forbidden");
  if (actor.kind === "bot" && requirement.access === "user" && requirement.bots !== "allowed")
    throw new AppError("forbidden", { message: "Bots cannot do this." });
  requireScopes(actor, requirement);
  refuseLimitedToken(actor, requirement);
  if (requirement.access === "instance_admin" && !actor.isAdmin)
    throw forbiddenBut("Administrators of the instance may.");
}
