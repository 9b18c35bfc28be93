/** Remembers which hosts a job's proxy refused: programs show its `403`, and few of them the words that come with it. */
import type { Reach } from "./reach.ts";

export interface NotedReach {
  reach: Reach;
  /** One sentence each, in the order in which they were asked for first. */
  refused(): readonly string[];
}

const maxNoted = 20;

/** A job may ask for any number of hosts: the first are told by name, the rest together. */
export function noteRefusals(reach: Reach): NotedReach {
  const messages = new Set<string>();
  let hasMore = false;
  return {
    async reach(target) {
      const reached = await reach(target);
      if (!("status" in reached) || reached.status !== 403) return reached;
      if (messages.size < maxNoted) messages.add(reached.message);
      else hasMore ||= !messages.has(reached.message);
      return reached;
    },
    refused: () => [...messages, ...(hasMore ? ["more hosts were refused"] : [])],
  };
}
