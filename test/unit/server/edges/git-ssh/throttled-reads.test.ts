import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttleReads } from "@forgeline/server/edges/git-ssh/throttled-reads.ts";
import { createPacketQueue } from "@forgeline/server/edges/git-ssh/packet-queue.ts";

let socket: Socket;
let heard: string[];
let waitMs: number;
const turns = createPacketQueue(2);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  socket = new Socket();
  heard = [];
  waitMs = 0;
  const passed = () => {
    if (heard.length === 2) waitMs = 100;
  };
  throttleReads(socket, { pieceBytes: () => 3, passed, waitMs: () => waitMs }, turns);
  socket.on("data", (chunk: Buffer) => heard.push(chunk.toString()));
});
afterEach(() => {
  vi.useRealTimers();
  socket.destroy();
});

test("what comes is handed on in pieces, and waits unread while the budget says so", () => {
  socket.emit("data", Buffer.from("abcdefgh"));
  expect(heard).toEqual(["abc", "def"]);
  expect(socket.isPaused()).toBe(true);
  // What the network had already handed over keeps its place.
  socket.emit("data", Buffer.from("ij"));
  expect(heard).toHaveLength(2);
  waitMs = 0;
  vi.advanceTimersByTime(100);
  expect(heard).toEqual(["abc", "def", "ghi", "j"]);
  expect(socket.isPaused()).toBe(false);
});

test("waits for its turn, too", async () => {
  turns.spend(2);
  socket.emit("data", Buffer.from("abc"));
  expect(heard).toEqual([]);
  await turn();
  expect(heard).toEqual(["abc"]);
});

test("a connection that is gone is handed nothing more", async () => {
  socket.emit("data", Buffer.from("abcdefgh"));
  waitMs = 0;
  socket.destroy();
  await turn();
  vi.advanceTimersByTime(1_000);
  expect(heard).toEqual(["abc", "def"]);
});
