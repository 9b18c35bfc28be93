/** Operations on exports of an audit log: that of an organization, and the instance's. */
import { z } from "zod";
import { idOf, ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { AuditExport, AuditExportCreate, maxOpenExports } from "./resource.ts";

const org = z.strictObject({ org: ownerName });
const one = z.strictObject({ id: idOf("exp") });
const ofOrganization = { tag: "organizations", access: "org_owner", scope: "audit:read" } as const;
const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

const create = {
  method: "post",
  body: AuditExportCreate,
  status: 202,
  response: AuditExport,
  errors: ["conflict"],
} as const;
const list = {
  method: "get",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(AuditExport),
  errors: [],
} as const;
const get = { method: "get", status: 200, response: AuditExport, errors: [] } as const;
const remove = { method: "delete", status: 204, errors: [] } as const;

const about = `Entries that match, oldest first, as they were when it began. A worker writes the file; look at its record until it is done. At most ${maxOpenExports} at a time.`;

export const createAuditExport = route({
  ...create,
  ...ofOrganization,
  id: "createAuditExport",
  path: "/orgs/:org/audit-log/exports",
  summary: "Export entries of an organization's audit log to a file",
  description: about,
  params: org,
});

export const listAuditExports = route({
  ...list,
  ...ofOrganization,
  id: "listAuditExports",
  path: "/orgs/:org/audit-log/exports",
  summary: "Exports of an organization's audit log, newest first; kept for 30 days",
  params: org,
});

export const getAuditExport = route({
  ...get,
  ...ofOrganization,
  id: "getAuditExport",
  path: "/orgs/:org/audit-log/exports/:id",
  summary: "One export, with an address of its file",
  params: z.strictObject({ ...org.shape, ...one.shape }),
});

export const deleteAuditExport = route({
  ...remove,
  ...ofOrganization,
  id: "deleteAuditExport",
  path: "/orgs/:org/audit-log/exports/:id",
  summary: "Stop an export, and remove its file",
  params: z.strictObject({ ...org.shape, ...one.shape }),
});

export const createInstanceAuditExport = route({
  ...create,
  ...ofInstance,
  id: "createInstanceAuditExport",
  path: "/admin/audit-log/exports",
  summary: "Export entries of the instance's audit log to a file",
  description: about,
});

export const listInstanceAuditExports = route({
  ...list,
  ...ofInstance,
  id: "listInstanceAuditExports",
  path: "/admin/audit-log/exports",
  summary: "Exports of the instance's audit log, newest first; kept for 30 days",
});

export const getInstanceAuditExport = route({
  ...get,
  ...ofInstance,
  id: "getInstanceAuditExport",
  path: "/admin/audit-log/exports/:id",
  summary: "One export of the instance's audit log, with an address of its file",
  params: one,
});

export const deleteInstanceAuditExport = route({
  ...remove,
  ...ofInstance,
  id: "deleteInstanceAuditExport",
  path: "/admin/audit-log/exports/:id",
  summary: "Stop an export of the instance's audit log, and remove its file",
  params: one,
});

export const downloadAuditExport = route({
  tag: "organizations",
  access: "public",
  id: "downloadAuditExport",
  method: "get",
  path: "/audit-log/exports/:id/file",
  summary: "The file of an export, at the address of its record",
  description:
    "403 for an address that has expired, 404 for one that is not ours. The file is not compressed.",
  params: one,
  query: z.strictObject({
    expires: z.string().max(20).default("").describe("As in `download_url`."),
    signature: z.string().max(100).default("").describe("As in `download_url`."),
  }),
  status: 200,
  alternatives: ["application/octet-stream", "application/x-ndjson", "text/csv"],
  errors: ["forbidden"],
});
