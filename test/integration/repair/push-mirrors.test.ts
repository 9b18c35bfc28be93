/** After a restore the target of a push mirror may be newer than what is here: nothing there is overwritten before somebody has looked. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { startMirrorBed, type MirrorBed } from "../../support/mirror-bed.ts";
import { addPushMirror, caughtUp, commitHere, createTarget } from "../../support/push-mirror-bed.ts";

let bed: MirrorBed;
beforeAll(async () => {
  bed = await startMirrorBed({ name: "restored-push-mirrors" });
});
afterAll(() => bed?.close());

test("old refs are pushed over newer ones neither by force nor without it", async () => {
  const repository = await bed.repository({ readme: true });
  const [plain, forced] = [await createTarget(bed), await createTarget(bed)];
  const careful = await addPushMirror(bed, repository, { url: plain.url });
  const forcing = await addPushMirror(bed, repository, { url: forced.url, force: true });
  const backup = {
    refs: await repository.refs(),
    known: await bed.database.query(
      "select push_mirror_id, ref, oid from pushed_refs order by push_mirror_id",
    ),
  };
  await commitHere(bed, repository);
  await bed.send("POST", `${repository.at}/branches`, { name: "later", ref: "main" });
  await caughtUp(repository, plain);
  await caughtUp(repository, forced);
  // A sync that is asked for late would push what is restored before anybody has repaired: after a restore, no worker runs yet.
  await bed.database.query("update push_mirrors set on_push = false");
  await eventually(async () => {
    const open = await bed.database.query(
      `select id from push_mirrors where requested is not null
       union all select id from mirror_syncs where status = 'running'`,
    );
    return open.length === 0;
  });
  const newer = await plain.refs();
  await restore(repository.directory, backup);
  // The backup was made while somebody waited for a sync, and one was running.
  await bed.database.query("update push_mirrors set requested = 'manual' where id = $1", [forcing.id]);
  await bed.database.query(
    "insert into mirror_syncs (id, push_mirror_id, cause, work) values ('sync_' || repeat('z', 26), $1, 'push', 'restored')",
    [forcing.id],
  );
  const found = await bed.server.container.upkeep.repair.run();
  expect(found.filter(({ kind }) => kind === "push_mirror_paused")).toMatchObject([
    { subject: `ada/${repository.name}`, text: expect.stringContaining(forced.url) },
  ]);
  const { pushMirrorSyncs } = bed.server.container.automation;
  const signal = new AbortController().signal;
  for (const { id } of [careful, forcing])
    for (const work of ["restored", "scheduled"]) await pushMirrorSyncs.sync(id, { work, signal });
  expect(await plain.refs()).toEqual(newer);
  expect(await forced.refs()).toEqual(newer);
  expect(await careful.get()).toMatchObject({ status: "diverged", enabled: true });
  expect(await forcing.get()).toMatchObject({ status: "paused", disabled_reason: "restored" });
  const again = await bed.server.container.upkeep.repair.run();
  expect(again.map(({ kind }) => kind)).not.toContain("push_mirror_paused");
  // Who has looked may want just that.
  await forcing.change({ enabled: true });
  await caughtUp(repository, forced);
  expect(await forcing.get()).toMatchObject({ disabled_reason: null });
});

interface Backup {
  refs: string[];
  known: unknown[];
}

/** The repository, and what is known of its targets, as they were. */
async function restore(directory: string, { refs, known }: Backup): Promise<void> {
  const { run } = bed.server.container.platform.git;
  const input = [
    "delete refs/heads/later",
    ...refs.map((line) => `update ${line.slice(41)} ${line.slice(0, 40)}`),
  ];
  await run({ directory, args: ["update-ref", "--stdin"], input: `${input.join("\n")}\n` });
  await bed.database.query("delete from pushed_refs");
  await bed.database.query(
    `insert into pushed_refs (push_mirror_id, ref, oid)
     select * from jsonb_to_recordset($1::jsonb) as k (push_mirror_id text, ref text, oid text)`,
    [JSON.stringify(known)],
  );
}
