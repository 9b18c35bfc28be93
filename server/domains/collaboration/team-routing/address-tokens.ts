/** The signed part of the addresses in mails to a team's shared address: one confirms it, one ends what is sent there. Nobody signs in. */
import { createHash } from "node:crypto";
import { idOf } from "@forgeline/schemas/core/ids.ts";
import type { Signer } from "../../../platform/keys/signer.ts";

export type AddressPurpose = "confirm" | "end";

export interface AddressTarget {
  purpose: AddressPurpose;
  teamId: string;
  /** Of the mail address, and in links that confirm of the mail that asked. The address itself is not told: web addresses get into histories and logs. */
  digest: string;
}

export interface AddressTokens {
  /** `ask`: of a link that confirms. */
  make(wanted: { purpose: AddressPurpose; teamId: string; address: string; ask?: Ask }): string;
  /** Undefined for what was not made here, and for what is too old. */
  read(token: string): AddressTarget | undefined;
}

const validDays: Record<AddressPurpose, number> = { confirm: 3, end: 90 };
const dayMs = 24 * 60 * 60 * 1000;
const signatureBytes = 16;
const tokenForm = /^(confirm|end)\.(team_\w{26})\.([0-9a-f]{16})\.(\d{1,6})\.([\w-]{22})$/;

/** Which mail asked: its link confirms as long as no later one did. */
export interface Ask {
  asked_since: Date;
  asked_count: number;
}

/** Addresses that differ in case alone are the same. With `ask`, of what one mail asked. */
export function digestOf(address: string, ask?: Ask): string {
  const asked = ask ? ` ${ask.asked_since.getTime()} ${ask.asked_count}` : "";
  return createHash("sha256")
    .update(address.toLowerCase() + asked)
    .digest("hex")
    .slice(0, 16);
}

export function createAddressTokens(signer: Signer, now = Date.now): AddressTokens {
  const signed = "team address ";
  return {
    make({ purpose, teamId, address, ask }) {
      const lastDay = Math.ceil(now() / dayMs) + validDays[purpose];
      const content = `${purpose}.${teamId}.${digestOf(address, ask)}.${lastDay}`;
      const signature = signer.sign(signed, content).subarray(0, signatureBytes);
      return `${content}.${signature.toString("base64url")}`;
    },
    read(token) {
      const [, purpose, teamId = "", digest = "", lastDay = "", signature = ""] = tokenForm.exec(token) ?? [];
      if ((purpose !== "confirm" && purpose !== "end") || !idOf("team").safeParse(teamId).success)
        return undefined;
      const content = `${purpose}.${teamId}.${digest}.${lastDay}`;
      if (!signer.proves(Buffer.from(signature, "base64url"), signatureBytes, signed, content))
        return undefined;
      return Number(lastDay) * dayMs < now() ? undefined : { purpose, teamId, digest };
    },
  };
}
