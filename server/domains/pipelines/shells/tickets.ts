/** One-use tickets for the socket of a shell: random bits with a signature, so that an invented one costs no query. */
import { createHash, randomBytes } from "node:crypto";
import type { Signer } from "../../../platform/keys/signer.ts";

const randomPart = 16;

export interface ShellTickets {
  issue(shellId: string): { ticket: string; hash: Buffer };
  /** Its hash; undefined where it was not issued for this shell. */
  hashOf(ticket: string, shellId: string): Buffer | undefined;
}

export function createShellTickets(signer: Signer): ShellTickets {
  const hash = (ticket: string) => createHash("sha256").update(ticket).digest();
  return {
    issue(shellId) {
      const random = randomBytes(randomPart);
      const seal = signer.sign(random, shellId).subarray(0, randomPart);
      const ticket = Buffer.concat([random, seal]).toString("base64url");
      return { ticket, hash: hash(ticket) };
    },
    hashOf(ticket, shellId) {
      const bytes = Buffer.from(ticket, "base64url");
      const [random, seal] = [bytes.subarray(0, randomPart), bytes.subarray(randomPart)];
      return signer.proves(seal, randomPart, random, shellId) ? hash(ticket) : undefined;
    },
  };
}
