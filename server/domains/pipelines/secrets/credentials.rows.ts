/** Made by `node scripts/generate-rows.ts` from the statements of credentials.store.ts; do not edit. */

export interface CredentialsRows {
  listOfRun: {
    job_id: string | null;
    job: string | null;
    attempt: number | null;
    kind: "id_token" | "secret" | null;
    name: string | null;
    level: "environment" | "instance" | "organization" | "repository" | null;
    audience: string | null;
    given_at: Date | null;
    expires_at: Date | null;
  };
}
