/** Entries of the audit log (`spec.md` 2.7), and what verifying a chain of them says. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const chainSeq = z.number().int().min(1);

export const AuditEntry = z
  .object({
    id: idOf("evt"),
    seq: chainSeq.nullable().describe("Place in the chain; null in the first moment after the action."),
    hash: hash.nullable().describe("SHA-256 over the hash before and this entry; null like `seq`."),
    timestamp,
    actor: z.object({
      id: idOf("usr").nullable().describe("Null for who is no user: a runner, the system, nobody signed in."),
      username: z.string(),
      ip_address: z.string().nullable(),
    }),
    action: z.string(),
    target: z.object({ type: z.string(), id: z.string(), name: z.string() }),
    details: z.record(z.string(), z.unknown()),
    user_agent: z.string().nullable(),
    geo: z
      .object({
        country: z.string().nullable().describe("ISO 3166-1 alpha-2."),
        region: z.string().nullable(),
        city: z.string().nullable(),
      })
      .nullable()
      .describe("Where the address is; null without a database of places, or where it does not know."),
    request_id: z.string().nullable().describe("`X-Request-Id` of the request that did it."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

const point = z.object({ seq: chainSeq, hash, at: timestamp });

export const AuditVerification = z
  .object({
    valid: z
      .boolean()
      .nullable()
      .describe("Null while nothing wrong was found and there is more to prove: go on with `next`."),
    entries: z
      .number()
      .int()
      .describe("Entries of the chain proved so far, by this answer and those before."),
    head: point.nullable().describe("The last entry's; keep it, and compare it with a later answer."),
    checkpoint: point
      .nullable()
      .describe("The signed point outside the database that the chain was compared with."),
    problem: z
      .object({
        code: z.enum([
          "entry_changed",
          "entry_missing",
          "link_missing",
          "entry_unlinked",
          "head_differs",
          "checkpoint_differs",
          "checkpoint_forged",
        ]),
        seq: chainSeq.nullable(),
        id: z.string().nullable().describe("Of the entry, where it is known."),
        message: z.string(),
      })
      .nullable()
      .describe("The first problem found; null for a valid chain."),
    next: z.string().nullable().describe("The `cursor` to go on with; null when the proof has ended."),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.infer<typeof AuditVerification>;
