/** What somebody wants of a schedule, as it is stored. Pure. */
import { timeAfter } from "@forgeline/compiler/cron.ts";
import type { ScheduleCreate, ScheduleUpdate } from "@forgeline/schemas/schedules/resource.ts";
import { narrowerReach, type Reach } from "../../../platform/access/reach.ts";
import { AppError } from "../../../platform/app-error.ts";
import { readCronTimes } from "../mirrors/timing.ts";
import type { ScheduleRow, StoredSchedule } from "./schedules.store.ts";

/** Who changes it, and how far their credential reaches. */
export interface Changer {
  ownerId: string;
  reach: Reach;
}

/** One that is made by hand. Throws `validation_failed`. */
export function storedOf(
  wanted: ScheduleCreate,
  of: { id: string; repositoryId: string } & Changer,
): StoredSchedule {
  const { pipeline, if_missed: ifMissed, cron, timezone, ...rest } = wanted;
  return withNextTime({
    ...of,
    ...rest,
    ...readCronTimes({ cron, timezone }),
    source: "manual",
    file: pipeline,
    ifMissed,
    disabledReason: null,
    nextAt: null,
  });
}

/**
 * `changed`: names of what is different. Throws `validation_failed`, and `conflict` for anything but on and off of a schedule that a file
 * lists.
 */
export function changeOf(
  row: ScheduleRow,
  wanted: ScheduleUpdate,
  by: Changer,
): { after: StoredSchedule; changed: string[] } {
  const before = shownOf(row);
  const changed = Object.keys(before).filter((name) =>
    isChanged(before, wanted, name as keyof ScheduleCreate),
  );
  if (row.source === "file" && changed.some((name) => name !== "enabled"))
    throw new AppError("conflict", { message: inFile(row) });
  const { pipeline, if_missed: ifMissed, ...rest } = { ...before, ...given(wanted) };
  const isTurnedOn = rest.enabled && !row.enabled;
  // Who owned it may not run pipelines here, or nobody did.
  const takesOver = isTurnedOn && (row.disabled_reason !== null || row.owner_id === null);
  const isLineNew = changed.includes("cron") || changed.includes("timezone");
  const after: StoredSchedule = {
    ...rest,
    ...(isLineNew ? readCronTimes(rest) : {}),
    id: row.id,
    repositoryId: row.repository_id,
    source: row.source,
    file: pipeline,
    ifMissed,
    disabledReason: rest.enabled ? null : row.disabled_reason,
    ownerId: takesOver ? by.ownerId : row.owner_id,
    reach: takesOver ? by.reach : narrowerReach(row.reach, by.reach),
    nextAt: row.next_at,
  };
  return { after: isTurnedOn || isLineNew || !rest.enabled ? withNextTime(after) : after, changed };
}

export function inFile({ file }: Pick<ScheduleRow, "file">): string {
  return `${file} lists it: change it there. Here it can only be turned on and off.`;
}

function shownOf(row: ScheduleRow): ScheduleCreate {
  const { name, cron, timezone, ref, file: pipeline, inputs, variables, if_missed, enabled } = row;
  return { name, cron, timezone, ref, pipeline, inputs, variables, if_missed, enabled };
}

function given(wanted: ScheduleUpdate): Partial<ScheduleCreate> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
}

function isChanged(before: ScheduleCreate, wanted: ScheduleUpdate, name: keyof ScheduleCreate): boolean {
  const value = wanted[name];
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name]);
}

function withNextTime(schedule: StoredSchedule): StoredSchedule {
  const nextMs = schedule.enabled ? timeAfter(schedule, Date.now()) : undefined;
  // A line may never come again.
  if (nextMs === undefined) return { ...schedule, enabled: false, nextAt: null };
  return { ...schedule, nextAt: new Date(nextMs) };
}
