/** What `docs/pipelines/concurrency.md` promises of the queue, as a model that fits on a screen. */
export interface ModelRule {
  group: string;
  limit: number;
  order: "created" | "ready";
  waiting: "all" | "newest";
  cancelRunning: boolean;
}

export interface ModelSlot {
  job: string;
  run: string;
  repository: string;
  /** Repository or organization. */
  owner: string;
  rule: ModelRule;
  state: "expected" | "waiting" | "held" | "superseded";
  /** The newer run for which it is cancelled. */
  by: string | null;
}

export function slotModel() {
  /** By age: the first of a group goes first. */
  let slots: ModelSlot[] = [];
  const told: string[] = [];
  const tell = ({ job, by }: ModelSlot) => told.push(`${job} ${by === null ? "look" : "give way"}`);
  const together = ({ owner, rule }: ModelSlot) =>
    slots.filter((one) => one.owner === owner && one.rule.group === rule.group);

  /** Who asks sees what it got and is not told of it. */
  function settle(of: ModelSlot, asking?: ModelSlot): void {
    const all = together(of);
    const head = all.find(({ state }) => state === "waiting");
    if (!head || all.filter(({ state }) => state === "held").length >= head.rule.limit) return;
    const mayAsk = ({ state, run }: ModelSlot) => state === "expected" && run !== head.run;
    if (head.rule.order === "created" && all.slice(0, all.indexOf(head)).some(mayAsk)) return;
    head.state = "held";
    if (head !== asking) tell(head);
    settle(of, asking);
  }

  function ask(asking: ModelSlot): void {
    const all = together(asking).filter(({ by, run }) => by === null && run !== asking.run);
    const isOlder = (one: ModelSlot) => slots.indexOf(one) < slots.indexOf(asking);
    const newest = all.findLast((one) => one.state === "waiting" && one.rule.waiting === "newest");
    for (const one of all.filter(isOlder)) {
      if (one.state === "held" && asking.rule.cancelRunning) one.by = asking.run;
      else if (one.state === "waiting" && asking.rule.waiting === "newest")
        Object.assign(one, { by: asking.run, state: "superseded" });
      if (one.by !== null) tell(one);
    }
    asking.state = "waiting";
    if (newest && !isOlder(newest)) Object.assign(asking, { by: newest.run, state: "superseded" });
    settle(asking, asking);
  }

  function end(gone: readonly ModelSlot[]): void {
    slots = slots.filter((one) => !gone.includes(one));
    for (const one of gone) settle(one);
  }

  return {
    slots: () => slots,
    told: () => told.splice(0).toSorted(),
    find: (job: string) => slots.find((one) => one.job === job),
    add: (slot: ModelSlot) => slots.push(slot),
    ask,
    end,
    /** What is held stays where it is. `to`: null without an organization that shares groups. */
    move(moved: readonly ModelSlot[], to: string | null): void {
      const left = moved.map((one) => ({ ...one }));
      for (const one of moved) if (to !== null) one.owner = to;
      if (to === null) moved.forEach(tell);
      if (to === null) slots = slots.filter((one) => !moved.includes(one));
      for (const one of [...left, ...moved]) settle(one);
    },
  };
}
