/** The frames that write, look after and remove the filter's table. */
import { type Chain, chainsOf, sameInterface } from "./rules.ts";
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

/** Before Docker's own (0), which accept what they do not know. */
const priority = -10;
const hookNumber = { input: 1, forward: 2 } as const;
const interfaceIndexBytes = 4;
/** Two numbers of interfaces, in the numbering of the program nft: so that it can show the set and write it again. */
const pairOfInterfaces = (20 << 6) | 20;
const setSizeMax = 65_536;
const setFlags = { timeout: 0x10, changedByRules: 0x20 } as const;

/** Takes the place of the former table, all at once: no packet passes between the two. */
export function writeFrame(policy: EgressPolicy): Frame {
  const chains = chainsOf(policy);
  return transaction([
    ...removal(policy.table),
    makeTable(policy.table),
    makeSet(policy.table),
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

function makeSet(table: string): NftRequest {
  return {
    type: nftMessage.newSet,
    flags: messageFlag.create,
    what: "a set of interfaces",
    attributes: [
      textAttribute(1, table),
      textAttribute(2, sameInterface.name),
      numberAttribute(3, setFlags.timeout | setFlags.changedByRules),
      numberAttribute(4, pairOfInterfaces),
      numberAttribute(5, 2 * interfaceIndexBytes),
      nestedAttribute(9, [numberAttribute(1, setSizeMax)]),
      numberAttribute(10, sameInterface.id),
      longAttribute(11, sameInterface.timeoutMs),
    ],
  };
}

function makeChain(table: string, { name, hook }: Chain): NftRequest {
  const place = hook === null ? [] : [numberAttribute(1, hookNumber[hook]), numberAttribute(2, priority)];
  return {
    type: nftMessage.newChain,
    flags: messageFlag.create,
    what: `the chain ${name}`,
    attributes: [
      textAttribute(1, table),
      textAttribute(3, name),
      ...(hook === null ? [] : [nestedAttribute(4, place), textAttribute(7, "filter")]),
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
