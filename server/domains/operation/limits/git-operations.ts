/**
 * Git operations that have begun and were counted: the exchanges that follow belong to them, in whichever process they
 * arrive. They are kept as windows of `rate_limit_windows`: `requests` operations, and `taken` exchanges of theirs.
 */
import type { Queryable } from "../../../platform/db/database.ts";

/** More than any fetch negotiates; a client that needs more has begun another operation. */
const exchangesAnOperation = 20;
/** An operation that has not ended by then is forgotten. */
const openSeconds = 3600;

export interface GitOperations {
  begin(place: string, exchanges: 0 | 1): Promise<void>;
  /** False when no operation is open there to which another exchange could belong. */
  join(place: string): Promise<boolean>;
  /** False when none was open. */
  end(place: string): Promise<boolean>;
}

/** `place` tells apart who, where and what: a clone is not continued by a push, nor in another repository. */
export function createGitOperations(db: Queryable): GitOperations {
  return {
    async begin(place, exchanges) {
      await db.query(
        `insert into rate_limit_windows as w (category, subject, started_at, ends_at, requests, taken, granted)
         select 'git', $1, now, now + make_interval(secs => $2), 1, $3::int, 0
         from (select clock_timestamp() as now, set_config('synchronous_commit', 'off', true)) quick
         on conflict (category, subject) do update set started_at = excluded.started_at, ends_at = excluded.ends_at,
           requests = excluded.requests + case when w.ends_at > excluded.started_at then w.requests else 0 end,
           taken = excluded.taken + case when w.ends_at > excluded.started_at then w.taken else 0 end`,
        [`operation:${place}`, openSeconds, exchanges],
      );
    },
    async join(place) {
      const row = await db.one(
        `update rate_limit_windows set taken = taken + 1
         from (select set_config('synchronous_commit', 'off', true)) quick
         where category = 'git' and subject = $1 and ends_at > clock_timestamp() and taken < requests * $2::int
         returning taken`,
        [`operation:${place}`, exchangesAnOperation],
      );
      return row !== undefined;
    },
    async end(place) {
      const row = await db.one(
        `update rate_limit_windows set requests = requests - 1, taken = greatest(0, taken - $2::int)
         from (select set_config('synchronous_commit', 'off', true)) quick
         where category = 'git' and subject = $1 and ends_at > clock_timestamp() and requests > 0
         returning requests`,
        [`operation:${place}`, exchangesAnOperation],
      );
      return row !== undefined;
    },
  };
}
