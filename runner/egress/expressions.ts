/** What a rule of nf_tables consists of: what is looked at in a packet, and what becomes of it. */
import {
  attribute,
  byteAttribute,
  longAttribute,
  nestedAttribute,
  numberAttribute,
  textAttribute,
} from "./netlink.ts";

/** One step of a rule; a rule continues as long as its steps agree. */
export type Expression = Buffer;

/** 16 bytes; the second quarter of it has a name of its own. */
const register = 1;
const secondQuarter = 9;
const verdictRegister = 0;

const metaKey = { iif: 4, oif: 5, iifname: 6, oifname: 7, nfproto: 15, l4proto: 16, pkttype: 19 } as const;
const payloadBase = { network: 1, transport: 2 } as const;
const compare = { equal: 0, different: 1 } as const;
const verdict = { drop: 0, accept: 1, jump: -3 } as const;
const rejectBy = { icmpV4: 0, reset: 1, icmp: 2 } as const;
const prohibited = 3;
/** Routers said so long ago of a host that a net keeps apart; Linux makes `ENONET` of it, as of nothing else. */
const hostIsolated = 8;
const connectionKey = { state: 0, status: 2, port: 12, addressV4: 20, addressV6: 22 } as const;
/** Whether there is an interface for the way back to the packet's source: the one by which it came. */
const wayBack = { result: 1, flags: 0x1 | 0x8 | 0x20 } as const;
const originalDirection = 0;
const establishedOrRelated = 6;
const inTable = 0x8;
const destinationChanged = 0x20;

export const protocol = { tcp: 6, udp: 17, icmpv6: 58 } as const;

function expression(name: string, parts: readonly Buffer[]): Expression {
  return namedStep(1, name, parts);
}

function namedStep(type: number, name: string, parts: readonly Buffer[]): Buffer {
  return nestedAttribute(type, [textAttribute(1, name), nestedAttribute(2, parts)]);
}

function load(key: keyof typeof metaKey, into = register): Expression {
  return expression("meta", [numberAttribute(1, into), numberAttribute(2, metaKey[key])]);
}

function payload(base: keyof typeof payloadBase, offset: number, bytes: number): Expression {
  const place = [
    numberAttribute(2, payloadBase[base]),
    numberAttribute(3, offset),
    numberAttribute(4, bytes),
  ];
  return expression("payload", [numberAttribute(1, register), ...place]);
}

function value(type: number, bytes: Buffer): Buffer {
  return nestedAttribute(type, [attribute(1, bytes)]);
}

function is(bytes: Buffer, how: keyof typeof compare = "equal"): Expression {
  return expression("cmp", [numberAttribute(1, register), numberAttribute(2, compare[how]), value(3, bytes)]);
}

function masked(mask: Buffer): Expression {
  return expression("bitwise", [
    numberAttribute(1, register),
    numberAttribute(2, register),
    numberAttribute(3, mask.length),
    value(4, mask),
    value(5, Buffer.alloc(mask.length)),
  ]);
}

/** The interface's name begins so. */
export function interfaceNamed(side: "iif" | "oif", prefix: string): Expression[] {
  return [load(`${side}name`), is(Buffer.from(prefix))];
}

export function overProtocol(number: number): Expression[] {
  return [load("l4proto"), is(Buffer.from([number]))];
}

export function toPort(port: number): Expression[] {
  return [payload("transport", 2, 2), is(portBytes(port))];
}

const audience = { broadcast: 1, multicast: 2 } as const;

/** Not for one computer alone. */
export function sentTo(whom: keyof typeof audience): Expression[] {
  return [load("pkttype"), is(Buffer.from([audience[whom]]))];
}

function portBytes(port: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(port);
  return bytes;
}

function overFamily(isV4: boolean): Expression[] {
  return [load("nfproto"), is(Buffer.from([isV4 ? 2 : 10]))];
}

/** Neighbours of IPv6 find each other by these; without them nothing on the same wire works. */
export function icmpv6Type(type: number): Expression[] {
  return [...overProtocol(protocol.icmpv6), payload("transport", 0, 1), is(Buffer.from([type]))];
}

/** The packet's destination is in the network, or outside it. */
export function destination(
  network: { bytes: Buffer; prefix: number },
  how: "in" | "outside" = "in",
): Expression[] {
  const { bytes, prefix } = network;
  const isV4 = bytes.length === 4;
  const mask = maskOf(prefix, bytes.length);
  return [
    ...overFamily(isV4),
    payload("network", isV4 ? 16 : 24, bytes.length),
    ...(prefix === bytes.length * 8 ? [] : [masked(mask)]),
    is(and(bytes, mask), how === "in" ? "equal" : "different"),
  ];
}

/**
 * Answers to the packet's source would not go where it came from. What neighbours ask before they have an address counts as from here:
 * the kernel sees to that.
 */
export function hasNoReturnRoute(): Expression[] {
  const parts = [register, wayBack.result, wayBack.flags].map((part, index) =>
    numberAttribute(index + 1, part),
  );
  return [expression("fib", parts), is(Buffer.alloc(4))];
}

/** Part of a connection that was let through before. */
export function knownConnection(): Expression[] {
  return connectionHas("state", establishedOrRelated);
}

/** The machine passes the connection on to somewhere else, as Docker does with published ports. */
export function isRedirected(): Expression[] {
  return connectionHas("status", destinationChanged);
}

/** Its first packet, with which the kernel has not yet taken it into its table. */
export function opensConnection(): Expression[] {
  return connectionHas("status", inTable, "equal");
}

function connectionHas(
  key: "state" | "status",
  bits: number,
  how: keyof typeof compare = "different",
): Expression[] {
  const mask = Buffer.alloc(4);
  mask.writeUInt32LE(bits);
  const load = [numberAttribute(1, register), numberAttribute(2, connectionKey[key])];
  return [expression("ct", load), masked(mask), is(Buffer.alloc(4), how)];
}

/** What the connection's first packet was addressed to, before the machine passed it on. */
export function firstAddress(bytes: Buffer): Expression[] {
  const isV4 = bytes.length === 4;
  return [...overFamily(isV4), original(isV4 ? "addressV4" : "addressV6"), is(bytes)];
}

export function firstPort(port: number): Expression[] {
  return [original("port"), is(portBytes(port))];
}

function original(key: "addressV4" | "addressV6" | "port"): Expression {
  const parts = [numberAttribute(1, register), numberAttribute(2, connectionKey[key])];
  return expression("ct", [...parts, byteAttribute(3, originalDirection)]);
}

const change = { add: 0, update: 1 } as const;
const overLimit = 1;

/** Notes in the set that the packet's first interface is the same as itself. */
export function noteInterface(set: SetName): Expression[] {
  return [load("iif"), load("iif", secondQuarter), inSet(set)];
}

/** More connections of the packet's first interface begin than may. The kernel notes in the set how many may still. */
export function exceedsConnectionRate(
  set: SetName,
  { perSecond, atOnce }: { perSecond: number; atOnce: number },
): Expression[] {
  const rate = [longAttribute(1, perSecond), longAttribute(2, 1), numberAttribute(3, atOnce)];
  return [load("iif"), inSet(set, ["limit", [...rate, numberAttribute(5, overLimit)]])];
}

/** With this one, more connections of the packet's first interface are open. The kernel notes in the set which they are. */
export function exceedsOpenConnections(set: SetName, max: number): Expression[] {
  return [load("iif"), inSet(set, ["connlimit", [numberAttribute(1, max), numberAttribute(2, overLimit)]])];
}

/** `counting` is a step that the kernel keeps for each member of the set by itself. */
function inSet(set: SetName, counting: [name: string, parts: readonly Buffer[]] | null = null): Expression {
  const how = set.timeoutMs === null ? change.add : change.update;
  return expression("dynset", [
    textAttribute(1, set.name),
    numberAttribute(2, set.id),
    numberAttribute(3, how),
    numberAttribute(4, register),
    ...(set.timeoutMs === null ? [] : [longAttribute(6, set.timeoutMs)]),
    ...(counting === null ? [] : [namedStep(7, ...counting)]),
  ]);
}

/** The pair of the packet's interfaces is in the set. */
export function interfacesIn(set: SetName): Expression[] {
  const parts = [textAttribute(1, set.name), numberAttribute(2, register), numberAttribute(4, set.id)];
  return [load("iif"), load("oif", secondQuarter), expression("lookup", parts)];
}

export interface SetName {
  name: string;
  /** Within one transaction. */
  id: number;
  /** null: a member stays until the kernel sees that it counts nothing any more. */
  timeoutMs: number | null;
}

export function accept(): Expression[] {
  return [immediate([numberAttribute(1, verdict.accept)])];
}

/** Without an answer. */
export function drop(): Expression[] {
  return [immediate([numberAttribute(1, verdict.drop)])];
}

/** Stays out of the kernel's table of connections. */
export function untracked(): Expression[] {
  return [expression("notrack", [])];
}

export function jump(chain: string): Expression[] {
  return [immediate([numberAttribute(1, verdict.jump), textAttribute(2, chain)])];
}

function immediate(parts: readonly Buffer[]): Expression {
  return expression("immediate", [
    numberAttribute(1, verdictRegister),
    nestedAttribute(2, [nestedAttribute(2, parts)]),
  ]);
}

/** "Connection refused"; unlike other answers the kernel sends as many of these as are needed. */
export function resetConnection(): Expression[] {
  return [...overProtocol(protocol.tcp), reject(rejectBy.reset, 0)];
}

/** "Prohibited by the administrator". */
export function rejectAsProhibited(): Expression[] {
  return [reject(rejectBy.icmp, prohibited)];
}

/** "Host isolated": an answer that no other filter and no program gives. IPv4 alone has it. */
export function isolated(): Expression[] {
  return [...overFamily(true), reject(rejectBy.icmpV4, hostIsolated)];
}

function reject(type: number, code: number): Expression {
  return expression("reject", [numberAttribute(1, type), byteAttribute(2, code)]);
}

function maskOf(prefix: number, length: number): Buffer {
  return Buffer.from(
    Array.from({ length }, (_, index) => (0xff00 >> Math.min(8, Math.max(0, prefix - index * 8))) & 0xff),
  );
}

function and(bytes: Buffer, mask: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte & (mask[index] ?? 0)));
}
