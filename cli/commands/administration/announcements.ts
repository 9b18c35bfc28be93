/** `forgeline admin announcement`: what everybody who uses the instance is told. */
import { Command, Option } from "commander";
import { valueOf } from "../../connection/api.ts";
import { everyPage } from "../../connection/pages.ts";
import { contextOf } from "../../context.ts";
import { omitUndefined } from "../../options/omit-undefined.ts";
import { renderList } from "../../output/table.ts";

interface CreateOptions {
  level?: "info" | "warning";
  from?: string;
  until?: string;
}

export function announcementCommand(): Command {
  const announcement = new Command("announcement").description("Announcements to all users");
  announcement
    .command("list")
    .description("List announcements, including past ones, newest first")
    .action(list);
  announcement
    .command("create <message>")
    .description("Create an announcement, shown from now until it is deleted unless times are given")
    .addOption(new Option("--level <level>", "importance").choices(["info", "warning"]))
    .option("--from <time>", "start time, such as 2026-12-01T08:00:00Z")
    .option("--until <time>", "end time")
    .action(create);
  announcement.command("delete <id>").description("Delete an announcement").action(remove);
  return announcement;
}

async function list(_options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const announcements = await everyPage((query) => api.GET("/admin/announcements", { params: { query } }));
  const rows = announcements.map((a) => [a.id, a.level, a.starts_at, a.ends_at ?? "open", a.message]);
  print(announcements, () => renderList("announcements", ["ID", "LEVEL", "FROM", "UNTIL", "MESSAGE"], rows));
}

async function create(message: string, options: CreateOptions, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  const { level, from, until } = options;
  const body = { message, ...omitUndefined({ level, starts_at: from, ends_at: until }) };
  const announcement = await valueOf(api.POST("/admin/announcements", { body }));
  print(announcement, () => `created ${announcement.id}`);
}

async function remove(id: string, _options: unknown, command: Command): Promise<void> {
  const { api, print } = await contextOf(command);
  await valueOf(api.DELETE("/admin/announcements/{id}", { params: { path: { id } } }));
  print({ id, deleted: true }, () => `deleted ${id}`);
}
