import { EventEmitter, once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Connection } from "ssh2";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createSendWindow } from "@forgeline/server/edges/git-ssh/send-window.ts";
import { joinWrites } from "@forgeline/server/edges/git-ssh/join-writes.ts";

const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.destroy();
});

/** Both ends of a connection; the far one reads nothing until it is told. */
async function pair(): Promise<{ near: Socket; far: Socket }> {
  const listener = createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const far = connect((listener.address() as AddressInfo).port, "127.0.0.1").pause();
  const [near] = (await once(listener, "connection")) as [Socket];
  listener.close();
  open.push(near, far);
  return { near, far };
}

const chunk = Buffer.alloc(64 * 1024);
const never = new AbortController().signal;
const pending = (promise: Promise<void>) =>
  Promise.race([
    promise.then(() => false),
    new Promise<boolean>((resolve) => setImmediate(() => resolve(true))),
  ]);

it("makes a sender wait for a client that does not read, and goes on when it does", async () => {
  const { near, far } = await pair();
  const flow = createSendWindow(new EventEmitter() as Connection, near);
  let rounds = 0;
  while (!(await pending(flow.room(never)))) {
    near.write(chunk);
    flow.sent(chunk.length);
    rounds += 1;
    expect(rounds).toBeLessThan(2_000);
  }
  expect(near.writableLength).toBeLessThan(512 * 1024);
  const waiting = flow.room(never);
  far.resume();
  await waiting;
});

it("counts what the library keeps back while keys are exchanged, until they are", async () => {
  const { near, far } = await pair();
  far.resume();
  const client = new EventEmitter();
  const flow = createSendWindow(client as Connection, near);
  for (let round = 0; round < 80; round++) flow.sent(chunk.length);
  const waiting = flow.room(never);
  expect(await pending(waiting)).toBe(true);
  for (let round = 0; round < 80; round++) near.write(chunk);
  await new Promise<void>((resolve) => near.write(chunk, () => resolve()));
  client.emit("rekey");
  await waiting;
});

it("lets go when the client is gone", async () => {
  const { near } = await pair();
  const flow = createSendWindow(new EventEmitter() as Connection, near);
  for (let round = 0; round < 80; round++) flow.sent(chunk.length);
  const gone = new AbortController();
  const waiting = flow.room(gone.signal);
  gone.abort();
  await waiting;
});

it("keeps together what is written in one turn, in its order", async () => {
  const { near, far } = await pair();
  joinWrites(near);
  for (const words of ["one ", "two ", "three "]) near.write(words);
  expect(near.writableCorked).toBe(1);
  await new Promise((resolve) => setImmediate(resolve));
  expect([near.writableCorked, near.writableLength]).toEqual([0, 0]);
  near.write("four ");
  near.end("five");
  expect(await text(far)).toBe("one two three four five");
});
