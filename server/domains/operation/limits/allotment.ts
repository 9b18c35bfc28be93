/**
 * What this process holds of one subject's window: requests that it has reserved and not used yet. The end of a window
 * is kept on the monotonic clock, so that a wall clock that jumps moves nothing.
 */
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Unused, ReservedRow } from "./limits.store.ts";
import type { Subject } from "../../../platform/access/subject.ts";

interface Window {
  startedAt: Date;
  endsAt: Date;
  untilMs: number;
  limit: number;
  /** What was left in the database at the last request. */
  potLeft: number;
}

export interface Allotment {
  category: RateCategory;
  subject: Subject;
  window: Window | undefined;
  left: number;
  /** Size of the next reservation; doubles, so that rare callers hold nothing. */
  block: number;
  usedAtMs: number;
  /** The database had nothing left, and is not asked again until then. */
  emptyUntilMs: number;
  /** Requests that wait for `asking`. */
  waiting: number;
  asking: Promise<void> | undefined;
}

const largestBlock = 1_000;
const recheckMs = 1_000;

export function newAllotment(category: RateCategory, subject: Subject): Allotment {
  return {
    category,
    subject,
    window: undefined,
    left: 0,
    block: 1,
    usedAtMs: 0,
    emptyUntilMs: 0,
    waiting: 0,
    asking: undefined,
  };
}

/** Takes `cost` of what is held; false when that is too little or the window is over. */
export function draw(allotment: Allotment, cost: number, nowMs: number): boolean {
  allotment.usedAtMs = nowMs;
  if (allotment.window && allotment.window.untilMs <= nowMs)
    Object.assign(allotment, { window: undefined, left: 0, block: 1, emptyUntilMs: 0 });
  if (allotment.left < cost) return false;
  allotment.left -= cost;
  return true;
}

/** Adds the result of a reservation that was requested at `askedAtMs`. At most a hundredth of the limit is held at a time. */
export function addReserved(
  allotment: Allotment,
  row: ReservedRow,
  asked: { need: number; atMs: number },
): void {
  const sameWindow = allotment.window?.startedAt.getTime() === row.started_at.getTime();
  allotment.left = (sameWindow ? allotment.left : 0) + row.granted;
  allotment.window = {
    startedAt: row.started_at,
    endsAt: row.ends_at,
    untilMs: asked.atMs + row.ms_left,
    limit: row.requests,
    potLeft: Math.max(0, row.requests - row.taken),
  };
  allotment.block = Math.min(allotment.block * 2, Math.max(1, Math.floor(row.requests / 100)), largestBlock);
  allotment.emptyUntilMs = row.granted < asked.need ? asked.atMs + Math.min(recheckMs, row.ms_left) : 0;
}

/** What must be given back when the allotment is dropped, if anything. */
export function unusedOf(allotment: Allotment, nowMs: number): Unused | undefined {
  const { category, subject, window, left } = allotment;
  if (!window || left === 0 || window.untilMs <= nowMs) return undefined;
  return { category, subject: subject.key, startedAt: window.startedAt, count: left };
}
