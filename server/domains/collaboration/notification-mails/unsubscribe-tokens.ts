/** The signed part of the address in a mail that ends further ones, without signing in: it names a person and a conversation. */
import { idOf } from "@forgeline/schemas/core/ids.ts";
import type { Signer } from "../../../platform/keys/signer.ts";

export interface UnsubscribeTarget {
  userId: string;
  /** Null: all mails of notifications. */
  itemId: string | null;
}

export interface UnsubscribeTokens {
  make(target: UnsubscribeTarget): string;
  /** Undefined for what was not made here, and for what is too old. */
  read(token: string): UnsubscribeTarget | undefined;
}

const validDays = 90;
const dayMs = 24 * 60 * 60 * 1000;
const signatureBytes = 16;
const tokenForm = /^(usr_\w{26})\.(\w{1,30}|-)\.(\d{1,6})\.([\w-]{22})$/;

export function createUnsubscribeTokens(signer: Signer, now = Date.now): UnsubscribeTokens {
  const purpose = "unsubscribe ";
  return {
    make({ userId, itemId }) {
      const content = `${userId}.${itemId ?? "-"}.${Math.ceil(now() / dayMs) + validDays}`;
      const signature = signer.sign(purpose, content).subarray(0, signatureBytes);
      return `${content}.${signature.toString("base64url")}`;
    },
    read(token) {
      const [, userId = "", item = "", lastDay = "", signature = ""] = tokenForm.exec(token) ?? [];
      if (!idOf("usr").safeParse(userId).success) return undefined;
      const bytes = Buffer.from(signature, "base64url");
      if (!signer.proves(bytes, signatureBytes, purpose, `${userId}.${item}.${lastDay}`)) return undefined;
      return Number(lastDay) * dayMs < now() ? undefined : { userId, itemId: item === "-" ? null : item };
    },
  };
}
