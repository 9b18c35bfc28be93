/**
 * Secrets of jobs: judged before a job is queued, and again when a runner takes it, since both a secret and the rights of whoever
 * started the run may have changed in between. The values leave the database here, and go to the runner and nowhere else.
 */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSecrets } from "@forgeline/schemas/runner-protocol/lease-secrets.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import { reasonSentence } from "../runs/reasons.ts";
import * as store from "./job-secrets.store.ts";
import { refusalOf, refusalOfIdTokens, type SecretLimits } from "./judge-secret.ts";
import { dropOldValues } from "./secrets.store.ts";
import { neededSecrets } from "./needed-secrets.ts";

/** All values of one job together: they travel in one message, and as environment of each step. */
const maxJobBytes = 512 * 1024;

/** Why a job cannot have what it needs. */
export interface SecretRefusal {
  reason: string;
  message: string;
}

export interface SecretOwner {
  pipelineId: string;
  stage: string;
  job: PlanJob;
}

interface Judged {
  given: store.SecretRow[];
  refusal: SecretRefusal | null;
}

async function judge(db: Queryable, { pipelineId, stage, job }: SecretOwner): Promise<Judged> {
  const needed = neededSecrets(job);
  const nothing = { given: [], refusal: null };
  if (needed.length === 0 && !job.idTokens) return nothing;
  const environment = job.environment?.name ?? null;
  const run = await store.findRun(db, pipelineId, environment);
  if (!run) return nothing;
  const { name: event, branch, tag } = run.event;
  const ofTokens = job.idTokens ? refusalOfIdTokens(run) : null;
  if (ofTokens !== null) return { given: [], refusal: { reason: "id_token_refused", message: ofTokens } };
  const names = needed.map(({ name }) => name);
  const found = await store.findSecrets(db, pipelineId, { names, environment });
  const rows = new Map(found.map((row) => [row.name, row]));
  const missing = names.filter((name) => !rows.has(name));
  const elsewhere = await findElsewhere(db, pipelineId, missing);
  const facts = { ...run, event, branch, tag, stage, environment, elsewhere };
  const given: store.SecretRow[] = [];
  for (const one of needed) {
    const row = rows.get(one.name);
    const message = refusalOf(row && limitsOf(row), one, facts);
    if (message === null && row) given.push(row);
    else if (!one.optional)
      return { given: [], refusal: { reason: `secret_missing:${one.name}`, message: message ?? "" } };
  }
  return { given, refusal: refusalOfSize(given) };
}

/** Costs a statement only where a job lacks a secret. */
async function findElsewhere(db: Queryable, pipelineId: string, names: readonly string[]) {
  const rows = names.length === 0 ? [] : await store.findInEnvironments(db, pipelineId, names);
  return new Map(rows.map(({ name, environments }) => [name, environments ?? []]));
}

function limitsOf({ event_names: events, stage_globs: stages, ...row }: store.SecretRow): SecretLimits {
  return { ...row, events, stages };
}

function refusalOfSize(given: readonly store.SecretRow[]): SecretRefusal | null {
  const bytes = given.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes <= maxJobBytes) return null;
  const message = `The secrets of the job come to ${bytes} bytes; a job can have at most ${maxJobBytes}.`;
  return { reason: "config", message };
}

function refusalFor(name: string): SecretRefusal {
  const reason = `secret_missing:${name}`;
  return { reason, message: reasonSentence(reason) ?? "" };
}

/** null: it may be queued. */
export async function refusalOfSecrets(db: Queryable, owner: SecretOwner): Promise<SecretRefusal | null> {
  return (await judge(db, owner)).refusal;
}

export interface JobSecrets {
  /** For a runner that takes the attempt; each use is recorded. */
  give(tx: Transaction, owner: SecretOwner & { attemptId: string }): Promise<LeaseSecrets>;
  /** Again for a runner that was restarted: the same values, whatever the secrets are by now. */
  giveAgain(db: Queryable, owner: SecretOwner & { attemptId: string }): Promise<LeaseSecrets>;
}

export function createJobSecrets(encryption: Encryption): JobSecrets {
  const opened = (rows: readonly store.GivenRow[]) =>
    Object.fromEntries(rows.map(({ name, valueId, sealed }) => [name, encryption.decrypt(valueId, sealed)]));
  return {
    async give(tx, owner) {
      const { given, refusal } = await judge(tx, owner);
      if (refusal) return { refusal };
      if (given.length === 0) return {};
      await store.insertUses(tx, owner.attemptId, given);
      tx.count("forgeline_secrets_given_total", {}, given.length);
      await dropOldValues(tx);
      return { secrets: opened(given) };
    },
    async giveAgain(db, { attemptId, job }) {
      const needed = neededSecrets(job);
      if (needed.length === 0) return {};
      const secrets = opened(await store.findGiven(db, attemptId));
      // It was refused before, and the message did not arrive.
      const missing = needed.find(({ name, optional }) => !optional && secrets[name] === undefined);
      return missing ? { refusal: refusalFor(missing.name) } : { secrets };
    },
  };
}
