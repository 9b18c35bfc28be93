/** `forgeline runner view`: one runner, its machine, and what jobs may take and reach on it. */
import { Command } from "commander";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderFields } from "../../output/fields.ts";
import { sizeOf } from "../../output/size.ts";
import { egressFields } from "./egress.ts";
import { installLine } from "./install-line.ts";
import { runnerId, withPlace, type PlaceOption } from "./find.ts";

type Runner = Schemas["Runner"];

export function viewCommand(): Command {
  return withPlace(new Command("view"))
    .description("Show a runner: its machine, and what its jobs may use and reach")
    .argument("<runner>", "id or name")
    .action(async (wanted: string, flags: PlaceOption, command: Command) => {
      const context = await contextOf(command);
      const path = { id: await runnerId(context, wanted, flags) };
      const runner = await valueOf(context.api.GET("/runners/{id}", { params: { path } }));
      const update: [string, string][] = runner.outdated
        ? [["to update", await installLine(context.connection, "--update")]]
        : [];
      context.print(runner, () =>
        renderFields([
          ...facts(runner),
          ...jobsOf(runner),
          ...update,
          ...egressFields(runner),
          ...limits(runner),
        ]),
      );
    });
}

function jobsOf({ jobs }: Schemas["RunnerWithJobs"]): [string, string][] {
  return jobs.map(({ repository, pipeline, job, started_at: startedAt }) => [
    "runs now",
    `${job} of ${repository} run ${pipeline}, ${startedAt === null ? "being prepared" : `since ${startedAt}`}`,
  ]);
}

function servedBy({ repository, organization }: Runner): string {
  return repository ?? (organization === null ? "the whole instance" : `repositories of ${organization}`);
}

const executorWords: Record<Runner["executor"], string> = {
  docker: "in containers",
  process:
    "as processes of its user, without isolation; limits of memory, cores, processes and open files do not apply",
};

const engineWords: Record<NonNullable<Runner["engine"]>, string> = {
  docker: "Docker",
  docker_rootless: "rootless Docker",
  podman: "Podman",
  podman_rootless: "rootless Podman",
};

function jobsRunOn({ executor, engine }: Runner): string {
  return engine === null ? executorWords[executor] : `in containers of ${engineWords[engine]}`;
}

function imagesKept(bytes: number | null): string {
  return bytes === null ? "none is removed" : `removed beyond ${sizeOf(bytes)}`;
}

function facts(runner: Runner): [string, string][] {
  return [
    ["id", runner.id],
    ["name", runner.name],
    ["status", runner.status],
    ...(runner.problem === null ? [] : [["problem", runner.problem] as [string, string]]),
    ["serves", servedBy(runner)],
    ...(runner.group === null ? [] : [["group", runner.group.name] as [string, string]]),
    ["jobs", `${runner.running} of ${runner.capacity}`],
    ["labels", runner.labels.join(", ")],
    ["jobs run", jobsRunOn(runner)],
    ...(runner.requires_signatures ? [["takes", "signed jobs only"] as [string, string]] : []),
    ["privileged jobs", runner.takes_privileged ? "taken: they are root on its machine" : "refused"],
    ["images of jobs", imagesKept(runner.image_cache_bytes)],
    ["host name", runner.hostname],
    ["system", [runner.os, runner.arch].filter(Boolean).join(" ")],
    ["version", runner.outdated ? `${runner.version}, older than the server` : runner.version],
    ...(runner.one_job ? [["ends", "after one job"] as [string, string]] : []),
    ["load", runner.load?.toFixed(2) ?? "unknown"],
    ["free disk", runner.free_disk_bytes === null ? "unknown" : sizeOf(runner.free_disk_bytes)],
    ["last seen", runner.last_seen_at ?? "never"],
  ];
}

function limits({ limits: of, last_seen_at: seenAt }: Runner): [string, string][] {
  if (of === null && seenAt === null) return [["a job may take", "unknown; the runner has never connected"]];
  if (of === null) return [["a job may take", "unknown; the runner is of an older version"]];
  const more = (unlessAsked: boolean, words: string) =>
    unlessAsked ? `, ${words} unless its file asks` : "";
  const { memory_bytes: memory, cpu } = of;
  return [
    ["memory of a job", sizeOf(memory.max) + more(memory.default < memory.max, sizeOf(memory.default))],
    ["cores of a job", `${cpu.max}${more(cpu.default < cpu.max, String(cpu.default))}`],
    ["disk of a job", sizeOf(of.disk_bytes)],
    ["files of a job", of.files === null ? "no limit" : String(of.files)],
    ["processes of a container", String(of.processes)],
    [
      "open files of a process",
      of.open_files === null ? "as its Docker or Podman says" : String(of.open_files),
    ],
    ["log of a step", of.step_log_bytes === null ? "as the server says" : sizeOf(of.step_log_bytes)],
    ["time of a job", of.job_seconds === null ? "as its file says" : `${of.job_seconds} s`],
  ];
}
