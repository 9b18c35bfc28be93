/** `forgeline admin lfs-quota`: Git LFS storage of one owner. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { UsageError } from "../../connection/settings.ts";
import { contextOf } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { sizeOf } from "../../output/size.ts";

interface QuotaOptions {
  set?: string;
  clear?: boolean;
}

export function lfsQuotaCommand(): Command {
  return new Command("lfs-quota")
    .argument("<name>")
    .description("Git LFS storage of a user or an organization; with --set or --clear, a new limit")
    .option("--set <size>", "custom limit, on the enterprise plan: bytes, or for example 500GB or 2TiB")
    .option("--clear", "go back to the instance's limit for the plan")
    .action(async (owner: string, options: QuotaOptions, command: Command) => {
      const { api, print } = await contextOf(command);
      const path = "/admin/storage/owners/{owner}/lfs-quota";
      const params = { path: { owner } };
      const wanted = options.set === undefined ? null : bytesOf(options.set);
      const answer =
        wanted === null && !options.clear
          ? api.GET(path, { params })
          : api.PUT(path, { params, body: { limit_bytes: options.clear ? null : wanted } });
      const quota = await valueOf(answer, `there is no user and no organization ${owner}`);
      print(quota, () => describe(quota));
    });
}

function describe(quota: Schemas["LfsQuota"]): string {
  const limit = quota.limit_bytes === null ? "none" : sizeOf(quota.limit_bytes);
  return renderFields([
    ["plan", quota.plan],
    ["limit", `${limit}, ${quota.custom ? "custom" : "of the plan"}`],
    ["used", sizeOf(quota.used_bytes)],
  ]);
}

const powers = ["", "K", "M", "G", "T"];

function bytesOf(text: string): number {
  const [, number, unit = "", binary] = /^(\d+)(?:([KMGT]?)(i?)B)?$/i.exec(text) ?? [];
  if (number === undefined) throw new UsageError(`"${text}" is not a size such as 500GB`);
  return Number(number) * (binary ? 1024 : 1000) ** powers.indexOf(unit.toUpperCase());
}
