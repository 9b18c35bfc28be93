/**
 * Upkeep: work that the instance does from time to time, once, however many servers it has. A service says which it has,
 * `server/upkeep-tasks.ts` lists them all, and schedules in Temporal run them (`docs/architecture/schedules.md`).
 */
export interface UpkeepTask {
  /** Of the schedule: words joined by `_`. */
  name: string;
  everyMs: number;
  /** May run again after a crash, or while another run that lost its worker still goes on. What takes long ends when the signal is aborted. */
  run(signal: AbortSignal): Promise<unknown>;
}
