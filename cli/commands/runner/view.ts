/** `forgeline runner view`: one runner, its machine, and what jobs may take and reach on it. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { sizeOf } from "../../output/size.ts";
import { egressFields } from "./egress.ts";
import { runnerId } from "./find.ts";

type Runner = Schemas["Runner"];
type Limits = NonNullable<Runner["limits"]>;

export function viewCommand(): Command {
  return new Command("view")
    .description("One runner: its machine, and what jobs may take and reach on it")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, _flags: unknown, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted) };
      const runner = await valueOf(context.api.GET("/runners/{id}", { params: { path } }));
      context.print(runner, () => renderFields([...facts(runner), ...egressFields(runner.egress), ...limits(runner.limits)]));
    });
}

function facts(runner: Runner): [string, string][] {
  return [
    ["Id", runner.id],
    ["Name", runner.name],
    ["Status", runner.status],
    ["Serves", runner.repository ?? "the whole instance"],
    ["Jobs", `${runner.running} of ${runner.capacity}`],
    ["Labels", runner.labels.join(", ")],
    ["Host name", runner.hostname],
    ["System", [runner.os, runner.arch].filter(Boolean).join(" ")],
    ["Version", runner.version],
    ["Load", runner.load?.toFixed(2) ?? "unknown"],
    ["Free disk", runner.free_disk_bytes === null ? "unknown" : sizeOf(runner.free_disk_bytes)],
    ["Last seen", runner.last_seen_at ?? "never"],
  ];
}

function limits(of: Limits | null): [string, string][] {
  if (of === null) return [["A job may take", "unknown; the runner is of an older version"]];
  const more = (unlessAsked: boolean, words: string) =>
    unlessAsked ? `, ${words} unless its file asks` : "";
  const { memory_bytes: memory, cpu } = of;
  return [
    ["Memory of a job", sizeOf(memory.max) + more(memory.default < memory.max, sizeOf(memory.default))],
    ["Cores of a job", `${cpu.max}${more(cpu.default < cpu.max, String(cpu.default))}`],
    ["Disk of a job", sizeOf(of.disk_bytes)],
    ["Files of a job", of.files === null ? "no limit" : String(of.files)],
    ["Processes of a container", String(of.processes)],
    ["Open files of a process", of.open_files === null ? "as the Docker daemon says" : String(of.open_files)],
    ["Log of a step", of.step_log_bytes === null ? "as the server says" : sizeOf(of.step_log_bytes)],
    ["Time of a job", of.job_seconds === null ? "as its file says" : `${of.job_seconds} s`],
  ];
}
