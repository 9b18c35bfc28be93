/** Every event in every state of a push, by its session and by what settles pushes later, with a real database and Git. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RepositoryRef } from "@forgeline/server/domains/policy/domain.ts";
import { pushStates } from "@forgeline/server/domains/hosting/pushes/push-states.ts";
import { reassignIntent } from "@forgeline/server/domains/hosting/pushes/pushes.store.ts";
import type { PushService } from "@forgeline/server/domains/hosting/pushes/service.ts";
import { systemActor } from "@forgeline/server/platform/access/actor.ts";
import { zeroId } from "@forgeline/server/platform/git/refs/names.ts";
import type { RefUpdate } from "@forgeline/server/platform/git/refs/ref-update.ts";
import type { PushSession } from "@forgeline/server/platform/git/transfer/push-session.ts";
import { startApiServer, type ApiServer } from "../../support/api-server.ts";
import { movesOf, walkStates } from "../../support/walk-states.ts";
import { settlerOf } from "./open-pushes.ts";

interface Subject {
  id: string;
  session: PushSession;
  update: RefUpdate;
}

let server: ApiServer;
let pushReconciler: PushService;
let repository: RepositoryRef;
let userId: string;
let head: string;
let pushes = 0;
const db = () => server.container.platform.db;

beforeAll(async () => {
  server = await startApiServer();
  server.container.hosting.pushes.close();
  pushReconciler = settlerOf(server, { prepare: () => Promise.resolve(() => Promise.resolve([])) });
  const ada = await server.person("ada");
  userId = ada.id;
  const body = { name: "pushed", auto_init: true };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  const plain = {
    visibility: "private",
    archived: false,
    mirror: false,
    publicPipelines: false,
    moved: false,
  } as const;
  repository = { id: json.id, owner: "ada", name: "pushed", defaultBranch: "main", ...plain };
  const branch = await server.api("GET", "/repos/ada/pushed/branches/main", { token: ada.token });
  head = branch.json.commit.sha;
});
afterAll(() => server?.stop());

/** Moves a branch of its own, once somebody does. */
async function make(): Promise<Subject> {
  const update = { ref: `refs/heads/pushed-${(pushes += 1)}`, before: zeroId, after: head };
  const actor = { ...systemActor, kind: "user" as const, userId, username: "ada" };
  const session = server.container.hosting.pushes.begin(repository, actor);
  const offered = { updates: [update], options: [], quarantine: null, certificate: null, isAtomic: false };
  expect(await session.beforeRefsMove(offered)).toMatchObject({ accept: true });
  const row = await db().one<{ id: string }>("select id from pushes where updates -> 0 ->> 'ref' = $1", [
    update.ref,
  ]);
  return { id: row?.id ?? "", session, update };
}

async function look({ id }: Subject): Promise<{ state: string; writer: string | null }> {
  const row = await db().one<{ state: string; writer: string | null }>(
    "select state, writer, updates, recorded_at from pushes where id = $1",
    [id],
  );
  return row ?? { state: "gone", writer: null };
}

const pass = async (push: Subject) =>
  reassignIntent(db(), { id: push.id, writer: (await look(push)).writer }, `another-${push.id}`);

async function moveRef({ update }: Subject): Promise<void> {
  const { git, storage } = server.container.platform;
  await git.run({
    directory: storage.directory(repository.id),
    args: ["update-ref", update.ref, update.after],
  });
}

test("a push goes by its session where the table says, and is left alone where the table has nothing", async () => {
  const events = {
    record: ({ session, update }: Subject) => session.afterRefsMoved([update]),
    refuse: ({ session }: Subject) => session.abandon(),
    pass,
  };
  expect(await walkStates({ table: pushStates, make, events, look })).toEqual(movesOf(pushStates));
});

test("what settles pushes later takes the same ways", async () => {
  const events = {
    async record(push: Subject) {
      await moveRef(push);
      await pushReconciler.settleAll();
    },
    refuse: () => pushReconciler.settleAll(),
    pass,
  };
  expect(await walkStates({ table: pushStates, make, events, look })).toEqual(movesOf(pushStates));
});
