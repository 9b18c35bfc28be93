/** What a person gave on the command line, as a body or query of the API: options that are absent are left out. */
import { UsageError } from "../connection/settings.ts";

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

/** As `given`, for commands that change something: throws when nothing was given, naming the options there are. */
export function changesIn<T extends object>(values: T, options: string): Given<T> {
  const changes = given(values);
  if (Object.keys(changes).length === 0) throw new UsageError(`nothing to change: give ${options}`);
  return changes;
}
