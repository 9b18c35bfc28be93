/** What `forgeline-init` has written down: that it is ready, which steps have begun, how they ended. */

export interface SupervisorExit {
  code: number;
  /** Processes of the container that the kernel killed for memory meanwhile. */
  oomKills: number;
  /** Processes that could not be made, since there were too many. */
  forksRefused: number;
  /** Number of the error that kept the log from being written whole; 0 for none. */
  logError: number;
}

export interface Journal {
  /** Whom steps run as, and whether the image has a shell; null until the supervisor waits for steps. */
  ready: { uid: number; gid: number; hasShell: boolean } | null;
  begun: ReadonlySet<number>;
  ended: ReadonlyMap<number, SupervisorExit>;
  /** Steps that ran while another one of the same container did: what the kernel counted can be of either. */
  beside: ReadonlySet<number>;
  /** Whether the workspace was given to the steps' user; null until it was requested and done. */
  owned: boolean | null;
}

/** A line without its end is one still being written. */
export function parseJournal(text: string): Journal {
  const begun = new Set<number>();
  const ended = new Map<number, SupervisorExit>();
  const running = new Set<number>();
  const beside = new Set<number>();
  let ready: Journal["ready"] = null;
  let owned: boolean | null = null;
  for (const line of text.split("\n").slice(0, -1)) {
    const [word, ...rest] = line.split(" ");
    const [first = NaN, second = NaN, third = NaN, fourth = NaN, fifth = NaN] = rest.map(Number);
    if (word === "ready") ready = { uid: first, gid: second, hasShell: rest[2] === "sh" };
    if (word === "begun") {
      begun.add(first);
      running.add(first);
      if (running.size > 1) for (const position of running) beside.add(position);
    }
    if (word === "owned") owned = first === 0;
    if (word === "ended" && rest.length === 5 && rest.every((part) => /^-?\d+$/.test(part))) {
      ended.set(first, { code: second, oomKills: third, forksRefused: fourth, logError: fifth });
      running.delete(first);
    }
  }
  return { ready, begun, ended, beside, owned };
}
