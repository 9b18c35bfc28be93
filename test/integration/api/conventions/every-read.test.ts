/**
 * What holds for every read of the API, whoever adds it: lists have pages, an unchanged answer costs less than a new one,
 * and a plain read is one or two SQL statements, for members of an organization's team as for its owners.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { startApiServer, type ApiAnswer, type ApiServer } from "../../../support/api-server.ts";
import { markHeader, watchStatements, type StatementWatch } from "../../../support/count-statements.ts";
import { isFull } from "../../../support/size.ts";
import { documentedOperations } from "../../../support/openapi-operations.ts";

/**
 * Most statements of a read, where it is more than two, or than three for a list, which is also counted: what was measured, so
 * that none grows unnoticed. People behind e-mail addresses and what protects a ref are looked up once for all that is
 * shown.
 */
const moreStatements: Record<string, number> = {
  compareCommits: 3,
  getBlame: 3,
  getBranch: 4,
  getCommit: 3,
  getCommitStatistics: 3,
  getDependencyGraph: 4,
  getLanguageStatistics: 3,
  getOrganizationMember: 3,
  // Repositories, and attachments of teams.
  getOrganizationStorage: 5,
  getStorageUse: 3,
  getOwnOrganizationLimits: 3,
  getOwnStorage: 3,
  // One for each kind of what is encrypted.
  getInstanceKeys: 11,
  // The member of a team is one more question than the owner.
  getPipelineBadge: 3,
  getRepositoryPipelineLimits: 3,
  // Sums of all, by day and by file.
  getPipelineStatistics: 5,
  // What it is about, and the runs; each run is one more.
  exportPipelines: 4,
  exportOrganizationPipelines: 4,
  getOrganizationPipelineStatistics: 4,
  getInstancePipelineStatistics: 3,
  listOrganizationRunnerTime: 4,
  // The runs that are looked at, their jobs and their steps.
  getJobStatistics: 5,
  // Rows and their number.
  getCoverageBadge: 4,
  listCommitAnnotations: 4,
  listCoverage: 4,
  listTests: 4,
  getForkSync: 5,
  getTag: 5,
  getTeam: 3,
  getTeamRouting: 3,
  // The organization and the team, and rows and their number.
  listDiscussions: 4,
  listAuditLog: 4,
  listBranches: 4,
  // Who saved and who used them.
  listCaches: 5,
  listSharedFilters: 4,
  listContributors: 4,
  listBranchProtections: 4,
  listConcurrencyGroups: 4,
  listEnvironments: 4,
  listForks: 4,
  // The member of a team is one more question than the owner.
  getComment: 3,
  // Which merge requests close it.
  getIssue: 4,
  // Whether there is such an issue, and its rows.
  listIssueComments: 4,
  listIssueTimeline: 4,
  listIssues: 4,
  // The rules of the repository are one more.
  listMergeRequests: 5,
  // Whether there is such a merge request, and its people and teams, or its rows.
  listReviewers: 4,
  listReviews: 4,
  listThreads: 5,
  listThreadComments: 4,
  getThread: 3,
  listLabels: 4,
  listBoards: 4,
  // Its entries, batch and runs, and the rule that says how it tests.
  getMergeQueue: 7,
  listIssueReactions: 5,
  listMergeRequestReactions: 5,
  // In a transaction, with a bound of time.
  searchIssues: 4,
  searchMergeRequests: 4,
  listSavedFilters: 4,
  getSubscription: 3,
  getIssueSubscription: 3,
  listTrustedAuthors: 4,
  listMilestones: 4,
  listForkSyncs: 4,
  listOrganizationMembers: 4,
  listPipelines: 4,
  listRepositorySigningKeys: 4,
  listRepositoriesOfUser: 4,
  getRetention: 4,
  listVariables: 4,
  listSecrets: 4,
  listTagProtections: 4,
  listTags: 5,
  listTeamMembers: 5,
  listTeamRepositories: 6,
  searchRepositoryLogs: 3,
  verifyAuditLog: 8,
  verifyInstanceAuditLog: 7,
};

const tokens: Record<string, string> = {};
let server: ApiServer;
let watch: StatementWatch;
let mark = 0;
beforeAll(async () => {
  watch = watchStatements();
  // What others do in Temporal would change answers meanwhile.
  server = await startApiServer({ env: { FORGELINE_TASK_QUEUE: `test-every-read-${process.pid}` } });
  tokens["owner"] = (await server.person("ada", { isAdmin: true })).token;
  tokens["member"] = (await server.person("grace")).token;
  const make = async (method: string, path: string, body: unknown) => {
    const answer = await server.api(method, path, { token: tokens["owner"] ?? "", body });
    expect([path, answer.status < 300]).toEqual([path, true]);
  };
  await make("POST", "/orgs", { name: "analytical" });
  await make("POST", "/orgs/analytical/bots", { name: "deployer", scopes: ["repo:read"] });
  await make("PUT", "/orgs/analytical/members/grace", { role: "member" });
  await make("POST", "/orgs/analytical/teams", { name: "makers" });
  await make("POST", "/orgs/analytical/teams", { name: "engineers", parent: "makers" });
  await make("PUT", "/orgs/analytical/teams/makers%2Fengineers/members/grace", {});
  await make("POST", "/repos", { name: "engine", owner: "analytical", readme: true, private: true });
  await make("PUT", "/orgs/analytical/teams/makers/repos/engine", { permission: "write" });
  await make("POST", "/repos/analytical/engine/tags", { name: "v1.0", message: "One" });
  await make("POST", "/repos/analytical/engine/branches", { name: "feature" });
  await make("POST", "/repos/analytical/engine/issues", { title: "One" });
  await make("POST", "/repos/analytical/engine/issues/1/comments", { body: "Two" });
});
afterAll(async () => {
  watch?.stop();
  await server?.stop();
});

const reads = documentedOperations.filter(({ method }) => method === "GET");
const names = { owner: "analytical", team: "makers/engineers", sha: "main" };

interface Read {
  answer: ApiAnswer;
  /** Without the one that looks up the token, every few seconds, whatever is asked. */
  statements: number;
}

async function read(who: string, path: string, headers: Record<string, string> = {}): Promise<Read> {
  const id = String(++mark);
  const answer = await server.api("GET", path, {
    token: tokens[who] ?? "",
    headers: { ...headers, [markHeader]: id },
  });
  return { answer, statements: watch.of(id).filter((text) => !text.includes("access_tokens")).length };
}

/** What does not hold for a read of this address; nothing where the caller may not read it. */
async function broken(who: string, path: string, id: string, paginated: boolean): Promise<string[]> {
  await read(who, path);
  const { answer, statements } = await read(who, path);
  const { etag = "", ...headers } = answer.headers;
  const found: string[] = [];
  const must = (holds: boolean, what: string) => void (holds || found.push(what));
  must(/^[0-9a-f-]{36}$/.test(String(headers["x-request-id"])), "a request id");
  if (answer.status !== 200) {
    must([401, 403, 404].includes(answer.status), `a status for what is not there, not ${answer.status}`);
    return found;
  }
  const max = moreStatements[id] ?? (paginated ? 3 : 2);
  must(statements <= max, `at most ${max} statements, not ${statements}`);
  // What follows is the same lines for whoever may read it.
  if (who !== "owner" && !isFull) return found;
  const unchanged = await read(who, path, { "If-None-Match": etag });
  must(etag !== "" && unchanged.answer.status === 304, "an ETag that gives 304");
  must(unchanged.answer.text === "" && unchanged.answer.headers.etag === etag, "an empty 304 with the ETag");
  must(unchanged.statements <= statements, `no more than ${statements} statements for 304`);
  const head = await server.api("HEAD", path, { token: tokens[who] ?? "" });
  must(head.status === 200 && head.headers.etag === etag && head.text === "", "HEAD like GET");
  if (paginated) await mustHavePages({ who, path, answer }, must);
  return found;
}

async function mustHavePages(
  { who, path, answer }: { who: string; path: string; answer: ApiAnswer },
  must: (holds: boolean, what: string) => void,
): Promise<void> {
  const total = Number(answer.headers["x-total-count"]);
  must((answer.json as unknown[]).length === Math.min(total, 30), "as many items as are counted");
  const one = await server.api("GET", `${path}?per_page=1&page=1`, { token: tokens[who] ?? "" });
  const shown = [one.headers["x-page"], one.headers["x-per-page"], one.headers["x-total-pages"]].join(" ");
  must(shown === `1 1 ${total}`, `paging headers, not ${shown}`);
  must((one.json as unknown[]).length === Math.min(total, 1), "one item on a page of one");
  const next = `<${server.baseUrl}${path}?per_page=1&page=2>; rel="next"`;
  must((one.headers.link ?? "").includes(next) === total > 1, "a link to the next page where there is one");
  const past = await server.api("GET", `${path}?page=99`, { token: tokens[who] ?? "" });
  must(past.status === 200 && past.text === "[]", "an empty page past the end");
}

describe.each(["owner", "member"])("to the %s", (who) => {
  test.each(reads.map((each) => [each.id, each] as const))(
    "%s",
    async (id, { address, neededQuery, contract }) => {
      const path = address(names) + neededQuery;
      expect(await broken(who, path, id, contract.paginated ?? false)).toEqual([]);
    },
  );
});

test("every operation is refused over plain HTTP, with a request id", async () => {
  const agent = new Agent({ keepAlive: false });
  for (const { id, method, address } of documentedOperations) {
    const headers = { Authorization: `Bearer ${tokens["owner"]}`, "X-Forwarded-Proto": "https" };
    const path = `/api/v1${address(names)}`;
    const req = request({ port: server.httpPort, method, path, headers, agent }).end();
    const [res] = (await once(req, "response")) as [IncomingMessage];
    expect({ id, status: res.statusCode, named: res.headers["x-request-id"] !== undefined }).toEqual({
      id,
      status: 403,
      named: true,
    });
    expect([id, (JSON.parse(await text(res)) as { error: string }).error]).toEqual([id, "https_required"]);
  }
});
