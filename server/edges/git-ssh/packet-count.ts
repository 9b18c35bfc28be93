/**
 * How many packets a client has sent. The library does not tell, but numbers them, those of a key exchange as well; this is the only
 * place of ours that looks inside it, and `test/contract/ssh-packet-count.test.ts` notices when that changes.
 */
import type { Connection } from "ssh2";

interface Inside {
  _protocol: { _decipher: { inSeqno: number } };
}

/** Gives the packets since it was last asked. */
export type PacketCount = (client: Connection) => number;

export function createPacketCount(): PacketCount {
  let last = 0;
  return (client) => {
    const number = (client as unknown as Inside)._protocol._decipher.inSeqno;
    // With new keys the numbers start over, of clients that know why.
    const added = number >= last ? number - last : number;
    last = number;
    return added;
  };
}
