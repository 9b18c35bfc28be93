/** Rules for a new repository that the schema of the body cannot express; all problems are reported at once. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { RepositoryCreate, Visibility } from "@forgeline/schemas/repositories/resource.ts";
import { isSafeRefName, zeroId } from "../../../platform/git/refs/names.ts";
import { invalidFields } from "../../../platform/app-error.ts";
import { checkRefUpdates } from "../pushes/check-ref-updates.ts";
import type { ChosenTemplates } from "./first-files.ts";

const listOf = { license: "GET /licenses", gitignore: "GET /gitignore-templates" };

export interface NewOwner {
  id: string;
  name: string;
  kind: "user" | "org";
}

/** `owner` is undefined where the actor may not create. Throws `validation_failed`. */
export function checkCreate<Owner extends NewOwner>(
  wanted: RepositoryCreate,
  owner: Owner | undefined,
  unknownTemplates: ChosenTemplates["unknown"],
): { owner: Owner; visibility: Visibility } {
  const errors: FieldError[] = [];
  const refuse = (field: string, code: string, message: string) => errors.push({ field, code, message });
  const visibility = wanted.visibility ?? (wanted.private === false ? "public" : "private");
  if (visibility === "internal" && owner?.kind === "user")
    refuse("visibility", "not_allowed", "`internal` requires an organization as the owner.");
  if (!owner)
    refuse("owner", "not_allowed", "This is not an organization in which you can create repositories.");
  if (!isBranchName(wanted.default_branch))
    refuse("default_branch", "invalid", "This is not a valid branch name.");
  for (const field of unknownTemplates)
    refuse(
      field,
      "unknown",
      `\`${wanted[field] ?? ""}\` does not exist; \`${listOf[field]}\` lists the choices.`,
    );
  if (errors.length > 0 || !owner) throw invalidFields(errors);
  return { owner, visibility };
}

export function isBranchName(name: string): boolean {
  const update = { ref: `refs/heads/${name}`, before: zeroId, after: "1".repeat(40) };
  return isSafeRefName(name) && checkRefUpdates([update], "").length === 0;
}
