/** The frames that write, look after and remove the filter's table. */
import type { SetName } from "./expressions.ts";
import {
  begin,
  recentConnections,
  type Chain,
  chainsOf,
  openConnections,
  sameInterface,
  sources,
} from "./rules.ts";
import {
  type Frame,
  longAttribute,
  messageFlag,
  nestedAttribute,
  nftMessage,
  type NftRequest,
  numberAttribute,
  question,
  textAttribute,
  transaction,
} from "./netlink.ts";
import type { EgressPolicy } from "./policy.ts";

/** Before Docker's own (0), which accept what they do not know; what begins a connection, before the kernel notes it (-200). */
const places = {
  prerouting: { number: 0, priority: -300 },
  input: { number: 1, priority: -10 },
  forward: { number: 2, priority: -10 },
} as const;
const interfaceIndexBytes = 4;
/** Types in the numbering of the program nft: so that it can show a set and write it again. */
const oneInterface = 20;
const pairOfInterfaces = (oneInterface << 6) | oneInterface;
const setSizeMax = 65_536;
const setFlags = { timeout: 0x10, changedByRules: 0x20 } as const;

/** Takes the place of the former table, all at once: no packet passes between the two. */
export function writeFrame(policy: EgressPolicy): Frame {
  const chains = chainsOf(policy);
  return transaction([
    ...removal(policy.table),
    makeTable(policy.table),
    makeSet(policy.table, sameInterface, 2),
    ...(policy.connections === null ? [] : countingSets(policy.table)),
    ...chains.map((chain) => makeChain(policy.table, chain)),
    ...chains.flatMap((chain) => makeRules(policy.table, chain)),
  ]);
}

/** Does nothing where there is none. */
export function removeFrame(table: string): Frame {
  return transaction(removal(table));
}

/** Lists the rules of the table; none where there is no table. */
export function listFrame(table: string): Frame {
  return question({
    type: nftMessage.listRules,
    flags: messageFlag.dump,
    what: "the list of rules",
    attributes: [textAttribute(1, table)],
  });
}

/** The kernel took everything up to where connections are counted, and not that. `refused` is its answer to `writeFrame`. */
export function lacksConnectionCounting(refused: string): boolean {
  return new RegExp(
    `^(the set (${recentConnections.name}|${openConnections.name})|rule \\d+ of the chain ${begin}):`,
  ).test(refused);
}

/** The same of where the addresses are looked at that jobs send with. */
export function cannotFollowSources(refused: string): boolean {
  return new RegExp(`^rule \\d+ of the chain ${sources}:`).test(refused);
}

export function ruleCount(policy: EgressPolicy): number {
  return chainsOf(policy).reduce((sum, { rules }) => sum + rules.length, 0);
}

function makeTable(table: string): NftRequest {
  return {
    type: nftMessage.newTable,
    flags: messageFlag.create,
    what: "a table",
    attributes: [textAttribute(1, table)],
  };
}

/** What is not there cannot be removed, so it is made first. */
function removal(table: string): NftRequest[] {
  const remove = { type: nftMessage.deleteTable, flags: 0, what: "the removal of a table" };
  return [makeTable(table), { ...remove, attributes: [textAttribute(1, table)] }];
}

function countingSets(table: string): NftRequest[] {
  return [recentConnections, openConnections].map((set) => makeSet(table, set, 1));
}

/** `width` interfaces are one member. */
function makeSet(table: string, { name, id, timeoutMs }: SetName, width: 1 | 2): NftRequest {
  return {
    type: nftMessage.newSet,
    flags: messageFlag.create,
    what: `the set ${name}`,
    attributes: [
      textAttribute(1, table),
      textAttribute(2, name),
      numberAttribute(3, (timeoutMs === null ? 0 : setFlags.timeout) | setFlags.changedByRules),
      numberAttribute(4, width === 1 ? oneInterface : pairOfInterfaces),
      numberAttribute(5, width * interfaceIndexBytes),
      nestedAttribute(9, [numberAttribute(1, setSizeMax)]),
      numberAttribute(10, id),
      ...(timeoutMs === null ? [] : [longAttribute(11, timeoutMs)]),
    ],
  };
}

function makeChain(table: string, { name, hook }: Chain): NftRequest {
  const place = hook === null ? null : places[hook];
  return {
    type: nftMessage.newChain,
    flags: messageFlag.create,
    what: `the chain ${name}`,
    attributes: [
      textAttribute(1, table),
      textAttribute(3, name),
      ...(place === null
        ? []
        : [
            nestedAttribute(4, [numberAttribute(1, place.number), numberAttribute(2, place.priority)]),
            textAttribute(7, "filter"),
          ]),
    ],
  };
}

function makeRules(table: string, { name, rules }: Chain): NftRequest[] {
  return rules.map((expressions, index) => ({
    type: nftMessage.newRule,
    flags: messageFlag.create | messageFlag.append,
    what: `rule ${String(index + 1)} of the chain ${name}`,
    attributes: [textAttribute(1, table), textAttribute(2, name), nestedAttribute(4, expressions)],
  }));
}
