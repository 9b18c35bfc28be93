/** `forgeline admin pipeline-limits`: what pipelines may have at most, on the instance or in an organization. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { addExamples } from "../../output/examples.ts";
import { pipelineLimitsTable } from "../../output/pipeline-limits.ts";

interface Options {
  org?: string;
  set?: string[];
  unset?: string[];
}
type Limits = Schemas["PipelineLimitsSet"];

export function pipelineLimitsCommand(): Command {
  const limits = new Command("pipeline-limits")
    .description("What pipelines may have at most; with --set or --unset, new limits")
    .option("--org <organization>", "of the repositories of an organization instead of the instance")
    .option("--set <limit=number...>", "set limits, for example jobs=200 job_minutes=120; others stay")
    .option("--unset <limit...>", "let limits follow the instance, or the default, again")
    .action(run);
  addExamples(limits, [
    "forgeline admin pipeline-limits",
    "forgeline admin pipeline-limits --set jobs=200 job_minutes=120",
    "forgeline admin pipeline-limits --org acme --set jobs=1000 --unset job_minutes",
  ]);
  return limits;
}

async function run({ org, set = [], unset = [] }: Options, command: Command): Promise<void> {
  const wanted = parseLimits(set);
  const { api, print } = await contextOf(command);
  const params = { path: { org: org ?? "" } };
  const read = () =>
    org === undefined
      ? api.GET("/admin/pipeline-limits")
      : api.GET("/admin/organizations/{org}/pipeline-limits", { params });
  const write = (body: Limits) =>
    org === undefined
      ? api.PUT("/admin/pipeline-limits", { body })
      : api.PUT("/admin/organizations/{org}/pipeline-limits", { params, body });
  const { limits: present } = await valueOf(read());
  refuseUnknown([...Object.keys(wanted), ...unset], present);
  const level = org === undefined ? "instance" : "organization";
  const kept = present.filter(({ name, set_by: setBy }) => setBy === level && !unset.includes(name));
  const body = { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), ...wanted };
  const isChange = set.length + unset.length > 0;
  const limits = isChange ? (await valueOf(write(body))).limits : present;
  print(limits, () => pipelineLimitsTable(limits));
}

function parseLimits(given: readonly string[]): Limits {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, number] = /^([a-z_]+)=([0-9]{1,9})$/.exec(text) ?? [];
      if (name === undefined) throw new UsageError(`"${text}" is not of the form LIMIT=NUMBER`);
      return [name, Number(number)];
    }),
  );
}

function refuseUnknown(names: readonly string[], limits: readonly { name: string }[]): void {
  const known = limits.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`there is no limit "${unknown}". Limits: ${known.join(", ")}`);
}
