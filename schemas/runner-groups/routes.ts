/**
 * Operations on groups of runners. Those on `/runner-groups/{id}` ask for what the group's kind asks for: an administrator with
 * `org:admin` for groups of the instance, an owner with `org:admin` for those of an organization.
 */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RunnerGroup, RunnerGroupAccess, RunnerGroupCreate, RunnerGroupUpdate } from "./resource.ts";

const one = z.object({ id: idOf("rgrp") });
const byKind =
  "Groups of the instance: an administrator with `org:admin`. An organization's groups: its owners, with `org:admin`.";

const list = {
  method: "get",
  tag: "runners",
  scope: "org:admin",
  query: PageQuery,
  status: 200,
  response: z.array(RunnerGroup),
  paginated: true,
} as const;

export const listRunnerGroups = route({
  ...list,
  id: "listRunnerGroups",
  path: "/runner-groups",
  summary: "Groups of the instance's runners, by name",
  access: "instance_admin",
  errors: [],
});

export const listOrganizationRunnerGroups = route({
  ...list,
  id: "listOrganizationRunnerGroups",
  path: "/orgs/:org/runner-groups",
  summary: "Groups of an organization's runners, by name",
  access: "org_owner",
  params: OrganizationParams,
  errors: [],
});

const create = {
  method: "post",
  tag: "runners",
  scope: "org:admin",
  body: RunnerGroupCreate,
  status: 201,
  response: RunnerGroup,
  errors: ["conflict"],
} as const;

export const createRunnerGroup = route({
  ...create,
  id: "createRunnerGroup",
  path: "/runner-groups",
  summary: "Create a group of the instance's runners",
  access: "instance_admin",
});

export const createOrganizationRunnerGroup = route({
  ...create,
  id: "createOrganizationRunnerGroup",
  path: "/orgs/:org/runner-groups",
  summary: "Create a group of an organization's runners",
  description: "It can be limited to repositories of the organization.",
  access: "org_owner",
  params: OrganizationParams,
});

export const getRunnerGroup = route({
  id: "getRunnerGroup",
  method: "get",
  path: "/runner-groups/:id",
  tag: "runners",
  summary: "One group of runners",
  description: byKind,
  access: "user",
  bots: "allowed",
  params: one,
  status: 200,
  response: RunnerGroup,
  errors: ["not_found"],
});

export const updateRunnerGroup = route({
  id: "updateRunnerGroup",
  method: "patch",
  path: "/runner-groups/:id",
  tag: "runners",
  summary: "Change the name or the description of a group of runners",
  description: `${byKind} With the name, the label of its runners changes.`,
  access: "user",
  bots: "allowed",
  params: one,
  body: RunnerGroupUpdate,
  status: 200,
  response: RunnerGroup,
  errors: ["not_found", "conflict"],
});

export const setRunnerGroupAccess = route({
  id: "setRunnerGroupAccess",
  method: "put",
  path: "/runner-groups/:id/access",
  tag: "runners",
  summary: "Set whose jobs the runners of a group take",
  description: `${byKind} It replaces what was set before, and holds for every job that no runner has been offered yet.`,
  access: "user",
  bots: "allowed",
  params: one,
  body: RunnerGroupAccess,
  status: 200,
  response: RunnerGroup,
  errors: ["not_found"],
});

export const deleteRunnerGroup = route({
  id: "deleteRunnerGroup",
  method: "delete",
  path: "/runner-groups/:id",
  tag: "runners",
  summary: "Delete a group that has no runners",
  description: `${byKind} Registration tokens for the group stop working.`,
  access: "user",
  bots: "allowed",
  params: one,
  status: 204,
  errors: ["not_found", "conflict"],
});
