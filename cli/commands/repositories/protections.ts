/** `forgeline repo protection list|set|delete`: rules for branches and tags, addressed by their pattern. */
import { Command, Option } from "commander";
import type { ForgelineClient } from "@forgeline/client/client.ts";
import { pushLevels } from "@forgeline/client/generated/choices.ts";
import { valueOf } from "../../connection/api.ts";
import { parseRepository, type RepositoryName } from "../../connection/repository.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { listed } from "../../options/listed.ts";
import {
  addBranchRuleOptions,
  branchRuleOf,
  conditionsOf,
  type BranchRuleOptions,
} from "./branch-rule-options.ts";
import { renderList } from "../../output/table.ts";

type Level = (typeof pushLevels)[number];

interface SetOptions extends BranchRuleOptions {
  tag?: boolean;
  level?: Level;
  users?: string[];
  teams?: string[];
}

export function protectionCommand(): Command {
  const protection = new Command("protection").description("Who may push to branches and create tags");
  addList(protection);
  addSet(protection);
  protection
    .command("delete <owner/name> <pattern>")
    .description("Delete the rule for this pattern")
    .option("--tag", "a rule for tags")
    .action(async (name: string, pattern: string, options: { tag?: boolean }, command: Command) => {
      const { api, print } = await contextOf(command);
      const repository = parseRepository(name);
      const found = await findRule(api, repository, { pattern, tag: options.tag });
      if (!found) throw new UsageError(`${name} has no rule for ${pattern}`);
      const params = { path: { ...repository, id: found.id } };
      await valueOf(
        options.tag
          ? api.DELETE("/repos/{owner}/{repo}/tag-protections/{id}", { params })
          : api.DELETE("/repos/{owner}/{repo}/branch-protections/{id}", { params }),
      );
      print({ deleted: pattern }, () => `no rule for ${pattern} any more`);
    });
  return protection;
}

function addList(protection: Command): void {
  protection
    .command("list <owner/name>")
    .description("List the rules of a repository")
    .action(async (name: string, _options: unknown, command: Command) => {
      const { api, print } = await contextOf(command);
      const { branches, tags } = await allRules(api, parseRepository(name));
      const rows = [
        ...branches.map((rule) => ["branch", rule.pattern, pushersOf(rule), conditionsOf(rule)]),
        ...tags.map((rule) => ["tag", rule.pattern, creatorsOf(rule), "fixed"]),
      ];
      print({ branches, tags }, () => renderList("rules", ["OF", "PATTERN", "PUSH", "CONDITIONS"], rows));
    });
}

function addSet(protection: Command): void {
  const set = protection
    .command("set <owner/name> <pattern>")
    .description("Create the rule for this pattern, or change the given parts of it")
    .option("--tag", "a rule for tags: who may create them; existing tags cannot be changed")
    .addOption(new Option("--level <level>", "lowest permission that may push").choices(pushLevels))
    .option("--users <list>", 'users who may also push, separated by commas; "" for none', listed)
    .option("--teams <list>", 'teams that may also push, as ORG/TEAM; "" for none', listed);
  addBranchRuleOptions(set).action(
    async (name: string, pattern: string, options: SetOptions, command: Command) => {
      const { api, print } = await contextOf(command);
      const repository = parseRepository(name);
      const found = await findRule(api, repository, { pattern, tag: options.tag });
      const rule = options.tag
        ? await setTagRule(api, { repository, pattern, id: found?.id }, options)
        : await setBranchRule(api, { repository, pattern, id: found?.id }, options);
      print(rule, () => `${found ? "changed" : "made"} the rule for ${rule.pattern} (${rule.id})`);
    },
  );
}

interface Target {
  repository: RepositoryName;
  pattern: string;
  /** Of the rule that is there. */
  id: string | undefined;
}

function setBranchRule(api: ForgelineClient, { repository, pattern, id }: Target, options: SetOptions) {
  const body = {
    ...(options.level === undefined ? {} : { push_level: options.level }),
    ...(options.users === undefined ? {} : { push_users: options.users }),
    ...(options.teams === undefined ? {} : { push_teams: options.teams }),
    ...branchRuleOf(options),
  };
  if (id === undefined) {
    const path = "/repos/{owner}/{repo}/branch-protections";
    return valueOf(api.POST(path, { params: { path: repository }, body: { pattern, ...body } }));
  }
  const path = "/repos/{owner}/{repo}/branch-protections/{id}";
  return valueOf(api.PATCH(path, { params: { path: { ...repository, id } }, body }));
}

function setTagRule(api: ForgelineClient, { repository, pattern, id }: Target, options: SetOptions) {
  if (Object.keys(branchRuleOf(options)).length > 0)
    throw new UsageError("with --tag there are only --level, --users and --teams");
  const body = {
    ...(options.level === undefined ? {} : { create_level: options.level }),
    ...(options.users === undefined ? {} : { create_users: options.users }),
    ...(options.teams === undefined ? {} : { create_teams: options.teams }),
  };
  if (id === undefined) {
    const path = "/repos/{owner}/{repo}/tag-protections";
    return valueOf(api.POST(path, { params: { path: repository }, body: { pattern, ...body } }));
  }
  const path = "/repos/{owner}/{repo}/tag-protections/{id}";
  return valueOf(api.PATCH(path, { params: { path: { ...repository, id } }, body }));
}

/** A repository has at most 100 of each kind, which is a page. */
async function allRules(api: ForgelineClient, repository: RepositoryName) {
  const params = { path: repository, query: { per_page: 100 } };
  const [branches, tags] = await Promise.all([
    valueOf(api.GET("/repos/{owner}/{repo}/branch-protections", { params })),
    valueOf(api.GET("/repos/{owner}/{repo}/tag-protections", { params })),
  ]);
  return { branches, tags };
}

async function findRule(
  api: ForgelineClient,
  repository: RepositoryName,
  { pattern, tag }: { pattern: string; tag: boolean | undefined },
) {
  const { branches, tags } = await allRules(api, repository);
  const rules: { id: string; pattern: string }[] = tag ? tags : branches;
  return rules.find((rule) => rule.pattern === pattern);
}

type Rules = Awaited<ReturnType<typeof allRules>>;

function pushersOf(rule: Rules["branches"][number]): string {
  return [rule.push_level, ...rule.push_users, ...rule.push_teams].join(",");
}

function creatorsOf(rule: Rules["tags"][number]): string {
  return [rule.create_level, ...rule.create_users, ...rule.create_teams].join(",");
}
