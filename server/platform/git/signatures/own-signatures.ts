/** What an OpenPGP key says of itself: what is not true is left out once, since the library tries it again for each commit. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnyKeyPacket, Key, SignaturePacket } from "openpgp";

type IsMade = (signature: SignaturePacket) => Promise<boolean>;

/**
 * Changes the key: signatures of its own that are not valid, whatever the time is, are gone, and those of subkeys for which the subkey
 * does not stand. The library makes nothing of them either.
 */
export async function dropInvalid(key: Key): Promise<void> {
  const { enums } = await import("openpgp");
  const { signature: types } = enums;
  const primary = key.keyPacket;
  /** Made by a key about this. */
  const by =
    (signer: AnyKeyPacket, type: number, about: object): IsMade =>
    async (signature) => {
      // The library may never wait for anything.
      await nextTurn();
      try {
        // Without a time, which the types do not know: what has expired is still true of older commits.
        await signature.verify(signer, type, about, null as unknown as Date);
        return true;
      } catch {
        return false;
      }
    };
  const keyed = { key: primary };
  // The types do not know them.
  const direct = key as Key & { directSignatures: SignaturePacket[] };
  direct.directSignatures = await made(direct.directSignatures, by(primary, types.key, keyed));
  key.revocationSignatures = await made(key.revocationSignatures, by(primary, types.keyRevocation, keyed));
  for (const user of key.users) {
    const about = { ...keyed, userID: user.userID, userAttribute: user.userAttribute };
    user.selfCertifications = await made(user.selfCertifications, by(primary, types.certGeneric, about));
    user.revocationSignatures = await made(
      user.revocationSignatures,
      by(primary, types.certRevocation, about),
    );
  }
  for (const subkey of key.subkeys) {
    const about = { ...keyed, bind: subkey.keyPacket };
    const isBound = by(primary, types.subkeyBinding, about);
    const isAnswered = by(subkey.keyPacket, types.keyBinding, about);
    subkey.bindingSignatures = await made(subkey.bindingSignatures, async (signature) => {
      const { embeddedSignature: answer } = signature;
      return (await isBound(signature)) && (answer === null || isAnswered(answer));
    });
    subkey.revocationSignatures = await made(
      subkey.revocationSignatures,
      by(primary, types.subkeyRevocation, about),
    );
  }
}

async function made(signatures: readonly SignaturePacket[], isMade: IsMade): Promise<SignaturePacket[]> {
  const kept: SignaturePacket[] = [];
  for (const signature of signatures) if (await isMade(signature)) kept.push(signature);
  return kept;
}
