/** `forgeline admin orgs|plan`. */
import { Argument, type Command } from "commander";
import { plans } from "@forgeline/client/generated/choices.ts";
import { ApiError, valueOf } from "../../connection/api.ts";
import { contextOf, type CliContext } from "../../context.ts";
import { parseCount } from "../../options/count.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

type Plan = (typeof plans)[number];

export function addPlanCommands(admin: Command): void {
  admin
    .command("orgs [text]")
    .description("List organizations, optionally those with this text in their names")
    .option("--page <number>", "page, 100 organizations each", parseCount, 1)
    .action(list);
  admin
    .command("plan <name>")
    .description("Set the plan of a user or an organization")
    .addArgument(new Argument("<plan>", "the new plan").choices(plans))
    .action(setPlan);
}

async function list(text: string | undefined, options: { page: number }, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const query = { page: options.page, per_page: 100, ...omitUndefined({ q: text }) };
  const organizations = await valueOf(api.GET("/admin/organizations", { params: { query } }));
  const rows = organizations.map((o) => [o.name, o.plan, o.display_name, o.created_at]);
  print(organizations, () => renderList("organizations", ["NAME", "PLAN", "DISPLAY NAME", "CREATED"], rows));
}

async function setPlan(name: string, plan: Plan, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const changed = (await setUserPlan(api, name, plan)) ?? (await setOrganizationPlan(api, name, plan));
  print(changed, () => `${name} has the plan ${changed.plan}`);
}

/** Undefined when no user has the name. */
async function setUserPlan(api: CliContext["api"], username: string, plan: Plan) {
  const params = { path: { username } };
  try {
    return await valueOf(api.PATCH("/admin/users/{username}", { params, body: { plan } }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

function setOrganizationPlan(api: CliContext["api"], org: string, plan: Plan) {
  const answer = api.PUT("/admin/organizations/{org}/plan", { params: { path: { org } }, body: { plan } });
  return valueOf(answer, `there is no user and no organization ${org}`);
}
