/** What a person gave on the command line, as a body or query of the API: options that are absent are left out. */
import { UsageError } from "../connection/settings.ts";

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function omitUndefined<T extends object>(values: T): Present<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<T>;
}

/** As `omitUndefined`, for commands that change something: throws when nothing was given, naming the options there are. */
export function requireChanges<T extends object>(values: T, options: string): Present<T> {
  const changes = omitUndefined(values);
  if (Object.keys(changes).length === 0) throw new UsageError(`nothing to change: give ${options}`);
  return changes;
}
