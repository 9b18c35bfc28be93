/** `forgeline admin schedule`: what the instance does by itself from time to time. */
import { Argument, Command } from "commander";
import { upkeepScheduleNames } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { valueOf } from "../../connection/api.ts";
import { contextOf } from "../../context.ts";
import { renderList } from "../../output/table.ts";

type Name = (typeof upkeepScheduleNames)[number];

export function upkeepScheduleCommand(): Command {
  const schedule = new Command("schedule").description("What the instance does by itself");
  schedule
    .command("list", { isDefault: true })
    .description("List all schedules with their last and next run")
    .action(list);
  const named = (name: string, description: string) =>
    schedule
      .command(name)
      .description(description)
      .addArgument(new Argument("<name>").choices(upkeepScheduleNames));
  named("run", "Run a schedule now").action(run);
  named("pause", "Pause a schedule; what is running continues").action(changeTo(true));
  named("resume", "Resume a paused schedule").action(changeTo(false));
  return schedule;
}

async function list(_options: object, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const { schedules } = await valueOf(api.GET("/admin/schedules"));
  print(schedules, () =>
    renderList("schedules", ["NAME", "EVERY", "LAST RUN", "RESULT", "NEXT RUN"], schedules.map(rowOf)),
  );
}

function rowOf(schedule: Schemas["UpkeepSchedule"]): string[] {
  const { name, every_seconds: every, last_run: last, next_run_at: next } = schedule;
  const result = schedule.running ? "running" : (last?.state ?? "");
  return [
    name,
    every % 3600 === 0 ? `${every / 3600} h` : `${every / 60} min`,
    last?.started_at ?? "",
    result,
    next ?? "paused",
  ];
}

async function run(schedule: Name, _options: object, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const answer = await valueOf(
    api.POST("/admin/schedules/{schedule}/run", { params: { path: { schedule } } }),
  );
  print(answer, () => `${schedule} runs now`);
}

function changeTo(paused: boolean) {
  return async (schedule: Name, _options: object, command: Command): Promise<void> => {
    const { api, print } = await contextOf(command);
    const params = { path: { schedule } };
    const answer = await valueOf(api.PATCH("/admin/schedules/{schedule}", { params, body: { paused } }));
    print(answer, () => `${schedule} is ${paused ? "paused" : "not paused"}`);
  };
}
