/**
 * What the packets of one SSH connection may cost this process. A packet costs it about the same whether it carries one byte or
 * 32 KiB, so packets are counted, and what carries a pack pays for its packets in bytes. A client that has logged in and sends
 * too many is slowed down; one that has not logged in has then sent more than any login needs, and is disconnected.
 */
import type { Socket } from "node:net";
import type { Connection } from "ssh2";
import { createTokenBucket, type BucketSize, type TokenBucket } from "../../platform/token-bucket.ts";
import { createTokenBuckets } from "../../platform/token-buckets.ts";
import type { ReadThrottle } from "./throttled-reads.ts";
import { createPacketCount } from "./packet-count.ts";
import type { PacketQueue } from "./packet-queue.ts";

export interface PacketLimits {
  /** In all, from the first byte to the login. */
  beforeLogin: { packets: number; bytes: number };
  ofConnection: BucketSize;
  /** All connections of one user. */
  ofUser: BucketSize;
}

/** In packets: operations that cost more than the packet itself. */
export const packetCosts = { login: 50, newKeys: 200, command: 10 };

/** In either direction; smaller packets than these are paid from the budget. Clients widen our window once in 32 KiB at the most often. */
const bytesThatPay = 2 * 1024;
/** Packets that large ones have paid for in advance. */
const maxPaid = 64;
/** Small enough to hold few small packets, and large enough for large ones to come in few pieces. */
const pieces = { least: 2 * 1024, max: 16 * 1024 };
/** Unread answers up to this size: further requests are read only after the client has read them. */
const unread = { maxBytes: 4 * 1024 * 1024, lookMs: 50 };
/** Size of the pieces in which held-back data is passed on. */
const portion = 64;

export interface PacketMeter extends ReadThrottle {
  /** To be called when the client has identified itself. */
  watch(client: Connection): void;
  /** From now on it has a budget, which it shares with its user's other connections. */
  loggedIn(user: string): void;
  charge(packets: number): void;
}

export interface MeteredConnection {
  socket: Socket;
  /** It has sent too much without a login. Nothing more is read. */
  onFlood(): void;
  /** It has to wait. */
  onHeld(): void;
}

export type MeterPackets = (connection: MeteredConnection) => PacketMeter;

export function createPacketBudgets(limits: PacketLimits, turns: Pick<PacketQueue, "spend">): MeterPackets {
  const ofUser = createTokenBuckets(limits.ofUser);
  return (connection) => createPacketMeter(connection, { limits, ofUser, turns });
}

interface Shared {
  limits: PacketLimits;
  ofUser: (user: string) => TokenBucket;
  turns: Pick<PacketQueue, "spend">;
}

function createPacketMeter(connection: MeteredConnection, { limits, ofUser, turns }: Shared): PacketMeter {
  const { socket } = connection;
  const count = createPacketCount();
  const before = { ...limits.beforeLogin };
  let client: Connection | undefined;
  let buckets: TokenBucket[] | undefined;
  let isFlood = false;
  let paid = 0;
  let sentBytes = 0;
  let piece = pieces.least;

  function charge(packets: number): void {
    for (const bucket of buckets ?? []) bucket.owe(packets);
    if (!buckets) before.packets -= packets;
    if (isFlood || (before.packets >= 0 && before.bytes >= 0)) return;
    isFlood = true;
    connection.onFlood();
  }

  /** What neither the bytes that came nor those that went have paid for. */
  function unpaid(packets: number, bytes: number): number {
    const sent = socket.bytesWritten - sentBytes;
    sentBytes += sent;
    paid = Math.min(maxPaid, paid + (bytes + sent) / bytesThatPay);
    const cost = Math.max(0, packets - paid);
    paid -= packets - cost;
    return cost;
  }

  function passed(bytes: number): void {
    const packets = client ? count(client) : 0;
    const isSmall = packets > 2 + (2 * bytes) / bytesThatPay;
    if (isSmall) piece = pieces.least;
    else if (bytes === piece) piece = Math.min(pieces.max, 2 * piece);
    const cost = unpaid(packets, bytes);
    turns.spend(cost);
    if (!buckets) before.bytes -= bytes;
    charge(buckets ? cost : packets);
  }

  return {
    pieceBytes: () => piece,
    passed,
    charge,
    waitMs() {
      if (isFlood) return 2 ** 31 - 1;
      if (socket.writableLength > unread.maxBytes) return unread.lookMs;
      const waitMs = Math.max(0, ...(buckets ?? []).map(wait));
      if (waitMs > 0) connection.onHeld();
      return waitMs;
    },
    watch(from) {
      client = from;
    },
    loggedIn(user) {
      buckets = [createTokenBucket(limits.ofConnection), ofUser(user)];
      charge(packetCosts.login);
    },
  };
}

const wait = (bucket: TokenBucket) => (bucket.left() < 0 ? bucket.msUntil(portion) : 0);
