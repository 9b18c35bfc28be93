/** What happens to merge requests at once has one outcome: the same in Git, the database, its events, timelines and answers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { addressWithToken, createGitClient } from "../../git/git-client.ts";
import { judge, judgeNumbers, unrest } from "../../../support/merge-races/judge.ts";
import { kinds, run, type Done } from "../../../support/merge-races/kinds.ts";
import { prepare } from "../../../support/merge-races/prepare.ts";
import {
  asking,
  importOf,
  makePlace,
  pushByRest,
  type Person,
  type RacePlace,
  type RaceWorld,
} from "../../../support/merge-races/world.ts";
import { lockWait } from "../../../support/lock-wait.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { seed, size } from "../../../support/size.ts";

let server: ApiServer;
let world: RaceWorld;
let places: RacePlace[];
const people: Record<string, TestPerson> = {};

beforeAll(async () => {
  server = await startApiServer();
  for (const name of ["ada", "bob", "cat"]) people[name] = await server.person(name);
  const { git, storage, db } = server.container.platform;
  const call: RaceWorld["call"] = (person, method, path, body) =>
    server.api(method, path, { token: people[person]!.token, body });
  world = {
    call,
    query: (sql, values = []) => db.query(sql, [...values]) as Promise<never>,
    async git(id, args, input) {
      const directory = storage.directory(id);
      const { stdout } = await git.run({
        directory,
        args: [...args],
        ...(input === undefined ? {} : { input }),
      });
      return stdout.toString("utf8").trim();
    },
    push: (person, repository, to) => pushByRest({ call }, person, { repository, ...to }),
  };
  places = await Promise.all([1, 2, 3, 4].map((number) => makePlace(world, `race-${number}`)));
});
afterAll(() => server?.stop());

const random = seededRandom(seed);
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}
/** How many PostgreSQL has ended by undoing somebody; each connection tells of its own when it is asked to. */
async function deadlocks(): Promise<number> {
  const telling = "select pg_stat_force_next_flush(), pg_sleep(0.05)";
  await Promise.all(Array.from({ length: 12 }, () => world.query(telling)));
  const sql = "select deadlocks::int from pg_stat_database where datname = current_database()";
  const [row] = await world.query<{ deadlocks: number }>(sql);
  return row!.deadlocks;
}
const makeBranches = (repository: { id: string; main: string }, branches: Parameters<typeof importOf>[0]) =>
  world.git(repository.id, ["fast-import", "--quiet", "--done"], importOf(branches, repository.main));

/** Those of several batches wait for each other, which takes minutes on a busy machine: `npm run chaos` has them. */
const raced = kinds.filter(({ rule }) => rule !== "several");

/** Each kind in turn, side by side in several repositories. */
async function play(round: number, place: RacePlace, count: number) {
  const wanted = Array.from({ length: count }, (_, n) => {
    const kind = raced[(round + n) % raced.length]!;
    return { kind, id: `${round}-${n}` };
  });
  const races = await prepare({ world, place, random, makeBranches }, wanted);
  return Promise.all(races.map(async (race) => ({ race, done: await run(world, race, 40) })));
}

it("has one outcome, whatever comes together, a hundred times", async () => {
  const rounds = size(2, 40);
  for (let round = 0; round < rounds; round += 1) {
    const played = await Promise.all(places.map((place, n) => play(round * 4 + n, place, 13)));
    await eventually(async () => expect(await unrest(world, places)).toBe(null), { timeoutMs: 40_000 });
    for (const [n, place] of places.entries()) {
      const judged = await judge(world, place, played[n]!);
      expect(judged.flatMap(({ problems }) => problems)).toEqual([]);
      expect(await judgeNumbers(world, place)).toEqual([]);
    }
  }
  expect(await deadlocks()).toBe(0);
});

it("locks what pushes concern in one order, so that none of two at once is undone", async () => {
  const { upstream, fork } = places[0]!;
  const targets = ["north", "south"];
  await makeBranches(
    upstream,
    targets.map((name) => ({ name })),
  );
  await makeBranches(fork, [{ name: "topic", file: "topic.txt" }]);
  const [first, second] = await inTurn(targets, async (target) => {
    const wanted = { title: target, source_branch: "topic", source_repo: fork.name, target_branch: target };
    return (await asking(world, "bob")("POST", `/repos/${upstream.name}/merge-requests`, wanted)).json.id;
  });
  await eventually(async () => expect(await unrest(world, places)).toBe(null));
  const { db } = server.container.platform;
  // A statement that changes both comes to the second one first.
  await eventually(async () => {
    // In indexes, too: one of them has this column.
    for (const due of ["now() + interval '1 hour'", "null"])
      await db.query(`update merge_requests set check_due_at = ${due} where id = $1`, [first]);
    const order = "select id from merge_requests where id = any ($1) order by ctid";
    return (await db.query(order, [[first, second]]))[0]?.["id"] === second;
  });
  const git = await createGitClient(server.caFile);
  const address = addressWithToken(server.webUrl, upstream.name, people["ada"]!.token);
  const cwd = await git.workTree();
  const pushes = await db.transaction(async (tx) => {
    await tx.query("select from work_items where id = $1 for update", [second]);
    const deleting = git.ok(["push", "-q", address, ...targets.map((name) => `:refs/heads/${name}`)], {
      cwd,
    });
    await lockWait(db);
    const pushing = world.push("bob", fork, { branch: "topic", file: "late-topic.txt" });
    // One of them waits for the other one, or has come to its end.
    await Promise.race([lockWait(db, 2), pushing]);
    return { deleting, pushing };
  });
  expect((await pushes.pushing).status).toBe(200);
  await pushes.deleting;
  await git.remove();
  const states = await world.query("select distinct state from work_items where id = any ($1)", [
    [first, second],
  ]);
  expect(states).toEqual([{ state: "closed" }]);
  expect(await deadlocks()).toBe(0);
});

it("leaves a merge that began during a comparison to whoever merges", async () => {
  const [place] = places;
  const { upstream } = place!;
  const [race] = await prepare({ world, place: place!, random, makeBranches }, [
    { kind: kinds[0]!, id: "compared" },
  ]);
  await eventually(async () => expect(await unrest(world, places)).toBe(null));
  const { source, target, number, head } = race!;
  const { db } = server.container.platform;
  const item = "select w.id from work_items w where w.repository_id = $1 and w.number = $2";
  const stateOf = async () => (await world.call("ada", "GET", race!.at)).json;
  await db.transaction(async (tx) => {
    await tx.query(`${item} for update`, [upstream.id, number]);
    // The branch has moved, and the record of that is on its way.
    await world.git(upstream.id, ["update-ref", `refs/heads/${target}`, head]);
    await db.query(
      `update merge_requests set check_wanted = check_wanted + 1, check_due_at = now(), target_pusher_id =
         (select id from users where username = 'cat') where id = (${item})`,
      [upstream.id, number],
    );
    await lockWait(db);
    await tx.query(
      `update merge_requests set merging_sha = $3, merging_head_sha = $3, merging_strategy = 'fast_forward', merging_at = now(),
         merging_by = (select id from users where username = 'bob') where id = (${item})`,
      [upstream.id, number, head],
    );
  });
  const looked = `select 1 from merge_requests where id = (${item}) and check_due_at between now() and now() + interval '10 seconds'`;
  await eventually(async () => (await world.query(looked, [upstream.id, number])).length === 1);
  expect((await stateOf()).state).toBe("open");
  // Its server has died.
  await db.query(
    `update merge_requests set merging_at = now() - interval '3 minutes', check_due_at = now() where id = (${item})`,
    [upstream.id, number],
  );
  await eventually(async () => (await stateOf()).state === "merged");
  expect(await stateOf()).toMatchObject({
    merged_by: { username: "bob" },
    source_branch: source,
    merge_sha: head,
  });
});

it("does not move the target for a merge that has taken too long, once another one has begun", async () => {
  const [place] = places;
  const [race] = await prepare({ world, place: place!, random, makeBranches }, [
    { kind: kinds[0]!, id: "overtaken" },
  ]);
  const { db } = server.container.platform;
  const merge = (person: Person, strategy: string) =>
    world.call(person, "PUT", `${race!.at}/merge`, { strategy });
  const [slow, quick] = await db.transaction(async (tx) => {
    await tx.query("lock table pushes in share mode");
    const first = merge("ada", "squash");
    await lockWait(db);
    await db.query(
      "update merge_requests set merging_at = now() - interval '3 minutes' where source_branch = $1",
      [race!.source],
    );
    const second = merge("bob", "merge");
    await lockWait(db, 2);
    return [first, second];
  });
  expect([(await slow!).status, (await quick!).status]).toEqual([409, 200]);
  await eventually(async () => expect(await unrest(world, places)).toBe(null), { timeoutMs: 40_000 });
  const done: Done[] = [{ what: "merge", person: "bob", status: 200, message: undefined }];
  const [judged] = await judge(world, place!, [{ race: race!, done }]);
  expect(judged).toMatchObject({ outcome: "merged", problems: [] });
});
