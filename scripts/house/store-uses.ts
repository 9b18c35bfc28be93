/** Where a noun of a domain calls the store of another one: usually it asks a service, so the few are listed. */
import { posix } from "node:path";
import { parseModule } from "../parse-module.ts";

const ofRow = "it is a column of the repository's row, written together with what it is derived from";
const ofTransfer = "a transfer holds, changes and shows the very row of the repository";

const fragments =
  "fragments of SQL: claims and reasons of waiting jobs must mean the same by a fitting runner";

const starter = "a fragment of SQL: who began a run is the same person in mails and in histories";

const reacted = "a fragment of SQL: reactions come with the text that they are about, in its statement";
const ofMail =
  "fragments of SQL: a mail says what the entry in the inbox does, and is sent as long as that holds";

/** By domain and noun, then by what lies in the domain: why no service is between them. */
const ofItem = "a fragment of SQL: what is shown of a work item is the same for issues and merge requests";

const ofSearch = "a fragment of SQL: a query finds the same wherever it is asked";

export const storeUses: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "automation/events": {
    "webhooks/deliveries.store.ts": "deliveries are removed before the events that they show, by one task",
    "webhooks/webhooks.store.ts": "as above: a deleted webhook goes after its deliveries",
  },
  "automation/push-mirrors": {
    "mirrors/syncs.store.ts": "syncs of both kinds of mirrors are one history, with one life",
  },
  "collaboration/boards": {
    "search/conditions.store.ts": ofSearch,
    "work-items/columns.store.ts": ofItem,
  },
  "collaboration/issues": { "search/conditions.store.ts": ofSearch, "work-items/columns.store.ts": ofItem },
  "collaboration/merge-requests": {
    "search/conditions.store.ts": ofSearch,
    "work-items/columns.store.ts": ofItem,
  },
  "collaboration/search": { "work-items/columns.store.ts": ofItem },
  "collaboration/notification-mails": { "notifications/columns.store.ts": ofMail },
  "collaboration/comments": { "reactions/columns.store.ts": reacted },
  "collaboration/discussions": { "reactions/columns.store.ts": reacted },
  "collaboration/work-items": { "reactions/columns.store.ts": reacted },
  "collaboration/reviews": { "reactions/columns.store.ts": reacted },
  "hosting/pushes": { "repositories/derived.store.ts": ofRow },
  "hosting/repositories": {
    "collaborators/collaborators.store.ts":
      "the creator's rights, and those that a new owner no longer needs, are written with the repository",
  },
  "hosting/repository-transfers": {
    "repositories/repositories.store.ts": ofTransfer,
    "repositories/settings.store.ts": ofTransfer,
  },
  "hosting/statistics": { "repositories/derived.store.ts": ofRow },
  "hosting/storage": { "repositories/derived.store.ts": ofRow },
  "organizations/bots": {
    "teams/member.store.ts":
      "deleting an organization retires its bots, and teams are built on organizations",
  },
  "organizations/organization-members": {
    "invitations/invitations.store.ts": "who joins needs no invitation, and invitations are built on members",
  },
  "organizations/organizations": {
    "organization-members/organization-members.store.ts":
      "the creator is the first owner, and members are built on organizations",
  },
  "pipelines/approvals": {
    "environments/going-back.store.ts":
      "a fragment of SQL: approvers are told the same by mail and wherever they look, that a run goes back",
    "environments/newer.store.ts":
      "a fragment of SQL: who approves is warned of exactly what an environment would refuse",
    "runs/run-record.store.ts": "a decision is a change of the run that its row alone tells of",
    "runs/starter.store.ts": starter,
  },
  "pipelines/environments": { "runs/starter.store.ts": starter },
  "pipelines/leases": {
    "placements/placed.store.ts": fragments,
    "runners/fits.store.ts": fragments,
    "runs/run-record.store.ts": "a run's row is locked before that of an attempt, in the same transaction",
  },
  "pipelines/merge-request-runs": {
    "runs/counted-runs.store.ts": "a fragment of SQL: checks and merges must mean the same runs of a commit",
  },
  "pipelines/runners": { "placements/placed.store.ts": fragments },
  "pipelines/runs": { "placements/placed.store.ts": fragments, "runners/fits.store.ts": fragments },
};

const ofNoun = /^server\/domains\/(\w[\w-]*)\/(\w[\w-]*)\//;

/** Stores of other nouns from which `source` imports values (not types), as paths in the domain; `file` from the root. */
export function foreignStoresIn(file: string, source: string): string[] {
  const [own, domain] = ofNoun.exec(file) ?? [];
  if (own === undefined) return [];
  const { module } = parseModule(file, source);
  return module.staticImports
    .filter(({ entries }) => entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => posix.join(posix.dirname(file), moduleRequest.value))
    .filter((to) => to.endsWith(".store.ts") && ofNoun.exec(to)?.[1] === domain && !to.startsWith(own))
    .map((to) => to.slice(`server/domains/${domain}/`.length));
}
