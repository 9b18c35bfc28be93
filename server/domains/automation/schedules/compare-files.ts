/** What pipeline files list, compared with the schedules that there are. Pure. */
import { timeAfter } from "@forgeline/compiler/cron.ts";
import type { ScheduleTrigger } from "@forgeline/compiler/triggers.ts";
import { narrowerReach } from "../../../platform/access/reach.ts";
import type { ListedSchedules } from "../../pipelines/domain.ts";
import type { ScheduleMark } from "./marks.store.ts";
import type { FileScheduleRow, StoredSchedule } from "./schedules.store.ts";

export interface FileChanges {
  added: StoredSchedule[];
  changed: StoredSchedule[];
  /** Ids. */
  removed: string[];
}

export interface Found {
  repositoryId: string;
  rows: readonly FileScheduleRow[];
  listed: readonly ListedSchedules[];
  /** Whose change of the default branch it was. */
  by: Pick<ScheduleMark, "origin" | "user_id" | "reach">;
  nowMs: number;
  newId(): string;
}

/** What a file with errors lists stays as it was. */
export function compareFiles({ rows, listed, ...found }: Found): FileChanges {
  const changes: FileChanges = { added: [], changed: [], removed: [] };
  const known = new Map(rows.map((row) => [keyOf(row.file ?? "", row.name), row]));
  const broken = new Set(listed.filter(({ schedules }) => schedules === null).map(({ file }) => file));
  for (const { file, schedules } of listed) {
    for (const trigger of schedules ?? []) {
      const key = keyOf(file, trigger.name);
      const row = known.get(key);
      known.delete(key);
      if (!row) changes.added.push(added(found, file, trigger));
      else if (!isSame(row, trigger)) changes.changed.push(changed(found, row, trigger));
    }
  }
  for (const row of known.values()) if (!broken.has(row.file ?? "")) changes.removed.push(row.id);
  return changes;
}

const keyOf = (file: string, name: string) => `${file}\n${name}`;

function isSame(row: FileScheduleRow, { cron, timezone, branch, ifMissed }: ScheduleTrigger): boolean {
  return row.cron === cron && row.timezone === timezone && row.ref === branch && row.if_missed === ifMissed;
}

type Context = Omit<Found, "rows" | "listed">;

/** Whoever wrote what a sync brings may have no rights here. */
function added(
  { by, repositoryId, nowMs, newId }: Context,
  file: string,
  trigger: ScheduleTrigger,
): StoredSchedule {
  const ownerId = by.origin === "push" ? by.user_id : null;
  const enabled = ownerId !== null;
  const disabledReason = by.origin === "push" ? "owner" : by.origin;
  return {
    id: newId(),
    ...storedOf({ repositoryId, file, trigger, nowMs, enabled }),
    disabledReason: enabled ? null : disabledReason,
    ownerId,
    reach: by.reach,
  };
}

/** Who changes one by a push takes it over if its owner has lost their rights. */
function changed(
  { by, repositoryId, nowMs }: Context,
  row: FileScheduleRow,
  trigger: ScheduleTrigger,
): StoredSchedule {
  const takesOver = row.disabled_reason === "owner" && by.origin === "push" && by.user_id !== null;
  const enabled = row.enabled || takesOver;
  return {
    id: row.id,
    ...storedOf({ repositoryId, file: row.file ?? "", trigger, nowMs, enabled }),
    disabledReason: takesOver ? null : row.disabled_reason,
    ownerId: takesOver ? by.user_id : row.owner_id,
    reach: takesOver ? by.reach : narrowerReach(row.reach, by.reach),
  };
}

function storedOf({
  repositoryId,
  file,
  trigger,
  nowMs,
  enabled,
}: {
  repositoryId: string;
  file: string;
  trigger: ScheduleTrigger;
  nowMs: number;
  enabled: boolean;
}) {
  const { name, cron, timezone, branch: ref, ifMissed } = trigger;
  const nextMs = enabled ? timeAfter({ cron, timezone }, nowMs) : undefined;
  return {
    repositoryId,
    source: "file" as const,
    file,
    name,
    cron,
    timezone,
    ref,
    variables: {},
    inputs: {},
    ifMissed,
    enabled: nextMs !== undefined,
    nextAt: nextMs === undefined ? null : new Date(nextMs),
  };
}
