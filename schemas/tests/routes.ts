/** Operations on tests that jobs report. Reading as for runs; a maintainer decides about the quarantine. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxReasonChars } from "../reports/limits.ts";
import { RunTest, Test, TestResult, testStatuses } from "./resource.ts";

const read = { tag: "pipelines", access: "repo_read", scope: "pipeline:read" } as const;
const params = RepositoryParams.extend({ test: idOf("test") });
const path = "/repos/:owner/:repo/tests";
const one = `${path}/:test`;
const q = z.string().max(200).optional().describe("What suite and name hold, in upper or lower case.");

export const RunTestQuery = PageQuery.extend({ status: z.enum(testStatuses).optional(), q });

export const listRunTests = route({
  ...read,
  id: "listRunTests",
  method: "get",
  path: "/repos/:owner/:repo/pipelines/:id/tests",
  summary: "Tests that jobs of a run report: failures first, those in quarantine after the others",
  params: RepositoryParams.extend({ id: z.string().describe("Id or number of the run.") }),
  query: RunTestQuery,
  status: 200,
  response: z.array(RunTest),
  paginated: true,
  errors: [],
});

export const testSorts = ["name", "slowest", "failures"] as const;

export const TestQuery = PageQuery.extend({
  only: z.enum(["flaky", "quarantined"]).optional(),
  q,
  sort: z.enum(testSorts).default("name"),
});

export const listTests = route({
  ...read,
  id: "listTests",
  method: "get",
  path,
  summary: "Tests that jobs of a repository report",
  description: "Without `sort`, flaky ones and those in quarantine are listed newest first.",
  params: RepositoryParams,
  query: TestQuery,
  status: 200,
  response: z.array(Test),
  paginated: true,
  errors: [],
});

export const getTest = route({
  ...read,
  id: "getTest",
  method: "get",
  path: one,
  summary: "One test",
  params,
  status: 200,
  response: Test,
  errors: [],
});

export const listTestResults = route({
  ...read,
  id: "listTestResults",
  method: "get",
  path: `${one}/results`,
  summary: "Results of a test, newest first",
  params,
  query: PageQuery,
  status: 200,
  response: z.array(TestResult),
  paginated: true,
  errors: [],
});

const decide = { ...read, access: "repo_maintain", scope: "pipeline:write" } as const;

export const QuarantineBody = z.strictObject({
  reason: z.string().max(maxReasonChars).optional().describe("Shown beside it."),
});

export const quarantineTest = route({
  ...decide,
  id: "quarantineTest",
  method: "put",
  path: `${one}/quarantine`,
  summary: "Put a test into quarantine, or change the reason",
  description: "Its failures are shown apart from the others. The status of jobs does not depend on it.",
  params,
  body: QuarantineBody,
  status: 200,
  response: Test,
  errors: ["repository_archived"],
});

export const releaseTest = route({
  ...decide,
  id: "releaseTest",
  method: "delete",
  path: `${one}/quarantine`,
  summary: "Take a test out of quarantine",
  params,
  status: 204,
  errors: ["repository_archived"],
});
