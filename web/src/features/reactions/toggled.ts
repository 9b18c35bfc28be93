/** Reactions as they are once the viewer has added or taken back one. */
import type { ReactionName, Reactions } from "./reaction.ts";

export function toggled(before: Reactions, name: ReactionName): Reactions {
  const isMine = before.viewer.includes(name);
  const change = isMine ? -1 : 1;
  return {
    ...before,
    [name]: before[name] + change,
    total_count: before.total_count + change,
    viewer: isMine ? before.viewer.filter((each) => each !== name) : [...before.viewer, name],
  };
}
