/** The signed part of the addresses in mails to a team's shared address: one confirms it, one ends what is sent there. Nobody signs in. */
import { createHash } from "node:crypto";
import { idOf } from "@forgeline/schemas/core/ids.ts";
import type { Signer } from "../../../platform/keys/signer.ts";

export type AddressPurpose = "confirm" | "end";

export interface AddressTarget {
  purpose: AddressPurpose;
  teamId: string;
  /** Of the mail address, which itself is not told: web addresses get into histories and logs. */
  digest: string;
}

export interface AddressTokens {
  make(wanted: { purpose: AddressPurpose; teamId: string; address: string }): string;
  /** Undefined for what was not made here, and for what is too old. */
  read(token: string): AddressTarget | undefined;
}

const validDays: Record<AddressPurpose, number> = { confirm: 3, end: 90 };
const dayMs = 24 * 60 * 60 * 1000;
const signatureBytes = 16;
const tokenForm = /^(confirm|end)\.(team_\w{26})\.([0-9a-f]{16})\.(\d{1,6})\.([\w-]{22})$/;

/** Addresses that differ in case alone are the same. */
export function digestOf(address: string): string {
  return createHash("sha256").update(address.toLowerCase()).digest("hex").slice(0, 16);
}

export function createAddressTokens(signer: Signer, now = Date.now): AddressTokens {
  const signed = "team address ";
  return {
    make({ purpose, teamId, address }) {
      const lastDay = Math.ceil(now() / dayMs) + validDays[purpose];
      const content = `${purpose}.${teamId}.${digestOf(address)}.${lastDay}`;
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
