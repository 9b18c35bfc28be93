import type { Socket } from "node:net";
import type { Connection } from "ssh2";
import { expect, test } from "vitest";
import { createPacketBudgets, packetCosts } from "@forgeline/server/edges/git-ssh/packet-budget.ts";

const size = { burst: 1_000, perSecond: 0.001 };
const limits = { beforeLogin: { packets: 100, bytes: 10_000 }, ofConnection: size, ofUser: size };
const forAll = { burst: 10_000, perSecond: 0.001 };

function start(meterPackets = createPacketBudgets(limits, { spend: () => undefined })) {
  const socket = { bytesWritten: 0, writableLength: 0 };
  const decipher = { inSeqno: 0 };
  const told = { flood: 0, held: 0 };
  const meter = meterPackets({
    socket: socket as Socket,
    onFlood: () => void (told.flood += 1),
    onHeld: () => void (told.held += 1),
  });
  meter.watch({ _protocol: { _decipher: decipher } } as unknown as Connection);
  const send = (packets: number, bytes: number) => {
    decipher.inSeqno += packets;
    meter.passed(bytes);
  };
  return { socket, told, meter, send };
}

test("before a login packets and bytes have a bound, whatever pays for them later", () => {
  const packets = start();
  packets.send(100, 9_000);
  expect(packets.told.flood).toBe(0);
  packets.send(1, 1);
  packets.send(1, 1);
  expect(packets.told.flood).toBe(1);
  expect(packets.meter.waitMs()).toBeGreaterThan(1_000_000);
  const bytes = start();
  bytes.send(0, 10_001);
  expect(bytes.told.flood).toBe(1);
});

test("large packets cost nothing, small ones what they are", () => {
  const { meter, send, told } = start();
  meter.loggedIn("ada");
  for (let n = 0; n < 1_000; n++) send(1, 32_768);
  for (let n = 0; n < 2_000; n++) send(1, 2_048);
  expect(meter.waitMs()).toBe(0);
  // Of what large packets have paid in advance little is left over.
  send(1_000 - packetCosts.login + 64 - 10, 100);
  expect(meter.waitMs()).toBe(0);
  send(20, 100);
  expect(meter.waitMs()).toBeGreaterThan(0);
  expect(told).toEqual({ flood: 0, held: 1 });
});

test("what the server sends pays for the client's words about it", () => {
  const { socket, meter, send } = start();
  meter.loggedIn("ada");
  for (let n = 0; n < 2_000; n++) {
    socket.bytesWritten += 32_768;
    send(1, 36);
  }
  expect(meter.waitMs()).toBe(0);
});

test("all connections of a user have one budget, each login takes of it, and nobody else's is less", () => {
  const meterPackets = createPacketBudgets({ ...limits, ofConnection: forAll }, { spend: () => undefined });
  const logins = Array.from({ length: 1_000 / packetCosts.login + 1 }, () => {
    const { meter } = start(meterPackets);
    meter.loggedIn("ada");
    return meter;
  });
  expect(logins[0]?.waitMs()).toBeGreaterThan(0);
  const other = start(meterPackets);
  other.meter.loggedIn("bob");
  expect(other.meter.waitMs()).toBe(0);
});

test("pieces are small until large packets come, and again once small ones do", () => {
  const { meter, send } = start();
  meter.loggedIn("ada");
  const least = meter.pieceBytes();
  send(1, 100);
  expect(meter.pieceBytes()).toBe(least);
  for (let n = 0; n < 10; n++) send(1, meter.pieceBytes());
  expect(meter.pieceBytes()).toBe(16_384);
  send(50, 1_800);
  expect(meter.pieceBytes()).toBe(least);
});

test("who does not read the answers is asked nothing more until they are gone", () => {
  const { socket, meter } = start();
  meter.loggedIn("ada");
  socket.writableLength = 5 * 1024 * 1024;
  expect(meter.waitMs()).toBeGreaterThan(0);
  socket.writableLength = 0;
  expect(meter.waitMs()).toBe(0);
});
