/** What jobs of a run were given, for whoever looks into what a job could have done with it. */
import type { JobCredentials } from "@forgeline/schemas/secrets/credentials.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryRef } from "../../policy/domain.ts";
import * as store from "./credentials.store.ts";

export interface CredentialService {
  /** Attempts that were given something. Throws `not_found`. */
  list(repository: RepositoryRef, of: { run: string; job?: string | undefined }): Promise<JobCredentials[]>;
}

export function createCredentialService({ db }: { db: Database }): CredentialService {
  return {
    async list({ id }, { run, job = null }) {
      const rows = await store.listOfRun(db, id, { run, job });
      if (rows.length === 0) throw new AppError("not_found");
      const attempts = new Map<string, JobCredentials>();
      for (const row of rows) addTo(attempts, row);
      return [...attempts.values()];
    },
  };
}

function addTo(attempts: Map<string, JobCredentials>, row: store.CredentialRow): void {
  const { job_id: jobId, job, attempt, name, given_at: at } = row;
  if (jobId === null || job === null || attempt === null || name === null || at === null) return;
  const key = `${jobId} ${attempt}`;
  const known = attempts.get(key) ?? { job_id: jobId, job, attempt, secrets: [], id_tokens: [] };
  attempts.set(key, known);
  if (row.kind === "secret") known.secrets.push({ name, level: row.level, given_at: at.toISOString() });
  else
    known.id_tokens.push({
      name,
      audience: row.audience ?? "",
      issued_at: at.toISOString(),
      expires_at: (row.expires_at ?? at).toISOString(),
    });
}
