/** Environments as owners of variables and secrets. */
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { findId } from "./environments.store.ts";

export interface EnvironmentOwner {
  repository: RepositoryRef;
  /** Its name. */
  environment: string;
}

/** Throws `not_found`, with how one is created. */
export async function environmentIdOf(
  db: Queryable,
  { repository, environment }: EnvironmentOwner,
): Promise<string> {
  const id = await findId(db, repository.id, environment);
  if (id === null) {
    const message = `There is no environment ${environment} in ${repository.owner}/${repository.name}. Create it (forgeline environment create ${environment}, or Environments in the web interface); the first job that deploys there creates it too.`;
    throw new AppError("not_found", { message });
  }
  return id;
}
