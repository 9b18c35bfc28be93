/**
 * One instance without runners for those test files of a process that kill its worker, beside what it speaks to: a receiver and a Git
 * server of somebody else. An instance of its own would cost each of them six seconds of processor time. It ends with the process.
 */
import pg from "pg";
import { readBed } from "./bed.ts";
import { startGitSource, usually, type GitSource } from "./git-source.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { atProcessEnd } from "./process-end.ts";
import type { Program } from "./program.ts";
import { accepting, startReceiver, type Receiver } from "./webhook-receiver.ts";

export interface SharedWorkerBed {
  instance: TestInstance;
  worker: Program;
  receiver: Receiver;
  source: GitSource;
  database: pg.Client;
}

let shared: Promise<SharedWorkerBed> | undefined;

export function sharedWorkerBed(): Promise<SharedWorkerBed> {
  shared ??= open();
  return shared;
}

async function open(): Promise<SharedWorkerBed> {
  const receiver = await startReceiver();
  const source = await startGitSource();
  const env = {
    FORGELINE_OUTBOUND_ALLOW: "127.0.0.1",
    FORGELINE_OUTBOUND_CA_FILE: (await readBed()).certificates.caFile,
    FORGELINE_SIGN_UP: "open",
  };
  const instance = await startTestInstance({ runners: 0, env });
  const { worker } = instance;
  if (!worker) throw new Error("no worker");
  const database = new pg.Client({ connectionString: instance.database.url });
  await database.connect();
  atProcessEnd(async () => {
    await database.end();
    await instance.stop();
    await receiver.close();
    await source.close();
  });
  return { instance, worker, receiver, source, database };
}

/** After a test: the worker runs, and the others answer as usual. */
export function restoreWorker({ worker, receiver, source }: SharedWorkerBed): void {
  receiver.answer = accepting;
  source.answer = usually;
  if (!worker.isRunning()) worker.start();
}
