import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { bytesToCome, createBodyRoom } from "@forgeline/server/http/body-room.ts";

test("bodies have room of one, and of all together, which is free again once", () => {
  const room = createBodyRoom({ ofOne: 10, inAll: 15 }, new Registry());
  const free = room.reserve("ada", 10);
  expect(() => room.reserve("ada", 1)).toThrow("Send fewer at once");
  expect(() => room.reserve("bob", 6)).toThrow("as much as it can");
  room.reserve("bob", 5);
  free();
  free();
  room.reserve("cyd", 10);
  expect(() => room.reserve("dee", 1)).toThrow("as much as it can");
});

test("a body that does not say its size may have all that is allowed", () => {
  const message = new IncomingMessage(new Socket());
  expect(bytesToCome(message, 100)).toBe(100);
  message.headers["content-length"] = "7";
  expect(bytesToCome(message, 100)).toBe(7);
  message.headers["content-length"] = "700";
  expect(bytesToCome(message, 100)).toBe(100);
});
