/** The operations of the OpenAPI document as this server hands it out, each with an address that names what exists. */
import type { ApiServer } from "../../support/api-server.ts";
import { neededQuery } from "../../support/openapi-operations.ts";
import type { Target } from "./expected.ts";

export interface Operation {
  id: string;
  method: string;
  /** A read of something that exists. */
  isRead: boolean;
  /** It starts a Git process. */
  isExpensive: boolean;
  /** With what its query must have. */
  pathFor(target: Target): string;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { pattern?: string; anyOf?: { pattern?: string }[] };
}

/** Reads of what is in no place here (an open offer, single sign-on, work in Temporal, a CODEOWNERS file, a merge request, a discussion), or that the server takes one at a time. */
const notHere = new Set([
  "getTransfer",
  "getPatch",
  "getSso",
  "getWork",
  "getMirror",
  "listCodeOwnersErrors",
  "listMirrorSyncs",
  "listSecretUses",
  "listOrganizationSecretUses",
  "listInstanceSecretUses",
  "getEnvironment",
  "listDeployments",
  "getDeploymentStatistics",
  "listEnvironmentVariables",
  "listEnvironmentSecrets",
  "listEnvironmentSecretUses",
  "getUpkeepSchedule",
  "getMergeRequest",
  "getMergeRequestSubscription",
  "listMergeRequestCommits",
  "listMergeRequestFiles",
  "listMergeRequestComments",
  "getMergeRequestApprovals",
  "listMergeRequestChecks",
  "listMergeRequestTimeline",
  "getViewedFiles",
  "getChangesSince",
  "listFilesChangedSince",
  "getPatchSince",
  "listSuggestions",
  "listConflicts",
  "getConflict",
  "listReviews",
  "listReviewers",
  "listThreads",
  "listMergeRequestReactions",
  "listReviewReactions",
  "listDiscussionReactions",
  "getDiscussion",
  "listDiscussionReplies",
  "verifyAuditLog",
  "verifyInstanceAuditLog",
]);

const startsGit = new Set([
  "compareCommits",
  "getBlame",
  "getBranch",
  "getForkSync",
  "getAuditStream",
  "getInstanceAuditStream",
  "getCommit",
  "getTag",
  "getTarball",
  "getZipball",
  "listBranches",
  "listChangedFiles",
  "listCommits",
  "listTags",
]);

/** What the fixtures hold under these names. */
const fixed: Record<string, string> = {
  org: "acme",
  username: "mia",
  bot: "idle",
  branch: "main",
  ref: "main",
  sha: "main",
  basehead: "main...main",
  path: "README.md",
  name: "v1",
  schedule: "remove_old_events",
  environment: "production",
  number: "1",
  column: "open",
  reaction: "heart",
};

export async function documentedOperations(server: ApiServer): Promise<Operation[]> {
  const { json } = await server.api("GET", "/openapi.json");
  const paths = json.paths as Record<
    string,
    Record<string, { operationId?: string; parameters?: Parameter[] }>
  >;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [] }]) =>
      operationId === undefined ? [] : [operation(operationId, method, { path, parameters })],
    ),
  );
}

function operation(id: string, method: string, at: { path: string; parameters: Parameter[] }): Operation {
  const inPath = at.parameters.filter((parameter) => parameter.in === "path");
  const values = inPath.map((parameter) => [parameter.name, valueOf(parameter)] as const);
  const namesNothing = values.some(([, value]) => value !== undefined && /_0{26}$/.test(value));
  return {
    id,
    method: method.toUpperCase(),
    isRead: method === "get" && !namesNothing && !notHere.has(id),
    isExpensive: startsGit.has(id),
    pathFor({ place, team }) {
      const names: Record<string, string> = { owner: place.owner, repo: place.repo, team };
      const path = at.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = names[name] ?? values.find(([known]) => known === name)?.[1];
        if (value === undefined) throw new Error(`${id}: nothing is known for {${name}}`);
        return encodeURIComponent(value);
      });
      return path + neededQuery(at.parameters);
    },
  };
}

/** An id that looks right and names nothing, except for runs, of which each repository has number 1. */
function valueOf({ name, schema }: Parameter): string | undefined {
  if (!["id", "job", "delivery", "artifact", "test", "review", "thread"].includes(name)) return fixed[name];
  const pattern = schema.pattern ?? schema.anyOf?.[0]?.pattern;
  const prefix = /^\^([a-z]+)_\[/.exec(pattern ?? "")?.[1];
  return prefix === undefined ? "1" : `${prefix}_${"0".repeat(26)}`;
}
