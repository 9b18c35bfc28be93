/**
 * Git operations that have begun and were counted: the exchanges that follow belong to them, in whichever process they
 * arrive.
 */
import type { Queryable } from "../../../platform/db/database.ts";
import { beginOperation, endOperation, joinOperation } from "./git-operations.store.ts";

/** More than any fetch needs; a client that sends more has begun another operation. */
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

/** `place` identifies who, where and what: a push does not continue a clone, nor does a clone of another repository. */
export function createGitOperations(db: Queryable): GitOperations {
  const subjectOf = (place: string) => `operation:${place}`;
  return {
    begin: (place, exchanges) => beginOperation(db, subjectOf(place), { exchanges, openSeconds }),
    join: (place) => joinOperation(db, subjectOf(place), exchangesAnOperation),
    end: (place) => endOperation(db, subjectOf(place), exchangesAnOperation),
  };
}
