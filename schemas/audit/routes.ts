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
  actor: z.string().min(1).max(300).optional().describe("Name of the actor; case-insensitive."),
  action: z
    .string()
    .regex(/^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/, "must be a kind such as repo.create, or repo.*")
    .optional()
    .describe("An action, or all actions of a category: `repo.*`."),
  target: z
    .string()
    .regex(/^(repo|team):[^/\s]{1,100}\/\S{1,1000}$/, "must be repo:<org>/<repo> or team:<org>/<team>")
    .optional()
    .describe("`repo:<org>/<repo>` or `team:<org>/<team>`, by its current name or its name at the time."),
  since: time.optional().describe("At this time or later; a date means its start in UTC."),
  until: time.optional().describe("At this time or earlier; a date includes the whole day in UTC."),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Text in the actor's, action's or target's name, the address or the details; case-insensitive.",
    ),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const AuditProofQuery = z.strictObject({
  cursor: z
    .string()
    .max(1000)
    .regex(/^[\w-]+\.[\w-]+$/)
    .optional()
    .describe("`next` of the previous response; signed, so that verification continues from there."),
  limit: wholeNumber({ min: 1, max: 100_000 })
    .prefault(100_000)
    .describe("Maximum number of entries to check per request."),
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
    "Actions on the organization and on what it owns. Actions of members on their own accounts are included with kind, time and actor, but without address and details.",
});

export const verifyAuditLog = route({
  ...verify,
  ...ofOrganization,
  id: "verifyAuditLog",
  path: "/orgs/:org/audit-log/verify",
  summary: "Verify that no audit entry of an organization was changed, added or removed",
  description:
    "Recomputes the hash chain and compares it with the stored one, and with a signed checkpoint stored outside the database. A long chain takes several requests: while `valid` is null, repeat with `cursor` set to `next`. Returns 503 with `Retry-After` while two verifications are already running.",
});

export const listInstanceAuditLog = route({
  ...list,
  ...ofInstance,
  id: "listInstanceAuditLog",
  path: "/admin/audit-log",
  summary: "Audit entries of the instance, newest first",
  description: "Entries that belong to no organization: user accounts, what users own, and the instance.",
});

export const verifyInstanceAuditLog = route({
  ...verify,
  ...ofInstance,
  id: "verifyInstanceAuditLog",
  path: "/admin/audit-log/verify",
  summary: "Verify the instance's audit log",
});
