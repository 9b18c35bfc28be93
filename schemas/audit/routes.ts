/** Reading and proving the audit log of an organization, and the instance's. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { givenDate, givenTime } from "../core/time.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { AuditEntry, AuditVerification } from "./resource.ts";

const time = z.union([givenTime, givenDate]);

export const AuditQuery = z.strictObject({
  ...PageQuery.shape,
  actor: z.string().min(1).max(300).optional().describe("Name of who did it, whatever its case."),
  action: z
    .string()
    .regex(/^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/, "must be a kind such as repo.create, or repo.*")
    .optional()
    .describe("A kind, or all of a category: `repo.*`."),
  target: z
    .string()
    .regex(/^(repo|team):[^/\s]{1,100}\/\S{1,1000}$/, "must be repo:<org>/<repo> or team:<org>/<team>")
    .optional()
    .describe("`repo:<org>/<repo>` or `team:<org>/<team>`, by its name now or then."),
  since: time.optional().describe("At this time or later; a date is its beginning in UTC."),
  until: time.optional().describe("At this time or earlier; a date is included."),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Text in the actor's, action's or target's name, the address or the details, whatever its case.",
    ),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditProofQuery = z.strictObject({
  cursor: z
    .string()
    .max(1000)
    .regex(/^[\w-]+\.[\w-]+$/)
    .optional()
    .describe("`next` of the answer before; signed, so that the proof goes on from what was proved."),
  limit: wholeNumber({ min: 1, max: 100_000 })
    .prefault(100_000)
    .describe("The most entries to look at before answering."),
});
export type AuditProofQuery = z.output<typeof AuditProofQuery>;

const list = {
  method: "get",
  query: AuditQuery,
  status: 200,
  response: z.array(AuditEntry),
  paginated: true,
  errors: [],
} as const;
const verify = {
  method: "get",
  query: AuditProofQuery,
  status: 200,
  response: AuditVerification,
  errors: [],
} as const;
const ofOrganization = {
  tag: "organizations",
  access: "org_owner",
  scope: "audit:read",
  params: z.strictObject({ org: ownerName }),
} as const;
const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const listAuditLog = route({
  ...list,
  ...ofOrganization,
  id: "listAuditLog",
  path: "/orgs/:org/audit-log",
  summary: "Audit entries of an organization, newest first",
  description:
    "What was done to the organization and what is its own. What its members did to their own accounts is shown too, by kind, time and actor, without address and details.",
});

export const verifyAuditLog = route({
  ...verify,
  ...ofOrganization,
  id: "verifyAuditLog",
  path: "/orgs/:org/audit-log/verify",
  summary: "Prove that no audit entry of an organization was changed, added or taken away",
  description:
    "Computes the chain of hashes anew and compares it with what was linked, and with a signed point that is kept outside the database. A long chain takes several requests: while `valid` is null, ask again with `cursor` set to `next`. 503 with `Retry-After` while two proofs run already.",
});

export const listInstanceAuditLog = route({
  ...list,
  ...ofInstance,
  id: "listInstanceAuditLog",
  path: "/admin/audit-log",
  summary: "Audit entries of the instance, newest first",
  description: "What belongs to no organization: accounts of people, what is theirs, and the instance.",
});

export const verifyInstanceAuditLog = route({
  ...verify,
  ...ofInstance,
  id: "verifyInstanceAuditLog",
  path: "/admin/audit-log/verify",
  summary: "Prove the instance's audit log",
});
