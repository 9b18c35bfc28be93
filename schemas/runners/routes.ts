/**
 * Operations on runners. Those on `/runners/{id}` ask for what the runner's kind asks for: an administrator with
 * `org:admin` for runners of the instance, an owner with `org:admin` for those of an organization, an admin of the repository
 * with `repo:admin` for its own.
 */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RunnerDemand } from "./demand.ts";
import {
  RegisteredRunner,
  RegistrationToken,
  RegistrationTokenCreate,
  Runner,
  RunnerRegister,
  RunnerDrain,
  RunnerUpdate,
  RunnerWithJobs,
} from "./resource.ts";

const repository = z.object({ owner: z.string(), repo: z.string() });
const one = z.object({ id: idOf("rnr") });
const byKind =
  "Runners of the instance: an administrator with `org:admin`. An organization's runners: its owners, with `org:admin`. A repository's runners: its admins, with `repo:admin`.";

export const registerRunner = route({
  id: "registerRunner",
  method: "post",
  path: "/runners/register",
  tag: "runners",
  summary: "Register a runner with a registration token",
  description:
    "Requires no other credential. The runner's credential is only returned here. Only refused attempts count against the limit.",
  access: "public",
  rateCategory: "auth",
  countsRefusalsOnly: true,
  body: RunnerRegister,
  status: 201,
  response: RegisteredRunner,
  showsSecret: true,
  errors: ["unauthorized"],
});

export const createRunnerRegistrationToken = route({
  id: "createRunnerRegistrationToken",
  method: "post",
  path: "/runners/registration-tokens",
  tag: "runners",
  summary: "Create a token that registers runners of the instance",
  access: "instance_admin",
  scope: "org:admin",
  body: RegistrationTokenCreate,
  status: 201,
  response: RegistrationToken,
  showsSecret: true,
  errors: [],
});

export const createRepositoryRunnerRegistrationToken = route({
  id: "createRepositoryRunnerRegistrationToken",
  method: "post",
  path: "/repos/:owner/:repo/runners/registration-tokens",
  tag: "runners",
  summary: "Create a token that registers runners of one repository",
  access: "repo_admin",
  scope: "repo:admin",
  params: repository,
  body: RegistrationTokenCreate,
  status: 201,
  response: RegistrationToken,
  showsSecret: true,
  errors: ["repository_archived"],
});

export const createOrganizationRunnerRegistrationToken = route({
  id: "createOrganizationRunnerRegistrationToken",
  method: "post",
  path: "/orgs/:org/runners/registration-tokens",
  tag: "runners",
  summary: "Create a token that registers runners of one organization",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  body: RegistrationTokenCreate,
  status: 201,
  response: RegistrationToken,
  showsSecret: true,
  errors: [],
});

export const listRunners = route({
  id: "listRunners",
  method: "get",
  path: "/runners",
  tag: "runners",
  summary: "All runners, newest first",
  access: "instance_admin",
  scope: "org:admin",
  query: PageQuery,
  status: 200,
  response: z.array(Runner),
  paginated: true,
  errors: [],
});

export const listRepositoryRunners = route({
  id: "listRepositoryRunners",
  method: "get",
  path: "/repos/:owner/:repo/runners",
  tag: "runners",
  summary: "Runners of one repository, newest first",
  access: "repo_admin",
  scope: "repo:admin",
  archived: "allowed",
  params: repository,
  query: PageQuery,
  status: 200,
  response: z.array(Runner),
  paginated: true,
  errors: [],
});

export const listOrganizationRunners = route({
  id: "listOrganizationRunners",
  method: "get",
  path: "/orgs/:org/runners",
  tag: "runners",
  summary: "Runners of one organization, newest first",
  description: "Runners of its repositories are not among them.",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(Runner),
  paginated: true,
  errors: [],
});

export const getRunner = route({
  id: "getRunner",
  method: "get",
  path: "/runners/:id",
  tag: "runners",
  summary: "One runner",
  description: byKind,
  access: "user",
  bots: "allowed",
  params: one,
  status: 200,
  response: RunnerWithJobs,
  errors: ["not_found"],
});

export const updateRunner = route({
  id: "updateRunner",
  method: "patch",
  path: "/runners/:id",
  tag: "runners",
  summary: "Change a runner's name, labels or capacity; pause it",
  description: byKind,
  access: "user",
  bots: "allowed",
  params: one,
  body: RunnerUpdate,
  status: 200,
  response: Runner,
  errors: ["not_found"],
});

export const deleteRunner = route({
  id: "deleteRunner",
  method: "delete",
  path: "/runners/:id",
  tag: "runners",
  summary: "Remove a runner: within seconds its credential is revoked and its connection closed",
  description: `${byKind} What it runs is lost and, where allowed, run again elsewhere.`,
  access: "user",
  bots: "allowed",
  params: one,
  status: 204,
  errors: ["not_found"],
});

export const drainRunner = route({
  id: "drainRunner",
  method: "post",
  path: "/runners/:id/drain",
  tag: "runners",
  summary: "Drain a runner: finish its jobs and take no new ones",
  description: `${byKind} With \`within_minutes\`, jobs that still run then are stopped; they run again elsewhere as if the runner were lost. Draining it again sets the time anew.`,
  access: "user",
  bots: "allowed",
  params: one,
  body: RunnerDrain,
  status: 200,
  response: Runner,
  errors: ["not_found"],
});

export const resumeRunner = route({
  id: "resumeRunner",
  method: "post",
  path: "/runners/:id/resume",
  tag: "runners",
  summary: "Resume a draining or paused runner",
  description: byKind,
  access: "user",
  bots: "allowed",
  params: one,
  status: 200,
  response: Runner,
  errors: ["not_found"],
});

const RunnerDemandQuery = z.strictObject({
  group: idOf("rgrp")
    .optional()
    .describe("Only jobs of repositories that may use this group; idle are only slots of its runners."),
});
const demand = {
  query: RunnerDemandQuery,
  method: "get",
  tag: "runners",
  scope: "org:admin",
  status: 200,
  response: RunnerDemand,
} as const;

export const getRunnerDemand = route({
  ...demand,
  id: "getRunnerDemand",
  path: "/runners/demand",
  summary: "What waits for runners, by label set",
  description:
    "Of all repositories. Runners that serve one organization or one repository only are not counted as idle; those of a group only where a repository with such jobs may use it.",
  access: "instance_admin",
  errors: ["not_found"],
});

export const getOrganizationRunnerDemand = route({
  ...demand,
  id: "getOrganizationRunnerDemand",
  path: "/orgs/:org/runners/demand",
  summary: "What waits for runners in an organization, by label set",
  description:
    "Runners of the organization and of the instance count as idle; those of a group only where a repository with such jobs may use it.",
  access: "org_owner",
  params: OrganizationParams,
  errors: [],
});
