/** Operations on the stream of an audit log: that of an organization, and the instance's. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { route } from "../core/route.ts";
import { AuditStream, AuditStreamSet, AuditStreamTest } from "./resource.ts";

const params = z.strictObject({ org: ownerName });
const ofOrganization = { tag: "organizations", access: "org_owner", scope: "org:admin", params } as const;
const ofInstance = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

const get = { method: "get", status: 200, response: AuditStream, errors: [] } as const;
const set = {
  method: "put",
  body: AuditStreamSet,
  status: 200,
  response: AuditStream,
  errors: ["conflict"],
  description:
    "The first time with one target: `url` and `token`, `bucket`, or `syslog`. Later, what is left out stays as it is. Entries go out in the order of their `seq`, at most 100 at a time, and the next ones only once these were accepted; what fails is tried again for as long as it takes. A receiver may get an entry more than once, always with the same `id`.",
} as const;
const remove = { method: "delete", status: 204, errors: [] } as const;
const test = {
  method: "post",
  status: 200,
  response: AuditStreamTest,
  errors: [],
  description:
    "Sends one entry that is not in the log, with the action `audit.stream_test` and `seq` null, and says whether the target accepted it. Nothing else is sent, also to a stream that is paused.",
} as const;

const path = "/orgs/:org/audit-log/stream";
const instancePath = "/admin/audit-log/stream";

/** Without a parameter, of which it would be said by itself. */
const notStreamed = { errors: ["not_found"] } as const;

export const getAuditStream = route({
  ...get,
  ...ofOrganization,
  id: "getAuditStream",
  path,
  summary: "Where an organization's audit log is sent, and how far it is",
  description: "404 if it is sent nowhere.",
});

export const setAuditStream = route({
  ...set,
  ...ofOrganization,
  id: "setAuditStream",
  path,
  summary: "Send an organization's audit log to a target as it grows, or change that",
});

export const deleteAuditStream = route({
  ...remove,
  ...ofOrganization,
  id: "deleteAuditStream",
  path,
  summary: "Send an organization's audit log no more",
});

export const testAuditStream = route({
  ...test,
  ...ofOrganization,
  id: "testAuditStream",
  path: `${path}/test`,
  summary: "Try the target of an organization's audit log",
});

export const getInstanceAuditStream = route({
  ...get,
  ...ofInstance,
  ...notStreamed,
  id: "getInstanceAuditStream",
  path: instancePath,
  summary: "Where the instance's audit log is sent, and how far it is",
  description: "404 if it is sent nowhere.",
});

export const setInstanceAuditStream = route({
  ...set,
  ...ofInstance,
  id: "setInstanceAuditStream",
  path: instancePath,
  summary: "Send the instance's audit log to a target as it grows, or change that",
});

export const deleteInstanceAuditStream = route({
  ...remove,
  ...ofInstance,
  ...notStreamed,
  id: "deleteInstanceAuditStream",
  path: instancePath,
  summary: "Send the instance's audit log no more",
});

export const testInstanceAuditStream = route({
  ...test,
  ...ofInstance,
  ...notStreamed,
  id: "testInstanceAuditStream",
  path: `${instancePath}/test`,
  summary: "Try the target of the instance's audit log",
});
