/** Entries of the audit log (`spec.md` 2.7), and what verifying a chain of them says. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const chainSeq = z.number().int().min(1);

export const AuditEntry = z
  .object({
    id: idOf("evt"),
    seq: chainSeq.nullable().describe("Position in the chain; null for a moment after the action."),
    hash: hash.nullable().describe("SHA-256 of the previous hash and this entry; null while `seq` is."),
    timestamp,
    actor: z.object({
      id: idOf("usr")
        .nullable()
        .describe("Null if the actor is not a user: a runner, the system, or an anonymous client."),
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
    request_id: z.string().nullable().describe("`X-Request-Id` of the request that caused it."),
  })
  .meta({ id: "AuditEntry" });
export type AuditEntry = z.infer<typeof AuditEntry>;

const point = z.object({ seq: chainSeq, hash, at: timestamp });

export const AuditVerification = z
  .object({
    valid: z
      .boolean()
      .nullable()
      .describe("Null while no problem was found and there is more to verify: continue with `next`."),
    entries: z
      .number()
      .int()
      .describe("Entries of the chain verified so far, by this response and earlier ones."),
    expired: z
      .number()
      .int()
      .describe(
        "How many of them were removed because their time was over. Signed anchors stand in their place.",
      ),
    head: point.nullable().describe("Hash of the last entry; keep it to compare with a later response."),
    checkpoint: point
      .nullable()
      .describe("The signed checkpoint outside the database that the chain was compared with."),
    problem: z
      .object({
        code: z.enum([
          "entry_changed",
          "entry_missing",
          "link_missing",
          "entry_unlinked",
          "anchor_forged",
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
    next: z
      .string()
      .nullable()
      .describe("The `cursor` to continue with; null when verification is complete."),
  })
  .meta({ id: "AuditVerification" });
export type AuditVerification = z.infer<typeof AuditVerification>;
