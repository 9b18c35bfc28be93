/** Environments as owners of variables and secrets. */
import { AppError } from "../../../platform/app-error.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import { findEnvironment } from "./environments.store.ts";

export interface EnvironmentOwner {
  repository: RepositoryRef;
  /** Its name. */
  environment: string;
}

/** Throws `not_found`. */
export async function environmentIdOf(
  db: Queryable,
  { repository, environment }: EnvironmentOwner,
): Promise<string> {
  const row = await findEnvironment(db, repository.id, environment);
  if (!row) throw new AppError("not_found");
  return row.id;
}
