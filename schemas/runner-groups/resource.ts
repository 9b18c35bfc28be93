/** Groups of runners: whose runners they hold, and whose jobs these take. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { timestamp } from "../core/time.ts";

/** Of the instance, and of each organization. */
export const maxRunnerGroups = 100;
/** Owners of one group, and repositories of one group. */
export const maxGroupEntries = 200;

/** It is the value of a label, `group=NAME`, so it has the characters of one. */
const groupName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/)
  .describe("Letters, digits, `.`, `_` and `-`. Unique, whatever the case.");
const description = z.string().trim().max(500);

export const RunnerGroupUse = z.enum(["all", "selected"]).meta({ id: "RunnerGroupUse" });

const owners = z
  .array(z.string().min(1).max(100))
  .max(maxGroupEntries)
  .describe("Users and organizations all of whose repositories may use it, later ones too.");
const repositories = z
  .array(z.string().min(3).max(210))
  .max(maxGroupEntries)
  .describe("Full names of single repositories that may use it.");

interface Listed {
  access: z.infer<typeof RunnerGroupUse>;
  owners: readonly string[];
  repositories: readonly string[];
}

/** Lists beside `all` would say something that does not hold. */
const isConsistent = ({ access, owners: some, repositories: others }: Listed) =>
  access === "selected" || some.length + others.length === 0;
const inconsistent = {
  path: ["access"],
  error: "With `all`, everybody may use the group: name nobody, or choose `selected`.",
};

const access = RunnerGroupUse.describe(
  "`all`: every repository that its runners serve anyway. `selected`: only what `owners` and `repositories` name.",
);

export const RunnerGroup = z
  .object({
    id: idOf("rgrp"),
    name: z.string(),
    description: z.string(),
    organization: z.string().nullable().describe("Whose runners it holds; null: those of the instance."),
    access,
    owners: z.array(z.string()).describe("Users and organizations all of whose repositories may use it."),
    repositories: z.array(z.string()).describe("Full names of single repositories that may use it."),
    runners: z.number().int().describe("Runners in it."),
    url: z.string(),
    web_url: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: "RunnerGroup" });
export type RunnerGroup = z.infer<typeof RunnerGroup>;

export const RunnerGroupCreate = z
  .strictObject({
    name: groupName,
    description: description.default(""),
    access: access.default("all"),
    owners: owners.default([]),
    repositories: repositories.default([]),
  })
  .refine(isConsistent, inconsistent)
  .meta({
    id: "RunnerGroupCreate",
    examples: [{ name: "gpu", description: "For training", access: "selected" }],
  });
export type RunnerGroupCreate = z.infer<typeof RunnerGroupCreate>;

export const RunnerGroupUpdate = z
  .strictObject({ name: groupName.optional(), description: description.optional() })
  .meta({ id: "RunnerGroupUpdate", examples: [{ name: "gpu", description: "For training" }] });
export type RunnerGroupUpdate = z.infer<typeof RunnerGroupUpdate>;

export const RunnerGroupAccess = z
  .strictObject({ access, owners: owners.default([]), repositories: repositories.default([]) })
  .refine(isConsistent, inconsistent)
  .meta({
    id: "RunnerGroupAccess",
    examples: [{ access: "selected", owners: ["acme"], repositories: ["ada/app"] }],
  });
export type RunnerGroupAccess = z.infer<typeof RunnerGroupAccess>;

/** As records of runners name their group. */
export const GroupOfRunner = z.object({ id: idOf("rgrp"), name: z.string() }).meta({ id: "GroupOfRunner" });
