/** What happens at once to a merge request, by name. What comes of it is for `judge.ts`. */
import { setTimeout as sleep } from "node:timers/promises";
import { asking, type Answer, type Person, type RacePlace, type RaceWorld } from "./world.ts";

/** Somebody asked for something, and was answered. */
export interface Done {
  what: "merge" | "merge after the rule" | "rule" | "approve" | "push" | "other";
  person: Person;
  status: number;
  message: string | undefined;
}

export interface Race {
  place: RacePlace;
  kind: Kind;
  /** `path` of the merge request, below `/api/v1`; undefined: none is there yet. */
  at: string;
  number: number;
  source: string;
  target: string;
  /** Only its commit has it: the target has it exactly once if it is merged, else not at all. */
  file: string;
  head: string;
  random: () => number;
}

interface Acting {
  (person: Person, what: Done["what"], method: string, path: string, body?: unknown): Promise<Answer>;
  push(person: Person, to: { branch: string; file: string; inFork?: boolean }): Promise<Answer>;
}

export interface Kind {
  name: string;
  /** Of its target: which rule is on it. */
  rule?: "approved" | "queued" | "several";
  isForeign?: boolean;
  /** The target has commits that the source lacks. */
  isBehind?: boolean;
  /** Nothing is opened before the race. */
  isUnopened?: boolean;
  before?(race: Race, world: RaceWorld): Promise<unknown>;
  /** All at once, each after a moment. */
  racers(race: Race, act: Acting): (() => Promise<unknown>)[];
  after?(race: Race, act: Acting): Promise<unknown>;
}

const repositoryOf = ({ place }: Race) => `/repos/${place.upstream.name}`;
const queueOf = (race: Race) => `${repositoryOf(race)}/merge-queue`;
const approval = ({ head }: Race) => ({ event: "approve", commit_sha: head, body: "So." });
const merge = ({ at }: Race, act: Acting, strategy = "merge", person: Person = "ada") =>
  act(person, "merge", "PUT", `${at}/merge`, { strategy });
const pushSource = ({ source, file }: Race, act: Acting, inFork = false) =>
  act.push("bob", { branch: source, file: `late-${file}`, inFork });

async function cancel(race: Race, act: Acting): Promise<void> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { status } = await act("bob", "other", "DELETE", `${queueOf(race)}/${race.number}`);
    if (status === 204) return;
  }
}

/** Of those that wait for one branch at once, in batches on top of each other, while this happens to one of them. */
function several(
  some: readonly { name: string; other: (race: Race, act: Acting) => Promise<unknown> }[],
): Kind[] {
  return some.map(({ name, other }) => ({
    name: `several batches and ${name}`,
    rule: "several",
    racers: (race, act) => [
      () => act("ada", "other", "POST", queueOf(race), { number: race.number }),
      () => other(race, act),
    ],
  }));
}

export const kinds: readonly Kind[] = [
  {
    name: "merge and merge",
    racers: (race, act) => [() => merge(race, act), () => merge(race, act, "squash", "bob")],
  },
  {
    name: "merge and push to the target",
    racers: (race, act) => [
      () => merge(race, act, "squash"),
      () => act.push("bob", { branch: race.target, file: `side-${race.file}` }),
    ],
  },
  {
    name: "merge and push to the source",
    racers: (race, act) => [() => merge(race, act), () => pushSource(race, act)],
  },
  {
    name: "approval and push",
    rule: "approved",
    racers: (race, act) => [
      async () => {
        await act("cat", "approve", "POST", `${race.at}/reviews`, approval(race));
        await merge(race, act);
      },
      () => pushSource(race, act),
    ],
  },
  {
    name: "approval and push in a fork",
    rule: "approved",
    isForeign: true,
    racers: (race, act) => [
      async () => {
        await act("cat", "approve", "POST", `${race.at}/reviews`, approval(race));
        await merge(race, act);
      },
      () => pushSource(race, act, true),
    ],
  },
  {
    name: "merge and a rule's change",
    racers: (race, act) => [
      () => merge(race, act),
      () =>
        act("ada", "rule", "POST", `${repositoryOf(race)}/branch-protections`, {
          pattern: race.target,
          required_approvals: 1,
        }),
    ],
    after: ({ at }, act) => act("bob", "merge after the rule", "PUT", `${at}/merge`, {}),
  },
  {
    name: "queue and cancel",
    rule: "queued",
    racers: (race, act) => [
      () => act("ada", "other", "POST", queueOf(race), { number: race.number }),
      () => cancel(race, act),
    ],
  },
  {
    name: "queue and push",
    rule: "queued",
    racers: (race, act) => [
      () => act("ada", "other", "POST", queueOf(race), { number: race.number, strategy: "squash" }),
      () => pushSource(race, act),
    ],
  },
  ...several([
    { name: "cancel", other: cancel },
    { name: "push to the source", other: pushSource },
    {
      name: "push to the target",
      other: (race, act) => act.push("bob", { branch: race.target, file: `side-${race.file}` }),
    },
    {
      // With batches of two, what is being tested is not what would be made now.
      name: "a rule's change",
      other: (race, act) =>
        act("ada", "other", "POST", `${repositoryOf(race)}/branch-protections`, {
          pattern: race.target,
          push_level: "write",
          merge_queue: { max_batch: 2, parallel_batches: 2 },
        }),
    },
  ]),
  {
    name: "auto-merge and close",
    rule: "approved",
    before: ({ at }, world) => asking(world, "ada")("PUT", `${at}/auto-merge`, {}),
    racers: (race, act) => [
      () => act("cat", "approve", "POST", `${race.at}/reviews`, approval(race)),
      () => act("bob", "other", "POST", `${race.at}/close`),
    ],
  },
  {
    name: "merge and the source branch's deletion",
    racers: (race, act) => [
      () => merge(race, act),
      () => act("bob", "other", "DELETE", `${repositoryOf(race)}/branches/${race.source}`),
    ],
  },
  {
    name: "update and push",
    isBehind: true,
    racers: (race, act) => [
      () => act("ada", "other", "POST", `${race.at}/update-branch`, {}),
      () => pushSource(race, act),
    ],
  },
  {
    name: "rebase and merge",
    isBehind: true,
    racers: (race, act) => [
      () => act("ada", "other", "POST", `${race.at}/rebase`, {}),
      () => merge(race, act, "merge", "bob"),
    ],
  },
  {
    name: "merge and push in a fork",
    isForeign: true,
    racers: (race, act) => [() => merge(race, act), () => pushSource(race, act, true)],
  },
  {
    name: "create and create",
    isUnopened: true,
    racers: (race, act) => {
      const { source, target } = race;
      const opened = { title: source, source_branch: source, target_branch: target };
      const path = `${repositoryOf(race)}/merge-requests`;
      return [
        ...(["ada", "bob"] as const).map((person) => () => act(person, "other", "POST", path, opened)),
        () => act("cat", "other", "POST", `${repositoryOf(race)}/issues`, { title: source }),
      ];
    },
  },
  {
    // Of two that go from one branch to the other and back, each push concerns both.
    name: "push to both sides of two",
    before: ({ place, source, target }, world) =>
      asking(world, "bob")("POST", `/repos/${place.upstream.name}/merge-requests`, {
        title: "Back",
        source_branch: target,
        target_branch: source,
      }),
    isBehind: true,
    racers: (race, act) => [
      () => pushSource(race, act),
      () => act.push("ada", { branch: race.target, file: `side-${race.file}` }),
    ],
  },
];

/** Runs one; what everybody was answered. Each racer begins after a moment of up to `pauseMs`, half of them at once. */
export async function run(world: RaceWorld, race: Race, pauseMs: number): Promise<Done[]> {
  const done: Done[] = [];
  const note = (what: Done["what"], person: Person, { status, json }: Answer) =>
    done.push({ what, person, status, message: json?.message });
  const ask = async (...[person, what, method, path, body]: Parameters<Acting>) => {
    const answer = await world.call(person, method, path, body);
    note(what, person, answer);
    return answer;
  };
  const push: Acting["push"] = async (person, { inFork, ...to }) => {
    const { fork, upstream } = race.place;
    const answer = await world.push(person, inFork ? fork : upstream, to);
    note("push", person, answer);
    return answer;
  };
  const act: Acting = Object.assign(ask, { push });
  const racers = race.kind.racers(race, act).map(async (racer) => {
    await sleep(race.random() * (race.random() < 0.5 ? 50 : pauseMs));
    await racer();
  });
  await Promise.all(racers);
  await race.kind.after?.(race, act);
  return done;
}
