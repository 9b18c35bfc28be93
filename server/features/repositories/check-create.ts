/** Rules of a new repository that the shape of the body cannot say; all problems are told at once. */
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { RepositoryCreate } from "@forgeline/schemas/repositories/resource.ts";
import { isSafeRefName, zeroId } from "../../git/names.ts";
import { AppError } from "../../platform/app-error.ts";
import { judgeUpdates } from "../pushes/judge.ts";
import type { ChosenTemplates } from "./first-files.ts";

const listOf = { license: "GET /licenses", gitignore: "GET /gitignore-templates" };

/** Gives the visibility; throws `validation_failed`. */
export function checkCreate(
  wanted: RepositoryCreate,
  username: string,
  unknownTemplates: ChosenTemplates["unknown"],
): "private" | "public" {
  const errors: FieldError[] = [];
  const refuse = (field: string, code: string, message: string) => errors.push({ field, code, message });
  const visibility = wanted.visibility ?? (wanted.private === false ? "public" : "private");
  if (wanted.private !== undefined && wanted.private !== (visibility !== "public"))
    refuse("private", "contradiction", "This does not agree with `visibility`.");
  if (visibility === "internal")
    refuse("visibility", "not_allowed", "`internal` needs an organization as the owner.");
  if (wanted.owner !== undefined && wanted.owner.toLowerCase() !== username.toLowerCase())
    refuse("owner", "not_allowed", "This is no organization in which you can create repositories.");
  if (!isBranchName(wanted.default_branch))
    refuse("default_branch", "invalid", "This is not a valid branch name.");
  for (const field of unknownTemplates)
    refuse(
      field,
      "unknown",
      `There is no \`${wanted[field] ?? ""}\`; \`${listOf[field]}\` lists what there is.`,
    );
  if (errors.length > 0) throw new AppError("validation_failed", { errors });
  return visibility as "private" | "public";
}

function isBranchName(name: string): boolean {
  const update = { ref: `refs/heads/${name}`, before: zeroId, after: "1".repeat(40) };
  return isSafeRefName(name) && judgeUpdates([update], "").length === 0;
}
