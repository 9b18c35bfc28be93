/** Addresses to which people answer: `reply+TOKEN@…`, where the token is a number and a day, signed. */
import type { Signer } from "../../../platform/keys/signer.ts";

export interface ReplyAddresses {
  /** Of what has this number in `reply_addresses`. */
  make(number: number): string;
  /** The number; undefined for addresses that were not made here, and for those that are too old. */
  read(address: string): number | undefined;
}

const validDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const contentBytes = 10;
const signatureBytes = 12;
const purpose = "reply ";

/** In hexadecimal digits, since some mail servers change the case of letters. */
export function createReplyAddresses(address: string, signer: Signer, now = Date.now): ReplyAddresses {
  const [local = "", domain = ""] = address.split("@");
  return {
    make(number) {
      const content = Buffer.alloc(contentBytes);
      content.writeBigUInt64BE(BigInt(number), 0);
      content.writeUInt16BE(Math.ceil(now() / dayMs) + validDays, 8);
      const signature = signer.sign(purpose, content).subarray(0, signatureBytes);
      return `${local}+${Buffer.concat([content, signature]).toString("hex")}@${domain}`;
    },
    read(given) {
      const [tag, host, ...rest] = given.toLowerCase().split("@");
      const [name, token = "", ...more] = (tag ?? "").split("+");
      if (host !== domain || name !== local || rest.length + more.length > 0) return undefined;
      if (!/^[0-9a-f]{44}$/.test(token)) return undefined;
      const bytes = Buffer.from(token, "hex");
      const content = bytes.subarray(0, contentBytes);
      if (!signer.proves(bytes.subarray(contentBytes), signatureBytes, purpose, content)) return undefined;
      if (content.readUInt16BE(8) * dayMs < now()) return undefined;
      return Number(content.readBigUInt64BE(0));
    },
  };
}
