/**
 * How many packets a client has sent. The library does not expose this, but numbers them, including those of a key exchange;
 * this is the only place of ours that looks inside it, and `test/contract/ssh-packet-count.test.ts` notices when that changes.
 */
import type { Connection } from "ssh2";

interface Inside {
  _protocol: { _decipher: { inSeqno: number } };
}

/** Returns the number of packets since the last call. */
export type PacketCount = (client: Connection) => number;

export function createPacketCount(): PacketCount {
  let last = 0;
  return (client) => {
    const number = (client as unknown as Inside)._protocol._decipher.inSeqno;
    // With new keys, the numbers restart for clients that support strict key exchange.
    const added = number >= last ? number - last : number;
    last = number;
    return added;
  };
}
