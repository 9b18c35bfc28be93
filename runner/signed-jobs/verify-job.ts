/** Whether a lease says exactly what a trusted key has signed. Pure. */
import { createHash, verify } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { JobStatement } from "@forgeline/schemas/runner-protocol/job-statement.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { signedJobPrefix, type SignedJob } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import { firstDifference } from "./first-difference.ts";
import { mayServe, type TrustedKey } from "./trusted-keys.ts";

export type Verdict =
  /** The lease with all that was signed taken from the signed text. */
  | { ok: true; spec: LeaseSpec; statement: JobStatement }
  /** A sentence for people. */
  | { ok: false; why: string };

/** A text that no honest server signs would be refused anyway; this keeps it from being parsed. */
const maxPayloadLength = 16 * 1024 * 1024;

/** `nowMs`: 0 for a job that was begun in time. */
export function verifyJob(spec: LeaseSpec, keys: readonly TrustedKey[], nowMs: number): Verdict {
  const { signed } = spec;
  if (!signed) return refused("it is not signed: no key signed jobs of its repository when it was queued");
  if (signed.payload.length > maxPayloadLength) return refused("its signed text is too long");
  const signers = keys.filter((key) => isSignedBy(signed, key));
  if (signers.length === 0) return refused("no key that this runner trusts has signed it");
  const statement = readStatement(signed.payload);
  if (!statement) return refused("what was signed is not a job that this runner understands");
  const repository = { id: statement.repositoryId, name: statement.repository };
  if (!signers.some((key) => mayServe(key, repository)))
    return refused(`this runner does not trust its key for jobs of ${statement.repository}`);
  const changed = whatChanged(spec, statement);
  if (changed !== null) return refused(`it was changed after it was signed (${changed})`);
  if (statement.validUntilMs < nowMs) return refused("its signature has expired");
  return { ok: true, spec: signedSpec(spec, statement), statement };
}

const refused = (why: string): Verdict => ({ ok: false, why });

function isSignedBy({ payload, signatures }: SignedJob, { key }: TrustedKey): boolean {
  const text = Buffer.from(signedJobPrefix + payload);
  return signatures.some(({ signature }) => verify(null, text, key, Buffer.from(signature, "base64")));
}

function readStatement(payload: string): JobStatement | null {
  try {
    return JobStatement.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** Names of owner and repository may have changed honestly: where they occur, the signed ones are taken. */
const compared = [
  "attemptId",
  "jobId",
  "pipelineId",
  "pipelineNumber",
  "repositoryId",
  "attempt",
  "job",
  "env",
  "needs",
  "matrix",
] as const;

function whatChanged(spec: LeaseSpec, statement: JobStatement): string | null {
  for (const field of compared) {
    const where = firstDifference(spec[field], statement[field]);
    if (where !== null) return `${field}${where}`;
  }
  const { changedPaths, ...event } = spec.event;
  const where = firstDifference(event, statement.event);
  if (where !== null) return `event${where}`;
  const hash = createHash("sha256").update(JSON.stringify(changedPaths)).digest("hex");
  if (hash !== statement.changedPathsHash) return "event.changedPaths";
  const { ref, sha } = statement.clone;
  return isDeepStrictEqual([spec.clone.ref, spec.clone.sha], [ref, sha]) ? null : "clone";
}

function signedSpec(spec: LeaseSpec, statement: JobStatement): LeaseSpec {
  const { version: _, repository: _name, signedAtMs: _at, validUntilMs: _until, ...rest } = statement;
  const { changedPathsHash: _hash, event, ciEnv, ...signed } = rest;
  return {
    ...spec,
    ...signed,
    event: { ...event, changedPaths: spec.event.changedPaths },
    ciEnv: { ...ciEnv, ...traceOf(spec), CI_JOB_TOKEN: spec.token },
  };
}

/** Ids of a trace, which execute nothing; the server names them with the lease. */
function traceOf({ ciEnv }: LeaseSpec): { TRACEPARENT?: string } {
  const parent = ciEnv["TRACEPARENT"];
  return parent !== undefined && /^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/.test(parent)
    ? { TRACEPARENT: parent }
    : {};
}
