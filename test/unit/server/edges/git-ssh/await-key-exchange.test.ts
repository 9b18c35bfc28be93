import { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { awaitKeyExchange } from "@forgeline/server/edges/git-ssh/await-key-exchange.ts";

let socket: Socket;
const isHeld = () => socket.writableCorked > 0;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  socket = new Socket();
  awaitKeyExchange(socket);
});
afterEach(() => {
  vi.useRealTimers();
  socket.destroy();
});

test("what answers the identification leaves when the client's next bytes have arrived", () => {
  expect(isHeld()).toBe(false);
  socket.emit("data", Buffer.from("SSH-2.0-OpenSSH_9.2\r\n"));
  expect(isHeld()).toBe(true);
  socket.emit("data", Buffer.from("list"));
  expect(isHeld()).toBe(false);
  vi.advanceTimersByTime(1_000);
  socket.emit("data", Buffer.from("more"));
  expect(isHeld()).toBe(false);
});

test("a client that waits for our list gets it after five milliseconds", () => {
  socket.emit("data", Buffer.from("SSH-2.0-patient\n"));
  vi.advanceTimersByTime(4);
  expect(isHeld()).toBe(true);
  vi.advanceTimersByTime(1);
  expect(isHeld()).toBe(false);
  socket.emit("data", Buffer.from("list"));
  expect(isHeld()).toBe(false);
});

test("nothing is held when the list came with the identification", () => {
  socket.emit("data", Buffer.from("SSH-2.0-hasty\r\nlist"));
  expect(isHeld()).toBe(false);
});
