/** Levels of access to a repository, as options of a field. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/repository-settings.ts";

export function LevelOptions() {
  return Object.entries(text.levels).map(([value, word]) => (
    <option key={value} value={value}>
      {word}
    </option>
  ));
}

export function levelOf(value: string | undefined): Schemas["RepositoryLevel"] {
  return (value ?? "read") as Schemas["RepositoryLevel"];
}
