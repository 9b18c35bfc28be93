/** `forgeline runner group`: sets of runners which only chosen owners and repositories may use. */
import { Command, Option } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { renderList } from "../../output/table.ts";
import { runnerId, type OrgOption } from "./find.ts";

type Group = Schemas["RunnerGroup"];

interface AccessOptions extends OrgOption {
  all?: boolean;
  only?: string[];
}
interface CreateOptions extends AccessOptions {
  description?: string;
}
interface EditOptions extends OrgOption {
  name?: string;
  description?: string;
}

export function groupCommand(): Command {
  const group = new Command("group").description("Groups of runners, which only chosen repositories may use");
  for (const make of [list, create, view, edit, access, move, leave, remove]) group.addCommand(make());
  return group;
}

function withOrg(command: Command): Command {
  return command.option("--org <organization>", "groups of this organization instead of the instance's");
}

function only(): Option {
  return new Option(
    "--only <names...>",
    "only these: an OWNER for all of its repositories, or OWNER/NAME for one",
  );
}

function list(): Command {
  return withOrg(new Command("list"))
    .description("List groups with who may use them")
    .action(async (flags: OrgOption, command: Command) => {
      const context = await contextOf(command);
      const groups = await listGroups(context, flags);
      context.print(groups, () =>
        renderList(
          "groups of runners",
          ["NAME", "RUNNERS", "FOR", "DESCRIPTION"],
          groups.map((one) => [one.name, String(one.runners), usersOf(one), one.description]),
        ),
      );
    });
}

function create(): Command {
  return withOrg(new Command("create"))
    .description("Create a group of runners")
    .argument("<name>")
    .option("--description <text>")
    .addOption(only())
    .action(async (name: string, { org, description, only: names }: CreateOptions, command: Command) => {
      const { api, print } = await contextOf(command);
      const body = {
        name,
        ...(description !== undefined && { description }),
        ...(names !== undefined && selected(names)),
      };
      const group = await valueOf(
        org === undefined
          ? api.POST("/runner-groups", { body })
          : api.POST("/orgs/{org}/runner-groups", { params: { path: { org } }, body }),
      );
      print(group, () => `created ${group.name}, for ${usersOf(group)}`);
    });
}

function view(): Command {
  return withOrg(new Command("view"))
    .description("Show a group and who may use it")
    .argument("<group>", "id or name")
    .action(async (wanted: string, flags: OrgOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await groupId(context, wanted, flags) };
      const group = await valueOf(context.api.GET("/runner-groups/{id}", { params: { path } }));
      context.print(group, () => renderFields(facts(group)));
    });
}

function edit(): Command {
  return withOrg(new Command("edit"))
    .description("Change the name or the description of a group")
    .argument("<group>", "id or name")
    .option("--name <name>")
    .option("--description <text>")
    .action(async (wanted: string, { name, description, ...flags }: EditOptions, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await groupId(context, wanted, flags) };
      const body = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
      if (Object.keys(body).length === 0) throw new UsageError("say what to change: --name or --description");
      const group = await valueOf(context.api.PATCH("/runner-groups/{id}", { params: { path }, body }));
      context.print(group, () => `changed ${group.name}`);
    });
}

function access(): Command {
  return withOrg(new Command("access"))
    .description("Set who may use a group, instead of those before")
    .argument("<group>", "id or name")
    .addOption(new Option("--all", "every repository that its runners serve").conflicts("only"))
    .addOption(only())
    .action(async (wanted: string, { all, only: names, ...flags }: AccessOptions, command: Command) => {
      if (!all && names === undefined) throw new UsageError("say who may use it: --all or --only NAMES");
      const context = await contextOf(command);
      const path = { id: await groupId(context, wanted, flags) };
      const body = names === undefined ? ({ access: "all" } as const) : selected(names);
      const answer = context.api.PUT("/runner-groups/{id}/access", { params: { path }, body });
      const group = await valueOf(answer);
      context.print(group, () => `${group.name} is for ${usersOf(group)}`);
    });
}

function move(): Command {
  return withOrg(new Command("move"))
    .description("Put a runner into a group; the jobs that it has go on")
    .argument("<runner>", "id or name")
    .argument("<group>", "id or name")
    .action(async (wanted: string, into: string, flags: OrgOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const body = { group: await groupId(context, into, flags) };
      const runner = await valueOf(context.api.PATCH("/runners/{id}", { params: { path }, body }));
      context.print(runner, () => `${runner.name} is in ${runner.group?.name ?? "no group"}`);
    });
}

function leave(): Command {
  return withOrg(new Command("leave"))
    .description("Take a runner out of its group: from now on it serves whom it served without one")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, flags: OrgOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const answer = context.api.PATCH("/runners/{id}", { params: { path }, body: { group: null } });
      const runner = await valueOf(answer);
      context.print(runner, () => `${runner.name} is in no group`);
    });
}

function remove(): Command {
  return withOrg(new Command("delete"))
    .description("Delete a group that has no runners")
    .argument("<group>", "id or name")
    .action(async (wanted: string, flags: OrgOption, command: Command) => {
      const context = await contextOf(command);
      const id = await groupId(context, wanted, flags);
      await valueOf(context.api.DELETE("/runner-groups/{id}", { params: { path: { id } } }));
      context.print({ id, deleted: true }, () => `deleted ${wanted}`);
    });
}

export function listGroups({ api }: CliContext, { org }: OrgOption): Promise<Group[]> {
  return everyPage((query) =>
    org === undefined
      ? api.GET("/runner-groups", { params: { query } })
      : api.GET("/orgs/{org}/runner-groups", { params: { path: { org }, query } }),
  );
}

/** Names are unique among the groups of one place, whatever their case. */
export async function groupId(context: CliContext, wanted: string, of: OrgOption): Promise<string> {
  if (wanted.startsWith("rgrp_")) return wanted;
  const groups = await listGroups(context, of);
  const found = groups.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found === undefined)
    throw new UsageError(`there is no group of runners "${wanted}"; see forgeline runner group list`);
  return found.id;
}

function selected(names: readonly string[]) {
  const each = names.flatMap((name) => name.split(",")).filter(Boolean);
  return {
    access: "selected" as const,
    owners: each.filter((name) => !name.includes("/")),
    repositories: each.filter((name) => name.includes("/")),
  };
}

function usersOf({ access: use, owners, repositories }: Group): string {
  if (use === "all") return "all";
  return [...owners, ...repositories].join(", ") || "nobody";
}

function facts(group: Group): [string, string][] {
  return [
    ["id", group.id],
    ["name", group.name],
    ["description", group.description],
    ["of", group.organization ?? "the instance"],
    ["for", usersOf(group)],
    ["runners", String(group.runners)],
    ["label", `group=${group.name}`],
  ];
}
